import { expect, test, vi } from 'vitest';
import { retryDelayMs, retryDue } from './retry.ts';

test('tries follow after 30 s, then twice as long each time, up to an hour', () => {
  const seconds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 2_000].map((tries) => retryDelayMs(tries) / 1_000);
  expect(seconds).toEqual([30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600]);
});

test('a try is due so much later than now', () => {
  vi.useFakeTimers({ now: new Date('2026-01-01T12:00:00Z') });
  expect(retryDue(2)).toEqual(new Date('2026-01-01T12:01:00Z'));
});
