import type { ShownGeneration } from '#shared/data/generations/shown-fields.ts';

/**
 * Whether a generation can be made again at no charge: its image hardly matches the product, it was not made again yet,
 * and is not itself a re-make.
 */
export function remakeOffer(row: ShownGeneration): 'offered' | 'used' | null {
  const { state, match, remake_of: remakeOf, remade_by: remadeBy } = row;
  if (remadeBy !== undefined) return 'used';
  const offered = state === 'succeeded' && match?.level === 'low' && remakeOf === undefined;
  return offered ? 'offered' : null;
}
