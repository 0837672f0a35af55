import type { GenerationView } from '#contract';
import type { Measurement } from './measure.ts';

export type MatchLevel = NonNullable<GenerationView['match']>['level'];

/** Features without which a product is too plain to be found by them. */
const leastFeatures = 150;
/** Cells with another texture from which the label or the shape counts as changed: of the same product, none or one. */
const differingCells = 2;
/** Differences of colour (compare.ts). A warmer or cooler light on the same product makes up to 8, a strongly tinted one 14. */
const [otherLight, otherColour] = [12, 12.5];

/** How sure it is that an image shows the product of a photo (docs/product-match.md has what it was measured with). */
export function judge({ features, found }: Measurement): MatchLevel {
  if (!found) return features < leastFeatures ? 'medium' : 'low';
  if (found.differing >= differingCells || found.colourDifference > otherColour) return 'low';
  return found.differing > 0 || found.colourDifference > otherLight ? 'medium' : 'high';
}
