import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { paths } from '#contract';
import type { Behaviour } from '#local/openai/control-client.ts';
import { claimGeneration, handBackGeneration } from '#shared/data/generations/attempts.ts';
import { cancelGeneration } from '#shared/data/generations/end.ts';
import { settleGeneration } from '#shared/generations/settle.ts';
import { holdQueue, isQueueHeld, jobId, releaseQueue } from '#shared/platform/queue.ts';
import { atOnce, workerContext } from '#tests/support/credits.ts';
import { findFreePort } from '#tests/support/free-port.ts';
import { eventually, testWithHarness } from '#tests/support/harness.ts';
import { startProgram } from '#tests/support/program.ts';
import { ProviderError } from '#worker/provider-error.ts';
import { mendQueueHold, pauseAfterRefusal } from '#worker/provider-pause.ts';
import { reconcile } from '#worker/upkeep.ts';

const test = testWithHarness();

const limited: Behaviour = { kind: 'error', status: 429, code: 'rate_limit_exceeded', type: 'requests' };
const revoked: Behaviour = {
  ...limited,
  status: 401,
  code: 'invalid_api_key',
  type: 'invalid_request_error',
};
const soon: Behaviour = { ...limited, headers: { 'retry-after-ms': '1500' } };

// Each test starts without the pauses and the waiting generations of the test before.
test.beforeEach(async ({ harness }) => {
  const { stack } = harness;
  const { queue } = stack.server.context;
  await stack.models.providerPauses.deleteMany();
  await queue.removeGlobalRateLimit();
  await queue.removeRateLimitKey();
  await queue.drain(true);
  for (const row of await stack.models.generations.find({ state: { $in: ['queued', 'running'] } }).lean()) {
    const cancel = await cancelGeneration(stack.db, row.profile, row._id, true);
    if (cancel.outcome === 'cancelled') await settleGeneration(stack.server.context, cancel.row);
  }
});

test('a generation that waits for the provider shows it, occupies no slot of the worker, and can be cancelled for free', async ({
  harness,
}) => {
  await harness.stack.images.set({ behaviours: [{ ...limited, headers: { 'retry-after': '60' } }] });
  const worker = await harness.startWorkerProcess({ WORKER_CONCURRENCY: '1' });
  const { id } = await harness.seller.submit();
  const view = await harness.until(id, ({ progress }) => progress?.stage === 'waiting');
  expect(view).toMatchObject({ state: 'running', progress: { waitingFor: 'provider', attempt: 1 } });
  expect((await harness.row(id)).calls).toMatchObject({ started: 0, refused: 1, under_way: false, lost: 0 });
  await expect.poll(() => harness.stack.server.context.queue.getActiveCount(), eventually).toBe(0);

  const { status } = await harness.seller.request(paths.cancelGeneration(id), { method: 'POST' });
  expect(status).toBe(200);
  expect((await harness.untilEnded(id)).state).toBe('cancelled');
  await harness.expectLeft(100);
  expect(await worker.terminate()).toBe(0);
});

test('a worker is killed while generations wait: another one makes them after the pause, and at most one call of each is lost', async ({
  harness,
}) => {
  await harness.stack.images.set({ behaviours: [soon, soon] });
  const first = await harness.startWorkerProcess();
  const submitted = [await harness.seller.submit(), await harness.seller.submit()];
  await Promise.any(
    submitted.map(({ id }) => harness.until(id, ({ progress }) => progress?.stage === 'waiting')),
  );
  await first.kill();
  await harness.startWorker();
  for (const { id } of submitted) {
    expect((await harness.untilEnded(id)).state).toBe('succeeded');
    expect((await harness.row(id)).calls.lost).toBeLessThanOrEqual(1);
  }
  await harness.expectLeft(98);
});

test('a revoked key causes one log line per pause, not one per waiting generation', async ({ harness }) => {
  await harness.stack.images.set({ default: revoked });
  const lines: { level: number; msg: string; until?: string }[] = [];
  const ids: string[] = [];
  for (let index = 0; index < 8; index += 1) ids.push((await harness.seller.submit()).id);
  const worker = await startProgram(
    'worker',
    { ...harness.stack.settings, LOG_LEVEL: 'error', WORKER_CONCURRENCY: '8', PROVIDER_BACKOFF_MS: '200' },
    (text) => {
      for (const line of text.split('\n').filter(Boolean)) lines.push(JSON.parse(line));
    },
  );
  try {
    await expect.poll(() => lines.length, eventually).toBeGreaterThan(1);
  } finally {
    await worker.kill();
  }
  expect(new Set(lines.map(({ msg }) => msg))).toEqual(
    new Set(['the image provider refuses our account: images wait']),
  );
  expect(new Set(lines.map(({ until }) => until)).size).toBe(lines.length);
  // Concurrent refused calls cause one line.
  expect((await harness.stack.images.state()).calls.length).toBeGreaterThan(lines.length);
});

test('an outage longer than PROVIDER_BUSY_WAIT_MS fails all generations that waited for so long, also those never tried', async ({
  harness,
}) => {
  await harness.stack.images.set({ default: limited });
  const ids: string[] = [];
  for (let index = 0; index < 8; index += 1) ids.push((await harness.seller.submit()).id);
  await harness.startWorker({
    WORKER_CONCURRENCY: '1',
    PROVIDER_BUSY_WAIT_MS: '1500',
    // The pauses leave no time for a refused call of each.
    PROVIDER_BACKOFF_MS: '400',
  });
  const views = await Promise.all(ids.map((id) => harness.untilEnded(id)));
  expect(views.map(({ failure }) => failure?.code)).toEqual(ids.map(() => 'PROVIDER_BUSY'));
  expect((await harness.stack.images.state()).calls.length).toBeLessThan(8);
  await harness.expectLeft(100);
});

