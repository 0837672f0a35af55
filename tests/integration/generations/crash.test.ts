/** Workers that die: one kill of each kind. `crash.full.test.ts` has the other moments, and several workers. */
import { expect } from 'vitest';
import { claimGeneration } from '#shared/data/generations/attempts.ts';
import { eventually, expectFolders, testWithHarness } from '#tests/support/harness.ts';

const test = testWithHarness();
test.afterEach(({ stack }) => expectFolders(stack));

test('killed between claim and provider call: another worker makes the image with one call, and the other is counted as lost', async ({
  harness,
}) => {
  const { id } = await harness.seller.submit();
  // The last thing that the first worker does.
  await claimGeneration(harness.stack.db, id, 1, 2);
  await harness.startWorker();
  await harness.expectEnd(await harness.untilEnded(id), { state: 'succeeded', calls: 1 });
  expect((await harness.row(id)).calls).toMatchObject({ started: 2, lost: 1 });
});

test('two workers die between claim and provider call: the generation fails and no image is used', async ({
  harness,
}) => {
  const { id } = await harness.seller.submit();
  for (const lost of [0, 1]) {
    await expect
      .poll(() => claimGeneration(harness.stack.db, id, 1, 2), eventually)
      .toMatchObject({ outcome: 'claimed', row: { calls: { lost } } });
  }
  await harness.startWorker();
  const view = await harness.untilEnded(id);
  expect(view.failure?.code).toBe('GENERATION_FAILED');
  await harness.expectEnd(view, { state: 'failed', calls: 0 });
});

test('killed during the provider call: the call is repeated once, and one image is used', async ({
  harness,
}) => {
  await harness.stack.images.set({ behaviours: [{ kind: 'hold' }] });
  const first = await harness.startWorkerProcess();
  const { id } = await harness.seller.submit();
  await harness.stack.images.waitFor({ waiting: 1 });
  await first.kill();
  await harness.startWorker();
  await harness.expectEnd(await harness.untilEnded(id), { state: 'succeeded', calls: 2 });
  expect((await harness.row(id)).calls).toMatchObject({ started: 2, lost: 1 });
});
