import { expect, test } from 'vitest';
import { identityRecipe } from '#contract';
import { changeHistory, type RecipeAction, startHistory } from './recipe-history.ts';

const after = (...actions: RecipeAction[]) => actions.reduce(changeHistory, startHistory(identityRecipe));
const warmth = (value: number, control = 'warmth'): RecipeAction => ({
  kind: 'change',
  change: { warmth: value },
  control,
});

test('the movements of a slider are one step', () => {
  const moved = after(warmth(1), warmth(5), { kind: 'end' }, warmth(9));
  expect(moved.recipe.warmth).toBe(9);
  expect(moved.past.map((recipe) => recipe.warmth)).toEqual([0, 5]);
});

test('undo and redo go back and forth, and a change ends redo', () => {
  const turned: RecipeAction = { kind: 'change', change: { rotate: 90 } };
  const undone = after(warmth(5), turned, { kind: 'undo' });
  expect(undone.recipe).toEqual({ ...identityRecipe, warmth: 5 });
  expect(changeHistory(undone, { kind: 'redo' }).recipe).toEqual({
    ...identityRecipe,
    warmth: 5,
    rotate: 90,
  });
  expect(changeHistory(undone, turned).future).toEqual([]);
  expect(after({ kind: 'undo' }).recipe).toEqual(identityRecipe);
});

test('a reset can be undone', () => {
  const reset = after(warmth(5), { kind: 'reset' });
  expect(reset.recipe).toEqual(identityRecipe);
  expect(changeHistory(reset, { kind: 'undo' }).recipe.warmth).toBe(5);
});
