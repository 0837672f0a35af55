import { type EditRecipe, identityRecipe } from '#contract/edit-recipe.ts';

/** The recipe that is being edited, with those before it and those that were undone. */
interface RecipeHistory {
  past: readonly EditRecipe[];
  recipe: EditRecipe;
  future: readonly EditRecipe[];
  /** The control that is being moved: all its movements are one step. Null between them. */
  moving: string | null;
}

export type RecipeAction =
  /** @param control being moved, for a slider: until `end`, its changes are one step */
  | { kind: 'change'; change: Partial<EditRecipe>; control?: string }
  | { kind: 'end' | 'undo' | 'redo' | 'reset' };

export function startHistory(recipe: EditRecipe): RecipeHistory {
  return { past: [], recipe, future: [], moving: null };
}

/** The history after a step. */
export function changeHistory(history: RecipeHistory, action: RecipeAction): RecipeHistory {
  const { past, recipe, future, moving } = history;
  switch (action.kind) {
    case 'change': {
      const { change, control = null } = action;
      const continues = control !== null && control === moving;
      return {
        past: continues ? past : [...past, recipe],
        recipe: { ...recipe, ...change },
        future: [],
        moving: control,
      };
    }
    case 'end':
      return { ...history, moving: null };
    case 'undo': {
      const before = past.at(-1);
      if (!before) return history;
      return { past: past.slice(0, -1), recipe: before, future: [recipe, ...future], moving: null };
    }
    case 'redo': {
      const [after, ...rest] = future;
      if (!after) return history;
      return { past: [...past, recipe], recipe: after, future: rest, moving: null };
    }
    case 'reset':
      return { past: [...past, recipe], recipe: { ...identityRecipe }, future: [], moving: null };
  }
}
