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
export function momentsOf(histogram: Histogram): { mean: number; deviation: number } {
  const total = totalOf(histogram);
  const middles = [...histogram].map(([bucket, count]) => {
    return [(beginOf(bucket) + beginOf(bucket + 1)) / 2, count / total] as const;
  });
  const mean = middles.reduce((sum, [ms, share]) => sum + ms * share, 0);
  const variance = middles.reduce((sum, [ms, share]) => sum + (ms - mean) ** 2 * share, 0);
  return { mean, deviation: Math.sqrt(variance) };
}
