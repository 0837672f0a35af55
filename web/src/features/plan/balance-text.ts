import type { SubscriptionView } from '#contract';
import { countText } from '#web/lib/count-text.ts';
import { freeImagesLeft, hasFreeImages, usedFreeImages } from './free-images.ts';
import { imagesLeft } from './images-left.ts';
import { packImagesLeft } from './packs.ts';

/**
 * The images left in a few words: `83 of 100 left`, `3 of 3 free images left`, `12 this month + 20 from packs`, or why there
 * are none.
 */
export function balanceText(subscription: SubscriptionView): string {
  const packs = packImagesLeft(subscription);
  const before = packs > 0 ? usedBeforePacks(subscription) : null;
  if (before !== null)
    return before === '' ? `${countText(packs, 'image')} from packs` : `${before} + ${packs} from packs`;
  return ownBalanceText(subscription);
}

/** The same for phones: the sum where there are several parts, `32 images left`. */
export function shortBalanceText(subscription: SubscriptionView): string {
  const left = imagesLeft(subscription);
  if (left === null || packImagesLeft(subscription) === 0) return balanceText(subscription);
  return `${countText(left, 'image')} left`;
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
