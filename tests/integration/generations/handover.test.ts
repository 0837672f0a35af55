import { expect } from 'vitest';
import { eventually, testWithHarness } from '#tests/support/harness.ts';
import { expectHandedBack } from './handover-steps.ts';

const test = testWithHarness();

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
  await expectHandedBack(harness, id);
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
