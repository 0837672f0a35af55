/*
 * How long images take, from measured durations (docs/decisions/0060-time-left-is-a-range-that-holds.md). All times are in ms.
 */

/** How many durations were measured, by bucket. Buckets are 10 % wide, the first one begins at 0.1 s. */
export type Histogram = ReadonlyMap<number, number>;

const [firstMs, factor, lastBucket] = [100, 1.1, 110];

/** The bucket of a duration: 0 for everything below 0.1 s, the last one for everything above an hour. */
export function bucketOf(ms: number): number {
  if (ms < firstMs) return 0;
  return Math.min(lastBucket, 1 + Math.floor(Math.log(ms / firstMs) / Math.log(factor)));
}

/** Where a bucket begins. */
const beginOf = (bucket: number) => (bucket === 0 ? 0 : firstMs * factor ** (bucket - 1));

/** Adds up histograms. */
export function merge(histograms: Iterable<Histogram>): Histogram {
  const sum = new Map<number, number>();
  for (const histogram of histograms) {
    for (const [bucket, count] of histogram) sum.set(bucket, (sum.get(bucket) ?? 0) + count);
  }
  return sum;
}

/** How many durations a histogram has. */
export function totalOf(histogram: Histogram): number {
  return histogram.values().reduce((sum, count) => sum + count, 0);
}

/** The duration that a fraction of those measured do not exceed, interpolated within its bucket. */
export function percentile(histogram: Histogram, fraction: number): number {
  const wanted = fraction * totalOf(histogram);
  let passed = 0;
  let end = 0;
  for (const [bucket, count] of [...histogram].toSorted(([one], [other]) => one - other)) {
    const begin = beginOf(bucket);
    end = beginOf(bucket + 1);
    if (passed + count >= wanted)
      return begin + (end - begin) * (count === 0 ? 0 : (wanted - passed) / count);
    passed += count;
  }
  return end;
}

/** Mean and standard deviation, each bucket counted at its middle. */
function momentsOf(histogram: Histogram): { mean: number; deviation: number } {
  const total = totalOf(histogram);
  const middles = [...histogram].map(([bucket, count]) => {
    return [(beginOf(bucket) + beginOf(bucket + 1)) / 2, count / total] as const;
  });
  const mean = middles.reduce((sum, [ms, share]) => sum + ms * share, 0);
  const variance = middles.reduce((sum, [ms, share]) => sum + (ms - mean) ** 2 * share, 0);
  return { mean, deviation: Math.sqrt(variance) };
}

/** From when to when something takes. */
export interface TimeRange {
  from: number;
  to: number;
}

/** The ends of a range: of those measured, this fraction was faster than the first, and slower than the second. */
const outside = 0.05;
/** The same as a multiple of the standard deviation, for sums of many durations. */
const deviations = 1.65;

/** How long an image takes once it has begun. */
export function ownRange(own: Histogram): TimeRange {
  return { from: percentile(own, outside), to: percentile(own, 1 - outside) };
}

/**
 * How long until an image that waits is finished: it begins when so many others have ended.
 * @param own durations of images like it
 * @param queue recent durations of all images: what adds up must not be from another time of the day
 * @param ahead how many must end before it begins: those before it, less the free slots, and itself; 0 if a slot is free
 * @param slots images that are made at the same time
 */
export function waitingRange(own: Histogram, queue: Histogram, ahead: number, slots: number): TimeRange {
  const self = ownRange(own);
  if (ahead <= 0) return self;
  const { mean, deviation } = momentsOf(queue);
  const wait = ((ahead - 0.5) * mean) / slots;
  // Durations add up; and it is unknown how far the images in the slots are, which matters less the more slots there are.
  const phase = (0.5 * mean) / Math.sqrt(slots + 2);
  const spread = deviations * Math.hypot((Math.sqrt(ahead) * deviation) / slots, phase);
  const { mean: ownMean, deviation: ownDeviation } = momentsOf(own);
  const early = wait + ownMean - Math.hypot(spread, deviations * ownDeviation);
  const late = wait + ownMean + Math.hypot(spread, self.to - ownMean);
  return { from: Math.max(self.from, early), to: Math.max(self.to, late) };
}

/**
 * How long until many images are finished that have all slots for themselves.
 * @param count those that have not ended
 */
export function rangeOfMany(durations: Histogram, count: number, slots: number): TimeRange {
  const { mean, deviation } = momentsOf(durations);
  const whole = (count * mean) / slots;
  const spread = (deviations * Math.sqrt(count) * deviation) / slots;
  return { from: Math.max(0, whole - spread), to: whole + spread + ownRange(durations).to };
}
