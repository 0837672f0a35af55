/** A job over its seller's limit that is only leaving the queue when the seller's other images end. */
import { expect } from 'vitest';
import { eventually } from '#tests/support/harness.ts';
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
  // A job over the limit that nothing brings back stays away for ten seconds.
  const beganAt = performance.now();
  await stack.images.waitFor({ calls: 2, active: 1 });
  expect(performance.now() - beganAt).toBeLessThan(5_000);
  await stack.images.release();
  await expect.poll(async () => (await seller.generation(id)).state, eventually).toBe('succeeded');
  await second.close();
});
