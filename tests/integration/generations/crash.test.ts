/** Workers that die or are stopped: one of each kind. `crash.full.test.ts` has the other moments, and several workers. */
import { expect } from 'vitest';
import { claimGeneration } from '#shared/data/generations/attempts.ts';
import { eventually, expectFolders, testWithHarness } from '#tests/support/harness.ts';

const test = testWithHarness();
test.afterEach(({ stack }) => expectFolders(stack));

// Workers that die: one kill of each kind. `crash.full.test.ts` has the other moments, and several workers.

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

test('a worker that is closed lets a job finish, and hands one back that does not', async ({ harness }) => {
  const { stack, seller } = harness;
  await stack.images.set({ behaviours: [{ kind: 'hold' }, { kind: 'hold' }] });
  const worker = await stack.startWorker({ WORKER_CONCURRENCY: '1' });
  const first = await seller.submit();
  await stack.images.waitFor({ waiting: 1 });
  const closing = worker.close();
  await stack.images.release();
  await closing;
  expect(await harness.row(first.id)).toMatchObject({ state: 'succeeded' });

  const another = await stack.startWorker();
  const { id } = await seller.submit();
  await stack.images.waitFor({ waiting: 1 });
  await another.close();
  await harness.expectHandedBack(id);
});

test('a worker that resumes after another worker has taken over its generation does not store its outcome', async ({
  harness,
}) => {
  await harness.stack.images.set({ default: { kind: 'hold' } });
  const frozen = await harness.startWorkerProcess();
  const { id } = await harness.seller.submit();
  await harness.stack.images.waitFor({ waiting: 1 });
  process.kill(frozen.pid, 'SIGSTOP');
  await harness.startWorker();
  await harness.stack.images.waitFor({ waiting: 2 });
  process.kill(frozen.pid, 'SIGCONT');
  await harness.stack.images.release();
  await harness.expectEnd(await harness.untilEnded(id), { state: 'succeeded', calls: 2 });
  const row = await harness.row(id);
  expect(row.image?.key).toMatch(/image-2\.png$/);
  // After a clean exit it has executed all its remaining steps.
  expect(await frozen.terminate()).toBe(0);
  expect(await harness.row(id)).toEqual(row);
  await expect.poll(() => harness.stack.audit(), eventually).toEqual([]);
});
