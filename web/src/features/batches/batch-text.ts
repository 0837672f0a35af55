import type { BatchSummary } from '#contract';

/** A number of things in words: `1 image`, `2 images`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? `1 ${one}` : `${count.toLocaleString('en')} ${many}`;
}

/**
 * What a batch uses of the balance, as it is asked before it is made.
 * @param left images that the seller has; null without a limit
 */
export function balanceText(images: number, left: number | null): string {
  const make = `Make ${countText(images, 'image')}`;
  return left === null
    ? make
    : `${make}: ${images.toLocaleString('en')} of your ${left.toLocaleString('en')} left`;
}

/** What is missing for a batch; null if the balance is enough. @param left as in {@link balanceText} */
export function shortfallText(images: number, left: number | null): string | null {
  if (left === null || images <= left) return null;
  const missing = countText(images - left, 'image');
  return `This batch needs ${countText(images, 'image')}, and you have ${left.toLocaleString('en')} left: ${missing} too few. Remove rows or takes, or upgrade your plan.`;
}

/** What a batch is doing, in a few words. */
export function stateText({ state, cancelled, counts }: BatchSummary): string {
  if (state === 'uploading') return 'Photos are missing';
  if (state === 'paused') return counts.underWay > 0 ? 'Pausing' : 'Paused';
  if (state === 'running') return cancelled ? 'Stopping' : 'In progress';
  return cancelled ? 'Cancelled' : 'Finished';
}

/** How many images of a batch are done, failed, cancelled and waiting; those there are none of are left out. */
export function countsText({
  images,
  succeeded,
  failed,
  cancelled,
  waiting,
  underWay,
}: BatchSummary['counts']): string {
  const parts = [
    `${succeeded.toLocaleString('en')} of ${countText(images, 'image')} done`,
    failed > 0 && `${failed.toLocaleString('en')} failed`,
    cancelled > 0 && `${cancelled.toLocaleString('en')} cancelled`,
    underWay > 0 && `${underWay.toLocaleString('en')} in progress`,
    waiting > 0 && `${waiting.toLocaleString('en')} waiting`,
  ];
  return parts.filter(Boolean).join(' · ');
}