test('a generation that is handed back repeatedly for longer than all tries take is waiting, not overdue', async ({
  harness,
}) => {
  const { stack } = harness;
  const context = workerContext(stack);
  const { id } = await harness.seller.submit();
  const port = await findFreePort();
  await harness.startWorker({ OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` });
  await harness.until(id, ({ progress }) => progress?.waitingFor === 'provider');
  await expect.poll(async () => (await harness.row(id)).calls.refused, eventually).toBeGreaterThan(3);
  const longAgo = new Date(Date.now() - 86_000_000);
  await stack.models.generations.updateOne({ _id: id }, { $set: { started_at: longAgo } });
  // A round may find it while it waits, or just after its wait has ended.
  for (let round = 0; round < 20; round += 1) {
    expect(await reconcile(context, { ...atOnce, jobMs: 10_000 })).toMatchObject({ overdueEnded: 0 });
  }
  expect(await harness.row(id)).toMatchObject({ state: 'running', failure: null });
});

test('a generation with an overdue wait or with a job is made; one without worker and job fails', async ({
  harness,
}) => {
  const { stack } = harness;
  const context = workerContext(stack);
  const { queue } = stack.server.context;
  const longAgo = new Date(Date.now() - 86_000_000);
  const [waiting, hasJob, lost] = [
    await harness.seller.submit(),
    await harness.seller.submit(),
    await harness.seller.submit(),
  ];
  for (const { id } of [waiting, hasJob, lost]) {
    const claim = await claimGeneration(stack.db, id, 1);
    if (claim.outcome !== 'claimed') throw new Error(claim.outcome);
    if (id !== waiting.id) continue;
    const attempt = { generationId: id, fence: claim.row.fence };
    await handBackGeneration(stack.db, attempt, { until: longAgo, waitingFor: 'provider' });
  }
  const ids = [waiting.id, hasJob.id, lost.id];
  await stack.models.generations.updateMany(
    { _id: { $in: ids } },
    { $set: { started_at: longAgo, lease_until: longAgo } },
  );
  for (const id of [waiting.id, lost.id]) await (await queue.getJob(jobId({ _id: id, fence: 0 })))!.remove();

  expect(await reconcile(context, atOnce)).toMatchObject({ overdueEnded: 1, jobsAdded: 1 });
  expect((await harness.row(lost.id)).failure?.code).toBe('TIMED_OUT');
  expect(await queue.getJobCountByTypes('prioritized', 'waiting', 'delayed')).toBe(2);
  await harness.startWorker();
  for (const { id } of [waiting, hasJob]) {
    expect((await harness.untilEnded(id)).state).toBe('succeeded');
  }
  await harness.expectLeft(98);
});

test('a job that is delayed or rate-limited is not added again', async ({ harness }) => {
  const { stack } = harness;
  const { queue } = stack.server.context;
  await stack.images.set({ default: { ...limited, headers: { 'retry-after': '60' } } });
  await harness.startWorker({ WORKER_CONCURRENCY: '1' });
  const { id } = await harness.seller.submit();
  await harness.until(id, ({ progress }) => progress?.stage === 'waiting');
  await expect.poll(() => queue.getDelayedCount(), eventually).toBe(1);
  await harness.seller.submit();
  // As if its wait had ended long ago.
  await stack.models.generations.updateOne({ _id: id }, { $set: { lease_until: new Date(0) } });
  expect(await reconcile(workerContext(stack), atOnce)).toMatchObject({ jobsAdded: 0 });
  expect(await queue.getJobCounts()).toMatchObject({ delayed: 1, prioritized: 1, active: 0 });
});

test('a pause that begins while upkeep runs keeps the queue held', async ({ harness }) => {
  const context = workerContext(harness.stack);
  const { queue } = harness.stack.server.context;
  const firstCall = { calls: { started: 1, under_way: true, lost: 0, server_errors: 0 } };
  const refusal = new ProviderError('busy', 'Too many requests', { retryAfterMs: 60_000 });
  for (let round = 0; round < 40; round += 1) {
    await harness.stack.models.providerPauses.deleteMany();
    // In every other round, upkeep finds a hold to release.
    if (round % 2 === 0) await holdQueue(queue, 1, 1_000);
    else await releaseQueue(queue);
    await Promise.all([
      mendQueueHold(context),
      // At a different moment of the upkeep in each round.
      wait(round / 10).then(() => pauseAfterRefusal(context, firstCall, null, refusal)),
    ]);
    expect(await isQueueHeld(queue), `round ${round}`).toBe(true);
  }
});

test('a queue that is held although the provider accepts calls is released', async ({ harness }) => {
  const { queue } = harness.stack.server.context;
  await holdQueue(queue, 100, 86_400_000);
  expect(await reconcile(workerContext(harness.stack), atOnce)).toMatchObject({ queueReleased: 1 });
  expect(await reconcile(workerContext(harness.stack), atOnce)).toMatchObject({ queueReleased: 0 });

  // A pause that ended long ago, without calls since.
  const until = new Date(Date.now() - 86_400_000);
  await harness.stack.models.providerPauses.create({
    _id: 'images',
    kind: 'busy',
    until,
    step: 3,
    careful: 20,
  });
  await holdQueue(queue, 100, 86_400_000);
  expect(await reconcile(workerContext(harness.stack), atOnce)).toMatchObject({ queueReleased: 1 });
  await harness.startWorker();
  const submitted = [await harness.seller.submit(), await harness.seller.submit()];
  for (const { id } of submitted) expect((await harness.untilEnded(id)).state).toBe('succeeded');
});
