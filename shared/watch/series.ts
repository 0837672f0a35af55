import type { OperatorSeries } from '#contract';
import type { MinuteRow } from '#shared/data/operator/minutes.ts';
import { type Histogram, percentile, totalOf } from '#shared/platform/histogram.ts';

/** What a chart shows: for how long, and one point for each step, in ms. */
export interface SeriesRange {
  rangeMs: number;
  stepMs: number;
}

/**
 * Makes the points of the operators' charts. A point stands for one step: the largest figure of its minutes, sums of what
 * was counted, and percentiles of all durations of the step. Where nothing is known, it is null.
 * @param minutes in order
 * @param now the end of the last step
 */
export function seriesOf(
  minutes: readonly MinuteRow[],
  { rangeMs, stepMs }: SeriesRange,
  now: Date,
): OperatorSeries {
  const last = Math.floor(now.getTime() / stepMs);
  const first = last - rangeMs / stepMs + 1;
  const steps: MinuteRow[][] = Array.from({ length: last - first + 1 }, () => []);
  for (const minute of minutes) steps[Math.floor(minute.at.getTime() / stepMs) - first]?.push(minute);
  const largest = (pick: (minute: MinuteRow) => number | null) =>
    steps.map((step) => {
      const figures = step.map(pick).filter((figure) => figure !== null);
      return figures.length === 0 ? null : Math.max(...figures);
    });
  const durations = steps.map((step) => durationsOf(step));
  const seconds = (fraction: number) =>
    durations.map((histogram) =>
      totalOf(histogram) === 0 ? null : Math.round(percentile(histogram, fraction) / 100) / 10,
    );
  const sums = (sumOf: (step: MinuteRow[]) => number) =>
    steps.map((step) => (step.length === 0 ? null : sumOf(step)));
  /** Of the step that is not over only its whole minutes count, which would seem to have few images otherwise. */
  const finished = now.getTime() - (now.getTime() % 60_000);
  const perMinute = (step: readonly MinuteRow[], index: number) => {
    const wholeMs = Math.min(stepMs, finished - (first + index) * stepMs);
    if (step.length === 0 || wholeMs === 0) return null;
    const images = step.reduce((sum, { at, images }) => sum + (at.getTime() < finished ? images : 0), 0);
    return Math.round((images / (wholeMs / 60_000)) * 100) / 100;
  };
  return {
    times: steps.map((_, index) => ((first + index) * stepMs) / 1_000),
    waiting: largest(({ waiting }) => waiting),
    running: largest(({ running }) => running),
    delayed: largest(({ delayed }) => delayed),
    failedJobs: largest(({ failed_jobs: failed }) => failed),
    oldestWaiting: largest(({ oldest_waiting: oldest }) => oldest),
    sockets: largest(({ sockets }) => sockets),
    workers: largest(({ workers }) => workers),
    imagesPerMinute: steps.map(perMinute),
    failures: sums((step) => Object.values(failuresOf(step)).reduce((sum, count) => sum + count, 0)),
    latencyP50: seconds(0.5),
    latencyP95: seconds(0.95),
  };
}

/** How long images took in some minutes. A week has ten thousand, so it makes no histogram for each. */
export function durationsOf(minutes: readonly MinuteRow[]): Histogram {
  const sum = new Map<number, number>();
  for (const { durations = {} } of minutes) {
    for (const bucket of Object.keys(durations)) {
      sum.set(Number(bucket), (sum.get(Number(bucket)) ?? 0) + durations[bucket]!);
    }
  }
  return sum;
}

/** Failures in some minutes, by cause. */
export function failuresOf(minutes: readonly MinuteRow[]): NonNullable<MinuteRow['failures']> {
  const sum: NonNullable<MinuteRow['failures']> = {};
  for (const { failures = {} } of minutes) {
    for (const [cause, count] of Object.entries(failures)) {
      const code = cause as keyof typeof failures;
      sum[code] = (sum[code] ?? 0) + count;
    }
  }
  return sum;
}
