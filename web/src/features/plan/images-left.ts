import type { SubscriptionView } from '#contract';
import { packImagesLeft } from './packs.ts';

/** Images that a seller can still make; null without a limit. */
export function imagesLeft(subscription: SubscriptionView): number | null {
  const { canGenerate, unlimited, generationsLeft, freeImages } = subscription;
  if (canGenerate && unlimited) return null;
  return (canGenerate ? (generationsLeft ?? 0) : 0) + freeImages.left + packImagesLeft(subscription);
}
