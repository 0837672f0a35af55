import type { SubscriptionView } from '#contract';
import { freeImagesLeft, hasFreeImages, usedFreeImages } from './free-images.ts';
import { countImages, packImagesLeft } from './packs.ts';

/**
 * The images left in a few words: `83 of 100 left`, `3 of 3 free images left`, `12 this month + 20 from packs`, or why there
 * are none.
 */
export function balanceText(subscription: SubscriptionView): string {
  const packs = packImagesLeft(subscription);
  const before = packs > 0 ? usedBeforePacks(subscription) : null;
  if (before !== null)
    return before === '' ? `${countImages(packs)} from packs` : `${before} + ${packs} from packs`;
  return ownBalanceText(subscription);
}

/** The same for phones: the sum where there are several parts, `32 images left`. */
export function shortBalanceText(subscription: SubscriptionView): string {
  const packs = packImagesLeft(subscription);
  if (packs === 0 || usedBeforePacks(subscription) === null) return balanceText(subscription);
  const { canGenerate, generationsLeft, freeImages } = subscription;
  return `${countImages(packs + freeImages.left + (canGenerate ? (generationsLeft ?? 0) : 0))} left`;
}

/** The same without packs. */
export function ownBalanceText(subscription: SubscriptionView): string {
  const { canGenerate, unlimited, isActive } = subscription;
  if (canGenerate) return unlimited ? 'Unlimited images' : planImagesLeft(subscription);
  if (hasFreeImages(subscription) || usedFreeImages(subscription) !== null) {
    return freeImagesLeft(subscription);
  }
  return isActive ? 'Payment refunded or disputed' : 'No active subscription';
}

/** What is used before images of packs: `12 this month`, `2 free`; empty for nothing, null if they are not needed. */
function usedBeforePacks({
  canGenerate,
  unlimited,
  generationsLeft,
  freeImages,
}: SubscriptionView): string | null {
  if (canGenerate) return unlimited ? null : `${generationsLeft ?? 0} this month`;
  return freeImages.left > 0 ? `${freeImages.left} free` : '';
}

/** `83 of 100 left`. */
function planImagesLeft({ generationsLeft, totalGenerations }: SubscriptionView): string {
  const left = generationsLeft ?? 0;
  return `${left} of ${Math.max(totalGenerations ?? 0, left)} left`;
}
