import { expect } from 'vitest';
import { atOnce } from '#tests/support/credits.ts';
import { usualFaultKinds } from '#tests/support/faults.ts';
import { eventually } from '#tests/support/harness.ts';
import { startTcpProxy } from '#tests/support/tcp-proxy.ts';
import { testWithCrashableDb } from '#tests/support/test.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';
import { expectAllOrNothing, expectAllSucceeded, expectRepeatedOnce } from './submit-crash-steps.ts';

const test = testWithCrashableDb({ workers: 0 })
  // A proxy in front of the queue of server and worker.
  .extend('queue', { scope: 'file' }, async ({ queueUrl }, { onCleanup }) => {
    const queue = await startTcpProxy(queueUrl);
    onCleanup(() => queue.close());
    return queue;
  })
  // The worker's own upkeep would repair the state before a test has checked it.
  .override('stackOptions', ({ queue }) => ({
    workers: 0,
    settings: { QUEUE_URL: queue.url },
  }))
  .extend('worker', async ({ stack }, { onCleanup }) => {
    const worker = await stack.startWorker();
    onCleanup(() => worker.close());
    return worker;
  })
  .extend('seller', ({ stack }) => stack.seller());

test.for(usualFaultKinds)(
  'a submit with the fault "%s" at any of its steps is executed completely or not at all',
  (kind, { stack, crashableDb, seller }) =>
    expectAllOrNothing({ stack, crashableDb, seller }, { kind, takes: 1 }),
);

test.for(usualFaultKinds)(
  'a request with the fault "%s" at any of its steps, which two servers then repeat at once, makes its images once',
  (kind, { stack, crashableDb, seller }) =>
    expectRepeatedOnce({ stack, crashableDb, seller }, { kind, takes: 2 }),
);

test('a submit while the queue is unreachable is accepted, and its image is made when the queue is back', async ({
  stack,
  queue,
  worker,
  seller,
}) => {
  queue.cut();
  const { id } = await seller.submit();
  expect(await seller.generation(id)).toMatchObject({ state: 'queued', position: 1 });
  // Upkeep's other steps do not depend on the queue; only adding the job fails.
  await expect(runUpkeep(worker.context, atOnce)).rejects.toThrow(/jobsAdded/);
  queue.restore();
  // The first rounds may fail while connections to the queue are being restored; a later one adds the job.
  const stateAfterRound = async () => {
    await runUpkeep(worker.context, atOnce).catch(() => {});
    return (await seller.generation(id)).state;
  };
  await expect.poll(stateAfterRound, eventually).toBe('succeeded');
  await expectAllSucceeded(stack, seller);
});

test('jobs that the queue has lost are added again from the rows', async ({ stack, worker, seller }) => {
  await worker.jobs.pause();
  const submitted = [await seller.submit(), await seller.submit()];
  await stack.server.context.queue.obliterate({ force: true });
  expect(await stack.server.context.queue.getJobCounts()).toMatchObject({ prioritized: 0, waiting: 0 });
  worker.jobs.resume();
  expect(await runUpkeep(worker.context, atOnce)).toMatchObject({ jobsAdded: 2 });
  for (const { id } of submitted) {
    await expect.poll(async () => (await seller.generation(id)).state, eventually).toBe('succeeded');
  }
  await expectAllSucceeded(stack, seller);
});
