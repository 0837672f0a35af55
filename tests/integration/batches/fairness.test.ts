/** A batch holds up nobody's single images. */
import { expect } from 'vitest';
import { readBatch, sampleRows, startedBatch } from '#tests/support/batches.ts';
import { eventually } from '#tests/support/harness.ts';
import { describedScene } from '#tests/support/provider-calls.ts';
import { testWithSeller } from '#tests/support/test.ts';

/** Jobs that the worker runs at the same time. */
const concurrency = 2;
/** Images of a batch in the queue. */
const window = 6;
const test = testWithSeller(
  { workers: 0, settings: { BATCH_WINDOW: String(window) } },
  { plan: 'enterprise' },
);

test('behind a batch, single images of its seller and of another one wait for one call each', async ({
  stack,
  seller,
}) => {
  // The other one's plan goes after that of the seller with the batch.
  const other = await stack.seller({ plan: 'freelance' });
  await stack.images.set({ default: { kind: 'hold' } });
  const id = await startedBatch(seller, await sampleRows(2 * window));
  await expect.poll(async () => (await readBatch(seller, id)).counts.underWay, eventually).toBe(window);
  const worker = await stack.startWorker({ WORKER_CONCURRENCY: String(concurrency) });
  await stack.images.waitFor({ active: concurrency });
  const own = await seller.submit({ prompt: 'Own single' });
  const strange = await other.submit({ prompt: 'Other single' });

  // As soon as the calls that are under way have ended, both are made.
  await stack.images.release();
  await stack.images.waitFor({ calls: 2 * concurrency });
  const { calls } = await stack.images.state();
  const scenes = calls.map(describedScene);
  expect(scenes.slice(0, concurrency)).toEqual(['On oak', 'On oak']);
  expect(scenes.slice(concurrency, 2 * concurrency).toSorted()).toEqual(['Other single', 'Own single']);

  await stack.images.set({ default: { kind: 'ok' } });
  await stack.images.release();
  for (const [owner, single] of [
    [seller, own],
    [other, strange],
  ] as const) {
    await expect.poll(async () => (await owner.generation(single.id)).state, eventually).toBe('succeeded');
  }
  // The batch goes on with what is left.
  await expect
    .poll(async () => (await readBatch(seller, id)).counts.succeeded, eventually)
    .toBeGreaterThan(window);
  await worker.close();
});
