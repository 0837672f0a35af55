import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startTcpProxy } from '#scripts/chaos/tcp-proxy.ts';
import type { Accepted } from '#server/generations/accept.ts';
import { submit } from '#server/generations/submit.ts';
import type { Db } from '#shared/data/db.ts';
import { atOnce } from '#tests/support/credits.ts';
import { type Fault, FaultError, faultKinds, withFault } from '#tests/support/faults.ts';
import { eventually } from '#tests/support/harness.ts';
import { uploadedPhoto } from '#tests/support/photos.ts';
import { sampleRequest } from '#tests/support/samples.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithCrashableDb } from '#tests/support/test.ts';
import { reconcile } from '#worker/upkeep.ts';

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
  .extend('worker', { scope: 'file' }, ({ stack }) => stack.startWorker())
  .extend('seller', ({ stack }) => stack.seller());

/** Submits a request for so many images as a server that hits a fault. */
async function submitWithFault(
  stack: TestStack,
  crashableDb: Db,
  seller: Seller,
  { takes, ...fault }: Fault & { takes: number },
): Promise<Accepted[]> {
  const submission = {
    profile: seller.id,
    idempotencyKey: randomUUID(),
    request: sampleRequest('On a table', takes),
    files: [await uploadedPhoto(stack.storageFolder)],
  };
  return withFault(fault, () => submit({ ...stack.server.context, db: crashableDb }, submission));
}

const rowsOfSeller = (stack: TestStack, seller: Seller) =>
  stack.models.generations.find({ profile: seller.id }).lean();

async function expectAllSucceeded(stack: TestStack, seller: Seller): Promise<void> {
  await expect
    .poll(async () => (await rowsOfSeller(stack, seller)).filter(({ state }) => state !== 'succeeded'), {
      timeout: 10_000,
    })
    .toEqual([]);
  const rows = await rowsOfSeller(stack, seller);
  await expect
    .poll(async () => (await seller.me()).subscription, eventually)
    .toMatchObject({ generationsLeft: 100 - rows.length, generationsHeld: 0 });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
  const all = await stack.models.generations.find().lean();
  const foldersIn = async (name: string) =>
    (await readdir(join(stack.storageFolder, name)).catch(() => [])).sort();
  expect(await foldersIn('generations')).toEqual(all.map((row) => row._id).sort());
  expect(await foldersIn('photo-sets')).toEqual([...new Set(all.map((row) => row.photo_set))].sort());
}

const faultsOfRequests = faultKinds.flatMap((kind) => [1, 3].map((takes) => ({ kind, takes })));

test.for(faultsOfRequests)(
  'a submit of $takes with the fault "$kind" at any of its steps is executed completely or not at all',
  async ({ kind, takes }, { stack, crashableDb, worker, seller }) => {
    const outcomes: string[] = [];
    // A request survives some of the faults, so only several accepted ones in a row say that there are no more steps.
    let accepted = 0;
    for (let at = 0; accepted < 4; at += 1) {
      expect(at, 'a submit has fewer steps').toBeLessThan(30);
      const before = (await rowsOfSeller(stack, seller)).length;
      const outcome = await submitWithFault(stack, crashableDb, seller, { kind, at, takes }).then(
        (rows) => `${rows.length} accepted`,
        (error) => {
          if (!(error instanceof FaultError)) throw error;
          return error.message;
        },
      );
      accepted = outcome === `${takes} accepted` ? accepted + 1 : 0;
      await reconcile(worker.context, atOnce);
      await expectAllSucceeded(stack, seller);
      const made = (await rowsOfSeller(stack, seller)).length - before;
      expect(accepted > 0 ? [takes] : [0, takes], outcome).toContain(made);
      outcomes.push(`${outcome}: ${made} made`);
    }
    // At least these steps: find key, find profile, insert, place hold, enqueue.
    const leastSteps = kind === 'answer-lost' ? 3 : 4;
    expect(outcomes.length - accepted, outcomes.join('\n')).toBeGreaterThanOrEqual(leastSteps);
  },
);

test('a submit while the queue is unreachable is accepted, and its image is made when the queue is back', async ({
  stack,
  queue,
  worker,
  seller,
}) => {
  queue.cut();
  const startedAt = performance.now();
  const { id } = await seller.submit();
  expect(performance.now() - startedAt).toBeLessThan(8_000);
  expect(await seller.generation(id)).toMatchObject({ state: 'queued', position: 1 });
  // The reconciler's other steps do not depend on the queue; only adding the job fails.
  await expect(reconcile(worker.context, atOnce)).rejects.toThrow(/jobsAdded/);
  queue.restore();
  // The first rounds may fail while connections to the queue are being restored; a later one adds the job.
  const stateAfterRound = async () => {
    await reconcile(worker.context, atOnce).catch(() => {});
    return (await seller.generation(id)).state;
  };
  await expect.poll(stateAfterRound, { timeout: 20_000 }).toBe('succeeded');
  await expectAllSucceeded(stack, seller);
});

test('jobs that the queue has lost are added again from the rows', async ({ stack, worker, seller }) => {
  await worker.jobs.pause();
  const submitted = [await seller.submit(), await seller.submit()];
  await stack.server.context.queue.obliterate({ force: true });
  expect(await stack.server.context.queue.getJobCounts()).toMatchObject({ prioritized: 0, waiting: 0 });
  worker.jobs.resume();
  expect(await reconcile(worker.context, atOnce)).toMatchObject({ jobsAdded: 2 });
  for (const { id } of submitted) {
    await expect.poll(async () => (await seller.generation(id)).state, { timeout: 10_000 }).toBe('succeeded');
  }
  await expectAllSucceeded(stack, seller);
});
