/** The limit of images in flight of one seller: it holds, holds up nobody else, and all images are made. */
import { expect } from 'vitest';
import { createLog } from '#shared/platform/log.ts';
import { claimsPerPromotion, promotedPriority } from '#shared/platform/priorities.ts';
import { eventually } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import { describedScene } from '#tests/support/provider-calls.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { createSellerLimit } from '#worker/seller-limit.ts';

const limit = 2;
const settings = { SELLER_MAX_IN_FLIGHT: String(limit), WORKER_CONCURRENCY: '4' };
const test = testWithStack({ workers: 0 });
test.beforeEach(async ({ stack }) => {
  await stack.images.reset();
  await stack.images.set({ default: { kind: 'hold' } });
});

const activeScenes = async (stack: TestStack) =>
  (await stack.images.state()).calls.filter(({ outcome }) => outcome === 'active').map(describedScene);
const delayed = (stack: TestStack) => stack.server.context.queue.getDelayedCount();

/** On a fast machine shorter than the delay of a job over the limit: jobs are brought back by the end of others. */
const soon = { timeout: limitMs(8_000), interval: 50 };

test('a seller with many images has two in flight, another one is made at once, and all are made', async ({
  stack,
}) => {
  const [many, one] = await Promise.all([stack.seller(), stack.seller()]);
  for (let request = 0; request < 2; request += 1) await many.submitSet(4, { prompt: 'many' });
  const worker = await stack.startWorker(settings);
  // All that is over the limit has left the queue, and its slots are free.
  await expect.poll(() => delayed(stack), soon).toBe(8 - limit);
  await stack.images.waitFor({ active: limit });
  expect(await activeScenes(stack)).toEqual(['many', 'many']);
  await one.submit({ prompt: 'one' });
  await stack.images.waitFor({ active: limit + 1 });
  expect((await activeScenes(stack)).toSorted()).toEqual(['many', 'many', 'one']);

  for (let made = limit; made < 8; made += limit) {
    await stack.images.release();
    await expect.poll(async () => (await stack.images.state()).calls.length, soon).toBe(made + limit + 1);
    expect(await activeScenes(stack)).toEqual(['many', 'many']);
    await expect.poll(() => delayed(stack), soon).toBe(8 - limit - made);
  }
  await stack.images.release();
  await expect.poll(() => stack.models.generations.countDocuments({ state: 'succeeded' }), soon).toBe(9);
  await worker.close();
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('the limit counts the images of all workers', async ({ stack }) => {
  const seller = await stack.seller();
  const first = await stack.startWorker({ ...settings, WORKER_CONCURRENCY: '2' });
  for (let image = 0; image < limit; image += 1) await seller.submit();
  await stack.images.waitFor({ active: limit });
  const second = await stack.startWorker(settings);
  const third = await seller.submit();
  await expect.poll(() => delayed(stack), soon).toBe(1);
  expect((await stack.images.state()).calls).toHaveLength(limit);
  // An image that ends in the first worker brings back a job that the second one may take.
  await stack.images.release();
  await stack.images.waitFor({ calls: limit + 1, active: 1 });
  await stack.images.release();
  await expect.poll(async () => (await seller.generation(third.id)).state, soon).toBe('succeeded');
  await Promise.all([first.close(), second.close()]);
});

test('a promotion passes over a seller at the limit', async ({ stack }) => {
  const [full, other, enterprise] = [
    await stack.seller({ plan: 'freelance' }),
    await stack.seller({ plan: 'freelance' }),
    await stack.seller({ plan: 'enterprise' }),
  ];
  const worker = await stack.startWorker({ ...settings, WORKER_CONCURRENCY: '3' });
  for (let image = 0; image < limit + 1; image += 1) await full.submit({ prompt: 'full' });
  await expect.poll(() => delayed(stack), soon).toBe(1);
  await enterprise.submit({ prompt: 'enterprise' });
  await stack.images.waitFor({ active: 3 });
  const { id } = await other.submit({ prompt: 'other' });
  // As if the other claims had been made: the next one is that after which an image is promoted.
  await stack.models.queueLanes.updateOne({ _id: 'single' }, { $set: { passed: claimsPerPromotion } });
  worker.context.fairOrder.claimed({ fence: 1, priority: 2 });
  await expect
    .poll(async () => (await stack.models.generations.findById(id).lean())!.priority, soon)
    .toBe(promotedPriority('single'));
  await stack.images.set({ default: { kind: 'ok' } });
  await stack.images.release();
  await expect
    .poll(() => stack.models.generations.countDocuments({ state: { $ne: 'succeeded' } }), soon)
    .toBe(0);
  await worker.close();
});

test('the end of an image brings back the next one also while a job of the worker has not claimed its own yet', async ({
  stack,
}) => {
  const { db, queue } = stack.server.context;
  const seller = await stack.seller();
  const [ends, begins, waits] = [await seller.submit(), await seller.submit(), await seller.submit()];
  // As if it had been over the limit.
  const job = (await queue.getJobs(['waiting', 'prioritized'])).find(
    ({ data }) => data.generationId === waits.id,
  )!;
  await job.remove();
  await queue.add('generate', job.data, { ...job.opts, jobId: job.id!, delay: 600_000 });
  expect(await delayed(stack)).toBe(1);

  const sellerLimit = createSellerLimit({ db, queue, limit, log: createLog({ logLevel: 'silent' }, 'test') });
  const [leave] = [await sellerLimit.enter(ends.id), await sellerLimit.enter(begins.id)];
  await stack.models.generations.updateOne({ _id: ends.id }, { $set: { state: 'cancelled' } });
  leave();
  await expect.poll(() => delayed(stack), soon).toBe(0);
});
