import { useReducer, useState } from 'react';
import { type EditRecipe, type GenerationView, identityRecipe } from '#contract';
import { useSaveEdits } from './api.ts';
import { changeHistory, startHistory } from './recipe-history.ts';

/** What the recipe that is being edited is based on: the stored edits. */
interface StoredEdits {
  /** Null without edits. */
  version: number | null;
  recipe: EditRecipe;
}

function storedEdits({ edits }: GenerationView): StoredEdits {
  return { version: edits?.version ?? null, recipe: edits?.recipe ?? { ...identityRecipe } };
}

/**
 * The recipe that is being edited, from its first change until it is saved. It starts from the stored edits of the moment
 * when the editor was opened: if another window saves meanwhile, `save` does not overwrite its edits. It shows them as a
 * further step, so that undo brings back the seller's own.
 */
export function useEditing(view: GenerationView, onSaved: () => void) {
  const [stored, setStored] = useState(() => storedEdits(view));
  const [history, dispatch] = useReducer(changeHistory, stored.recipe, startHistory);
  const [hadConflict, setHadConflict] = useState(false);
  const { mutate, isPending } = useSaveEdits({
    onSaved,
    onConflict: (current) => {
      const newer = storedEdits(current);
      setStored(newer);
      dispatch({ kind: 'change', change: newer.recipe });
      setHadConflict(true);
    },
  });
  const { recipe, past, future } = history;
  return {
    recipe,
    dispatch,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    isChanged: JSON.stringify(recipe) !== JSON.stringify(stored.recipe),
    /** Whether the last attempt to save found that another window had saved. */
    hadConflict,
    isSaving: isPending,
    save: () => {
      setHadConflict(false);
      mutate({ id: view.id, recipe, basedOn: stored.version });
    },
  };
}
