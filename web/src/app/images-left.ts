import type { SubscriptionView } from '#contract';

/** Images that a seller can still make; null without a limit. */
export function imagesLeft({
  canGenerate,
  unlimited,
  generationsLeft,
  freeImages,
}: SubscriptionView): number | null {
  if (canGenerate && unlimited) return null;
  return (canGenerate ? (generationsLeft ?? 0) : 0) + freeImages.left;
}
