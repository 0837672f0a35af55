import { expect, test } from 'vitest';
import type { MinuteRow } from '#shared/data/operator/minutes.ts';
import { bucketOf } from '#shared/platform/histogram.ts';
import { sampleMinute } from '#tests/support/sample-rows.ts';
import { seriesOf } from './series.ts';

const now = new Date('2026-11-24T00:29:30Z');

const minute = (time: string, changed: Partial<MinuteRow>) =>
  sampleMinute({ _id: time, at: new Date(`2026-11-24T00:${time}:00Z`), sampled_at: now, ...changed });

test('a point has the largest figure, the sums and the percentiles of its minutes; null where nothing is known', () => {
  const series = seriesOf(
    [
      minute('15', { waiting: 3, images: 4, durations: { [bucketOf(10_000)]: 4 } }),
      minute('19', { waiting: 7, images: 6, failures: { TIMED_OUT: 1, PROVIDER_ERROR: 2 } }),
      minute('25', { waiting: null, workers: 2 }),
    ],
    { rangeMs: 900_000, stepMs: 300_000 },
    now,
  );
  expect(series.times).toEqual(
    ['15', '20', '25'].map((time) => Date.parse(`2026-11-24T00:${time}:00Z`) / 1_000),
  );
  expect(series.waiting).toEqual([7, null, null]);
  expect(series.workers).toEqual([1, null, 2]);
  expect(series.imagesPerMinute).toEqual([2, null, 0]);
  expect(series.failures).toEqual([3, null, 0]);
  expect(series.latencyP50).toEqual([expect.closeTo(10, 0), null, null]);
  expect(series.latencyP95[0]).toBeGreaterThanOrEqual(series.latencyP50[0]!);
});

test('images a minute of the step that is not over are those of its whole minutes', () => {
  const minutes = [minute('24', { images: 5 }), minute('25', { images: 6 }), minute('28', { images: 2 })];
  const range = { rangeMs: 600_000, stepMs: 300_000 };
  expect(seriesOf([...minutes, minute('29', { images: 1 })], range, now).imagesPerMinute).toEqual([1, 2]);
  const each = seriesOf(
    [minute('28', { images: 2 }), minute('29', { images: 1 })],
    { rangeMs: 120_000, stepMs: 60_000 },
    now,
  );
  expect(each.imagesPerMinute).toEqual([2, null]);
});
