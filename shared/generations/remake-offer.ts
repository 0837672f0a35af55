import type { ShownGeneration } from '#shared/data/generations/shown-fields.ts';

/**
 * Whether a generation can be made again at no charge: its image hardly matches the product, it was not made again yet,
 * and it is none that was.
 */
export function remakeOffer(row: ShownGeneration): 'offered' | 'used' | null {
  const { state, match, options, photo_set: photoSet, remake_of: remakeOf, remade_by: remadeBy } = row;
  if (remadeBy !== undefined) return 'used';
  const offered = state === 'succeeded' && match?.level === 'low' && remakeOf === undefined;
  // Rows from before options and sets do not say how they were made.
  return offered && options !== undefined && photoSet !== undefined ? 'offered' : null;
}
