import type { GenerationRow } from '#shared/data/generations/schema.ts';

/** Whether a generation uses what its hold reserves: it succeeded, or was stopped while a preview was visible. */
export function usesHold({ state, charged }: Pick<GenerationRow, 'state' | 'charged'>): boolean {
  return state === 'succeeded' || (state === 'cancelled' && charged === true);
}

/** Whether a generation uses an image of the plan or a free one: one that was made again at no charge does not. */
export function usesImage(row: Pick<GenerationRow, 'state' | 'charged' | 'remake_of'>): boolean {
  return usesHold(row) && row.remake_of === undefined;
}
