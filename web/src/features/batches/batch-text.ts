import type { BatchSummary } from '#contract';
import { countText } from '#web/lib/count-text.ts';

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

/**
 * What the daily limit means for a batch that is not started: how many images fit today, and what becomes of the others. Null
 * if all fit. @param left images that the limit allows today; null without one
 */
export function dailyText(images: number, left: number | null): string | null {
  if (left === null || images <= left) return null;
  const rest = left === 0 ? 'They begin' : `The other ${(images - left).toLocaleString('en')} begin`;
  const today =
    left === 0
      ? 'Your daily limit is reached, so none of these images is made today.'
      : `Your daily limit allows ${left.toLocaleString('en')} of these ${countText(images, 'image')} today.`;
  return `${today} ${rest} by themselves on the following days, from 00:00 UTC.`;
}

/** What a batch is doing, in a few words. */
export function stateText({ state, cancelled, counts, waitsUntil }: BatchSummary): string {
  if (state === 'uploading') return 'Photos are missing';
  if (state === 'paused') return counts.underWay > 0 ? 'Pausing' : 'Paused';
  if (waitsUntil && counts.underWay === 0) return 'Waiting for the next day';
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
