import { expect, test } from 'vitest';
import { createReplyMeter } from './reply-deadline.ts';

const deadlines = { replyMs: 100_000, replyBytesPerSecond: 20_000 };

/** When a reply is ended that is checked every ten seconds, in s; undefined if it is not in three hours. */
function endOf(reader: (second: number) => { bytes: number; waits: boolean }): number | undefined {
  const meter = createReplyMeter(deadlines);
  let taken = 1_000_000;
  for (let second = 0; second < 10_000; second += 10) {
    const { bytes, waits } = reader(second);
    taken += bytes;
    if (meter.isOverdue(second * 1_000, taken, waits)) return second;
  }
  return undefined;
}

test('a reply that nobody reads is ended, also one that was read fast before', () => {
  expect(endOf(() => ({ bytes: 0, waits: true }))).toBe(100);
  expect(endOf((second) => ({ bytes: second < 500 ? 50_000_000 : 0, waits: true }))).toBe(590);
});

test('a reply that is read slowly is not ended, one that is read a few bytes at a time is', () => {
  expect(endOf(() => ({ bytes: 200_001, waits: true }))).toBeUndefined();
  expect(endOf((second) => ({ bytes: second % 90 === 0 ? 1_900_000 : 0, waits: true }))).toBeUndefined();
  // Half of the rate.
  expect(endOf(() => ({ bytes: 100_000, waits: true }))).toBe(200);
  expect(endOf(() => ({ bytes: 100, waits: true }))).toBe(110);
});

test('a reply that this server takes long to make is not ended', () => {
  expect(endOf(() => ({ bytes: 0, waits: false }))).toBeUndefined();
  expect(endOf((second) => ({ bytes: 10, waits: second % 50 === 0 }))).toBeUndefined();
});
