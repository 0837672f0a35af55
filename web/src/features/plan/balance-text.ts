import type { SubscriptionView } from '#contract';
import { freeImagesLeft, hasFreeImages, usedFreeImages } from './free-images.ts';

/** The images left in a few words: `83 of 100 left`, `3 of 3 free images left`, or why there are none. */
export function balanceText(subscription: SubscriptionView): string {
  const { canGenerate, unlimited, isActive } = subscription;
  if (canGenerate) return unlimited ? 'Unlimited images' : planImagesLeft(subscription);
  if (hasFreeImages(subscription) || usedFreeImages(subscription) !== null) {
    return freeImagesLeft(subscription);
  }
  return isActive ? 'Payment refunded or disputed' : 'No active subscription';
}

/** `83 of 100 left`. */
function planImagesLeft({ generationsLeft, totalGenerations }: SubscriptionView): string {
  const left = generationsLeft ?? 0;
  return `${left} of ${Math.max(totalGenerations ?? 0, left)} left`;
}
