/** Billing dates: whole months from an anchor; where a month is too short, its last day. All times are UTC. */

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

/** The first boundary after `time` of monthly periods that begin at `anchor`. */
export function nextBoundary(anchor: number, time: number): number {
  // A month has at most 31 days, so after this many months the boundary cannot have been passed.
  let count = Math.max(1, Math.floor((time - anchor) / (31 * daySeconds)));
  while (addMonths(anchor, count) <= time) count += 1;
  return addMonths(anchor, count);
}
