import type { GenerationRow } from '#shared/data/generations/schema.ts';

/** Whether a generation uses an image of the plan: it succeeded, or was stopped while a preview was visible. */
export function usesImage({ state, charged }: Pick<GenerationRow, 'state' | 'charged'>): boolean {
  return state === 'succeeded' || (state === 'cancelled' && charged === true);
}
