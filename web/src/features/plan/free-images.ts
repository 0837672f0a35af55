import { neverPaidStatuses, type SubscriptionView } from '#contract';
import { countText } from '#web/lib/count-text.ts';

/** `3 free images`, or `1 free image`. */
export function countFreeImages(count: number): string {
  return countText(count, 'free image');
}

/** Whether free images can still be used: some are available, or may be again because they are on hold. */
export function hasFreeImages({ freeImages }: SubscriptionView): boolean {
  return freeImages.left + freeImages.held > 0;
}

/** `3 of 3 free images left`. */
export function freeImagesLeft({ freeImages }: SubscriptionView): string {
  return `${freeImages.left} of ${countFreeImages(freeImages.granted)} left`;
}

/** What became of the free images of a seller who has none left and never paid for a plan; null for any other seller. */
export function usedFreeImages({ freeImages, status }: SubscriptionView): string | null {
  const { granted, left, held } = freeImages;
  if (granted === 0 || left > 0 || !neverPaidStatuses.includes(status)) return null;
  if (held > 0) return 'The last of your free images are being created';
  return `You've used your ${granted === 1 ? 'free image' : countFreeImages(granted)}`;
}
