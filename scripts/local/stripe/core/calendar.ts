/** Billing dates: whole months from an anchor; where a month is too short, its last day. All times are UTC. */
import type Stripe from 'stripe';

const daySeconds = 86_400;

/**
 * `count` months after a time in Unix seconds. The 31st becomes the 30th or 28th, never the 1st of the month after.
 */
export function addMonths(time: number, count: number): number {
  const from = new Date(time * 1000);
  const month = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + count, 1));
  const lastDay = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 0)).getUTCDate();
  month.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return month.getTime() / 1000 + (((time % daySeconds) + daySeconds) % daySeconds);
}

/** `count` billing intervals after the anchor. */
export function addIntervals(
  anchor: number,
  recurring: Pick<Stripe.Price.Recurring, 'interval' | 'interval_count'>,
  count: number,
): number {
  const times = recurring.interval_count * count;
  switch (recurring.interval) {
    case 'year':
      return addMonths(anchor, 12 * times);
    case 'month':
      return addMonths(anchor, times);
    case 'week':
      return anchor + 7 * daySeconds * times;
    default:
      return anchor + daySeconds * times;
  }
}

/** The first period boundary after `time`. */
export function nextBoundary(anchor: number, recurring: Stripe.Price.Recurring, time: number): number {
  // A month has at most 31 days, so after this many intervals the boundary cannot have been passed.
  const longest = { year: 366, month: 31, week: 7, day: 1 }[recurring.interval as string] ?? 1;
  const passed = Math.floor((time - anchor) / (longest * recurring.interval_count * daySeconds));
  let count = Math.max(1, passed);
  while (addIntervals(anchor, recurring, count) <= time) count += 1;
  return addIntervals(anchor, recurring, count);
}
