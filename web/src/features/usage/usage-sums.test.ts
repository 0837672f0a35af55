import { expect, test } from 'vitest';
import { v1UsageDays, v1UsageQuerySchema } from '#contract';
import { barsOf, daysOf, imagesOf, periods, sumsBy, topOf } from './usage-sums.ts';

const line = (date: string, images: number, keyId: string | null = null, projectId = 'p') => ({
  date,
  projectId,
  keyId,
  images,
});

test('each period ends today and can be asked for, also on the last day of a leap year', () => {
  for (const now of ['2026-11-29T23:59:59.999Z', '2028-12-31T00:00:00Z', '2026-03-31T12:00:00Z']) {
    for (const period of Object.keys(periods) as (keyof typeof periods)[]) {
      const days = daysOf(period, Date.parse(now));
      expect(days.to).toBe(now.slice(0, 10));
      expect(v1UsageQuerySchema.parse(days)).toEqual(days);
    }
  }
  expect(daysOf('7 days', Date.parse('2026-11-29T10:00:00Z')).from).toBe('2026-11-23');
  expect(daysOf('12 months', Date.parse('2028-12-31T10:00:00Z'))).toEqual({
    from: '2028-01-01',
    to: '2028-12-31',
  });
  expect(v1UsageDays).toBe(366);
});

test('bars have every day and month once, and all images', () => {
  const lines = [line('2026-02-28', 2, 'k'), line('2026-02-28', 3), line('2026-03-02', 1)];
  expect(barsOf({ from: '2026-02-27', to: '2026-03-02', lines }, 'day')).toEqual([
    { date: '2026-02-27', images: 0 },
    { date: '2026-02-28', images: 5 },
    { date: '2026-03-01', images: 0 },
    { date: '2026-03-02', images: 1 },
  ]);
  const months = barsOf({ from: '2025-12-01', to: '2026-03-02', lines }, 'month');
  expect(months.map(({ date, images }) => `${date} ${images}`)).toEqual([
    '2025-12-01 0',
    '2026-01-01 0',
    '2026-02-01 5',
    '2026-03-01 1',
  ]);
  expect(imagesOf(lines)).toBe(6);
  expect(sumsBy(lines, ({ keyId }) => keyId)).toEqual([
    { of: null, images: 4 },
    { of: 'k', images: 2 },
  ]);
});

test('the top of the chart is a round number that is no smaller than the largest bar', () => {
  for (const [most, top] of [
    [0, 1],
    [1, 1],
    [3, 3],
    [9, 10],
    [2, 2],
    [11, 12],
    [41, 50],
    [999, 1_000],
    [100_000, 100_000],
  ] as const)
    expect(topOf(most)).toBe(top);
});
