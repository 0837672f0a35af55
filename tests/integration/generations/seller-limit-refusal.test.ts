/** A job over its seller's limit that is only leaving the queue when the seller's other images end. */
import { expect } from 'vitest';
import { eventually } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import { testWithStoreProxies } from '#tests/support/test.ts';

const settings = { SELLER_MAX_IN_FLIGHT: '1' };
const test = testWithStoreProxies({ workers: 0, images: { default: { kind: 'hold' } } });

test('a job that leaves the queue after the image it waits for has ended comes back at once', async ({
  stack,
  queue,
}) => {
  const seller = await stack.seller();
  const first = await stack.startWorker({ ...settings, WORKER_CONCURRENCY: '1' });
  await seller.submit();
  await stack.images.waitFor({ active: 1 });

  const second = await stack.startWorker({ ...settings, QUEUE_URL: queue.url });
  const leaves = queue.holdAt('move_to_delayed');
  const { id } = await seller.submit();
  await leaves;
  await stack.images.release();
  await expect
    .poll(() => stack.models.generations.countDocuments({ state: 'succeeded' }), eventually)
    .toBe(1);
  // Closed, it no longer brings anything back.
  await first.close();

  queue.release();
  // On a fast machine before the ten seconds have passed for which a job stays away that nothing brings back.
  const soon = { ...eventually, timeout: limitMs(5_000) };
  await expect.poll(() => stack.images.state(), soon).toMatchObject({ active: 1, calls: [{}, {}] });
  await stack.images.release();
  await expect.poll(async () => (await seller.generation(id)).state, eventually).toBe('succeeded');
  await second.close();
});
