/** When an image is expected: from measured durations, the slots of the workers and the place in the queue. */
import { expect } from 'vitest';
import { bucketOf } from '#shared/platform/histogram.ts';
import { eventually } from '#tests/support/harness.ts';
import { testWithSeller } from '#tests/support/test.ts';

const test = testWithSeller({ workers: 0 });

/** What images took so far, in ms: so long that it does not matter how long the test takes. */
const usualMs = 600_000;

test('an image that is made and one that waits have a range, and a finished one is counted', async ({
  stack,
  seller,
  window,
}) => {
  const { models } = stack;
  const { model } = stack.config.image;
  const kind = { model, size: '1024x1024', quality: 'high' as const };
  // Nine images of an earlier hour.
  await models.durations.create({
    _id: 'measured',
    ...kind,
    hour: new Date(Date.now() - 3_600_000),
    counts: { [bucketOf(usualMs)]: 9 },
  });
  await stack.images.set({ default: { kind: 'hold' } });
  const worker = await stack.startWorker({ WORKER_CONCURRENCY: '1' });
  await expect.poll(() => models.workerSlots.countDocuments({ slots: 1 }), eventually).toBe(1);

  const made = await seller.submit();
  const running = await window.until(
    made.id,
    ({ state, progress }) => state === 'running' && progress !== null,
  );
  const began = Date.parse(running.startedAt!);
  const expected = [Date.parse(running.timeLeft!.from) - began, Date.parse(running.timeLeft!.to) - began];
  for (const ms of expected) expect(Math.abs(ms / usualMs - 1)).toBeLessThan(0.1);
  expect(expected[0]!).toBeLessThan(expected[1]!);

  // The next one also waits for the first one.
  const waiting = await seller.submit();
  expect(waiting.position).toBe(1);
  const left = Date.parse(waiting.timeLeft!.to) - Date.now();
  expect(left).toBeGreaterThan(1.3 * usualMs);
  expect(left).toBeLessThan(3 * usualMs);

  await stack.images.set({ default: { kind: 'ok' } });
  await stack.images.release();
  for (const { id } of [made, waiting]) expect(await window.untilEnded(id)).toMatchObject({ timeLeft: null });
  const counted = async () => {
    const rows = await models.durations.find({ _id: { $ne: 'measured' } }).lean();
    expect(
      rows.every(({ model, size, quality }) => [model, size, quality].join() === Object.values(kind).join()),
    ).toBe(true);
    return rows.flatMap(({ counts }) => Object.values(counts)).reduce((sum, count) => sum + count, 0);
  };
  await expect.poll(counted, eventually).toBe(2);
  await worker.close();
  expect(await models.workerSlots.countDocuments()).toBe(0);
});
