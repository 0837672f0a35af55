import { expect, test, vi } from 'vitest';
import { limitMs } from '#tests/support/machine.ts';
import { createStoreRead } from './store-read.ts';

const everyMs = 3_600_000;
const patient = { everyMs, deadlineMs: limitMs(60_000) };

test('reads that come together or soon after each other ask the store once', async () => {
  const read = vi.fn(async () => 7);
  const figure = createStoreRead(read, () => {}, patient);
  expect(await Promise.all([figure(), figure()])).toEqual([7, 7]);
  expect(await figure()).toBe(7);
  expect(read).toHaveBeenCalledTimes(1);
});

test('a store that fails gives no value, is reported, and is not asked again at once', async () => {
  const read = vi.fn(async () => Promise.reject(new Error('away')));
  const report = vi.fn();
  const figure = createStoreRead(read, report, patient);
  expect(await figure()).toBeUndefined();
  expect(await figure()).toBeUndefined();
  expect(report).toHaveBeenCalledTimes(1);
  expect(read).toHaveBeenCalledTimes(1);
});

test('a store that hangs holds no scrape longer than the deadline, and is not asked again meanwhile', async () => {
  const answer = Promise.withResolvers<number>();
  const read = vi.fn(() => answer.promise);
  const figure = createStoreRead(read, () => {}, { everyMs, deadlineMs: limitMs(5) });
  expect(await figure()).toBeUndefined();
  expect(await figure()).toBeUndefined();
  expect(read).toHaveBeenCalledTimes(1);
  answer.resolve(3);
  await answer.promise;
  expect(await figure()).toBe(3);
});
