import { expect } from 'vitest';
import { eventually, testWithHarness } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import { expectHandedBack } from './handover-steps.ts';

const test = testWithHarness();

test('SIGTERM: jobs finish within the grace period or are handed back to another worker', async ({
  harness,
}) => {
  await harness.stack.images.set({ behaviours: [{ kind: 'slow', ms: limitMs(1_200) }, { kind: 'hold' }] });
  const worker = await harness.startWorkerProcess({ WORKER_GRACE_MS: String(limitMs(3_000)) });
  const first = await harness.seller.submit();
  await harness.stack.images.waitFor({ calls: 1 });
  const { id } = await harness.seller.submit();
  await harness.stack.images.waitFor({ waiting: 1 });
  expect(await worker.terminate()).toBe(0);
  expect(await harness.row(first.id)).toMatchObject({ state: 'succeeded' });
  await expectHandedBack(harness, id);
});

test('a worker that was stopped for longer than its lease resumes its jobs', async ({ harness }) => {
  await harness.stack.images.set({ behaviours: [{ kind: 'hold' }] });
  const worker = await harness.startWorkerProcess();
  const { id } = await harness.seller.submit();
  await harness.stack.images.waitFor({ waiting: 1 });
  process.kill(worker.pid, 'SIGSTOP');
  await expect
    .poll(async () => (await harness.row(id)).lease_until!.getTime() - Date.now(), eventually)
    .toBeLessThan(-1_000);
  process.kill(worker.pid, 'SIGCONT');
  await harness.stack.images.release();
  const view = await harness.untilEnded(id);
  const { calls } = await harness.stack.images.state();
  await harness.expectEnd(view, { state: 'succeeded', calls: calls.length });
  expect(calls.length).toBeLessThanOrEqual(2);
});
