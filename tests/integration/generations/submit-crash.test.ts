import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { submit } from '#server/generations/submit.ts';
import { connectDb } from '#shared/data/connect.ts';
import type { Db } from '#shared/data/db.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { atOnce } from '#tests/support/credits.ts';
import { crashable, type Fault, FaultError, faultKinds, withFault } from '#tests/support/faults.ts';
import { eventually } from '#tests/support/harness.ts';
import { uploadedPhoto } from '#tests/support/photos.ts';
import type { Seller } from '#tests/support/seller.ts';
import { startTestStack, type TestStack } from '#tests/support/stack.ts';
import { startTcpProxy, type TcpProxy } from '#tests/support/tcp-proxy.ts';
import { reconcile } from '#worker/upkeep.ts';
import type { RunningWorker } from '#worker/worker.ts';

let stack: TestStack;
/** Before everybody's queue. */
let queue: TcpProxy;
/** The connection of the API server that dies. */
let mortal: Db;
let worker: RunningWorker;
let seller: Seller;

beforeAll(async () => {
  queue = await startTcpProxy(inject('queueUrl'));
  // Its own rounds of upkeep would mend before a test has looked.
  const settings = { QUEUE_URL: queue.url, UPKEEP_INTERVAL_MS: '600000' };
  stack = await startTestStack({ workers: 0, settings });
  worker = await stack.startWorker();
  mortal = crashable(await connectDb(stack.config.mongodbUrl));
});
beforeEach(async () => {
  seller = await stack.seller();
});
afterAll(async () => {
  await mortal.close();
  await stack.close();
  await queue.close();
});

/** Submits as a server that meets a fault. */
async function submitMeeting(fault: Fault): Promise<GenerationRow> {
  const submission = {
    profile: seller.id,
    idempotencyKey: randomUUID(),
    request: { prompt: 'On a table', n: 1 },
    files: [await uploadedPhoto(stack.config.storageFolder)],
  };
  return withFault(fault, () => submit({ ...stack.server.context, db: mortal }, submission));
}

const rowsOfSeller = () => stack.db.generations.find({ profile: seller.id }).lean();

async function expectNothingLeftOver(): Promise<void> {
  await expect
    .poll(async () => (await rowsOfSeller()).filter(({ state }) => state !== 'succeeded'), {
      timeout: 10_000,
    })
    .toEqual([]);
  const rows = await rowsOfSeller();
  await expect
    .poll(async () => (await seller.me()).subscription, eventually)
    .toMatchObject({ generationsLeft: 100 - rows.length, generationsHeld: 0 });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
  const all = await stack.db.generations.find().lean();
  const folders = await readdir(join(stack.config.storageFolder, 'generations')).catch(() => []);
  expect(folders.sort()).toEqual(all.map((row) => row._id).sort());
}

test.for(faultKinds)('a submit that meets "%s" at any of its steps leaves all or nothing', async (kind) => {
  const outcomes: string[] = [];
  let answered = false;
  for (let at = 0; !answered; at += 1) {
    expect(at, 'a submit takes fewer steps than this').toBeLessThan(20);
    const before = (await rowsOfSeller()).length;
    const outcome = await submitMeeting({ kind, at }).then(
      (row) => row._id,
      (error) => {
        if (!(error instanceof FaultError)) throw error;
        return error.message;
      },
    );
    answered = /^[0-9a-f]{24}$/.test(outcome);
    await reconcile(worker.context, atOnce);
    await expectNothingLeftOver();
    const made = (await rowsOfSeller()).length - before;
    if (answered) expect(made).toBe(1);
    outcomes.push(`${outcome}: ${made === 1 ? 'made' : 'nothing'}`);
  }
  // Find key, profile, insert, hold, admit at least.
  expect(outcomes.length, outcomes.join('\n')).toBeGreaterThan(kind === 'answer-lost' ? 3 : 4);
});

test('a submit while the queue is away is accepted, and made once the queue is back', async () => {
  queue.cut();
  const began = performance.now();
  const { id } = await seller.submit();
  expect(performance.now() - began).toBeLessThan(8_000);
  expect(await seller.generation(id)).toMatchObject({ state: 'queued', position: 1 });
  // The reconciler's other work does not wait for the queue.
  await expect(reconcile(worker.context, atOnce)).rejects.toThrow(/jobsAdded/);
  queue.restore();
  // The first rounds may find the queue half back: one step fails still, and a later one adds the job.
  const stateAfterRound = async () => {
    await reconcile(worker.context, atOnce).catch(() => {});
    return (await seller.generation(id)).state;
  };
  await expect.poll(stateAfterRound, { timeout: 20_000 }).toBe('succeeded');
  await expectNothingLeftOver();
});

test('a queue that loses every job gets them back from the rows', async () => {
  await worker.jobs.pause();
  const submitted = [await seller.submit(), await seller.submit()];
  await stack.server.context.queue.obliterate({ force: true });
  expect(await stack.server.context.queue.getJobCounts()).toMatchObject({ prioritized: 0, waiting: 0 });
  worker.jobs.resume();
  expect(await reconcile(worker.context, atOnce)).toMatchObject({ jobsAdded: 2 });
  for (const { id } of submitted) {
    await expect.poll(async () => (await seller.generation(id)).state, { timeout: 10_000 }).toBe('succeeded');
  }
  await expectNothingLeftOver();
});
