/*
 * The order of the queue (docs/decisions/0073-fair-order.md). Jobs with a smaller priority go first. Single images go before
 * images of batches; each of these two lanes has a band of priorities for plans that go first, and one for all others.
 */

/** Images that sellers submit by themselves, or images of batches. */
export type Lane = 'single' | 'batch';
export const lanes: readonly Lane[] = ['single', 'batch'];

/** Whether a seller's plan goes first, or waits with all others. */
export type Band = 'first' | 'standard';
export const bands: readonly Band[] = ['first', 'standard'];

/** Claims of images in the band `first`, after which the next image in the band `standard` is promoted. */
export const claimsPerPromotion = 4;

const laneWidth = 1_000_000;
const bandWidth = laneWidth / 2;

/** The smallest priority of images of batches; every single image has a smaller one. */
export const firstBatchPriority = laneWidth + 1;

/** The number of generations in progress that still makes a seller's next one wait longer. */
const mostInProgress = 10_000;

/**
 * From this turn on upkeep subtracts it from the turns of a band, so that they never reach the end of the band. No turn of a
 * waiting generation is further behind the round of its band than half of it, unless it is from before a subtraction.
 */
export const turnsPerRebase = bandWidth / 2;

/** The first and the last priority of a band. BullMQ takes priorities up to 2,097,151. */
export function rangeOf(lane: Lane, band: Band): { first: number; last: number } {
  const start = lane === 'single' ? 0 : laneWidth;
  // The first priority of a lane is that of promoted jobs.
  return band === 'first'
    ? { first: start + 2, last: start + bandWidth }
    : { first: start + bandWidth + 1, last: start + laneWidth };
}

/** The lane of a generation, by its priority. */
export function laneOf(priority: number): Lane {
  return priority < firstBatchPriority ? 'single' : 'batch';
}

/** The priority of jobs that go before all others of a lane: promoted ones, and those that were handed back. */
export function promotedPriority(lane: Lane): number {
  return lane === 'single' ? 1 : firstBatchPriority;
}

/** The band and the turn of a generation, by its priority; null when it was promoted. */
export function turnOf(priority: number): { band: Band; turn: number } | null {
  const lane = laneOf(priority);
  for (const band of bands) {
    const { first, last } = rangeOf(lane, band);
    if (priority >= first && priority <= last) return { band, turn: priority - first };
  }
  return null;
}

/**
 * The priority of a seller's next generation. Its turn is after the round of its band by one, and by one more for each
 * generation that the seller has in progress. So sellers take turns: one with many images does not hold up one with few, and
 * waits for no more than one image of each newcomer.
 * @param round the turn that was claimed last
 * @param inProgress the seller's other generations in the lane that are queued or running
 * @returns BullMQ's priority
 */
export function queuePriority(lane: Lane, band: Band, round: number, inProgress: number): number {
  const { first, last } = rangeOf(lane, band);
  return Math.min(last, first + round + 1 + Math.min(inProgress, mostInProgress));
}

/** How many generations of a lane wait, by how they are taken. */
export interface WaitingInLane {
  promoted: number;
  first: number;
  standard: number;
}

/**
 * How many generations of a lane are taken before one of them: after each {@link claimsPerPromotion} claims of the band
 * `first`, one of the band `standard` is taken.
 * @param waiting of the lane
 * @param passed claims of the band `first` since the last one of the band `standard`
 * @param own its band, null when it was promoted; and how many of the same kind go before it
 */
export function takenBefore(
  waiting: WaitingInLane,
  passed: number,
  own: { band: Band | null; index: number },
): number {
  const { promoted, first, standard } = waiting;
  const { band, index } = own;
  if (band === null) return index;
  const others =
    band === 'first'
      ? Math.min(standard, Math.floor((index + passed) / claimsPerPromotion))
      : Math.min(first, Math.max(0, (index + 1) * claimsPerPromotion - passed));
  return promoted + index + others;
}
