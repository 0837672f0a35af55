/** Chooses which of several views of a product is used. */
import type { Cutout } from '../cutout/cutout.ts';

/**
 * Chooses the clearest view: complete, cut out with confidence, large in its photo and sharp. The first photo wins
 * unless another one is clearly better, because sellers upload the main view first.
 */
export function chooseClearest(cutouts: Cutout[]): Cutout {
  const sharpest = Math.max(...cutouts.map(({ sharpness }) => sharpness), 1e-6);
  const clarity = ({ pixels, touches, confidence, sharpness, photoSide }: Cutout): number => {
    const size = Math.min(1, Math.max(pixels.width, pixels.height) / photoSide / 0.55);
    const isWhole = !Object.values(touches).includes(true);
    return confidence + 0.3 * (sharpness / sharpest) + 0.3 * size + (isWhole ? 0.5 : 0);
  };
  let best = cutouts[0]!;
  for (const cutout of cutouts.slice(1)) if (clarity(cutout) > clarity(best) + 0.08) best = cutout;
  return best;
}
