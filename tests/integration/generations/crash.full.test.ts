/** The other moments at which workers die or are stopped, and several workers on one queue. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { decisionText, eventually, expectFolders, testWithHarness } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import { describedScene } from '#tests/support/provider-calls.ts';

const test = testWithHarness();
test.afterEach(({ stack }) => expectFolders(stack));

test('killed before its claim is stored: another worker makes the image, and no call is counted as lost', async ({
  harness,
}) => {
  const held = harness.mongo.holdAt('calls.started');
  const first = await harness.startWorkerProcess(harness.proxied);
  const { id } = await harness.seller.submit();
  await held;
  expect(await harness.row(id)).toMatchObject({ state: 'queued', calls: { started: 0 } });
  await first.kill();
  await harness.startWorker();
  await harness.expectEnd(await harness.untilEnded(id), { state: 'succeeded', calls: 1 });
  expect((await harness.row(id)).calls).toMatchObject({ started: 1, lost: 0 });
});

test('killed after the image is stored and before the outcome is: another worker uses the stored image, without a second call', async ({
  harness,
}) => {
  const held = harness.mongo.holdAt(decisionText);
  const first = await harness.startWorkerProcess(harness.proxied);
  const { id } = await harness.seller.submit();
  await held;
  expect(await harness.row(id)).toMatchObject({ state: 'running', image: null });
  await first.kill();
  await harness.startWorker();
  await harness.expectEnd(await harness.untilEnded(id), { state: 'succeeded', calls: 1 });
  expect((await harness.row(id)).image?.key).toMatch(/image-1\.png$/);
  expect(await harness.stack.audit('contents')).toEqual([]);
});

test('killed between storing the outcome and settling: upkeep settles the generation', async ({
  harness,
}) => {
  const held = harness.mongo.holdAt('settled');
  const first = await harness.startWorkerProcess(harness.proxied);
  const { id } = await harness.seller.submit();
  await held;
  expect(await harness.row(id)).toMatchObject({ state: 'succeeded', settlement_due: true });
  await first.kill();
  await harness.startWorker();
  await expect.poll(() => harness.row(id), eventually).not.toHaveProperty('settlement_due');
  await harness.expectEnd(await harness.untilEnded(id), { state: 'succeeded', calls: 1 });
});

test('two workers killed during their calls: the generation fails and no image is used', async ({
  harness,
}) => {
  await harness.stack.images.set({ default: { kind: 'hold' } });
  const { id } = await harness.seller.submit();
  for (const calls of [1, 2]) {
    const worker = await harness.startWorkerProcess();
    await harness.stack.images.waitFor({ calls, waiting: 1 });
    await worker.kill();
    await harness.stack.images.waitFor({ active: 0 });
  }
  await harness.startWorker();
  const view = await harness.untilEnded(id);
  expect(view.failure?.code).toBe('GENERATION_FAILED');
  await harness.expectEnd(view, { state: 'failed', calls: 2 });
});

test('five workers share the jobs; one that is killed during its call costs one more call', async ({
  harness,
}) => {
  const oneJob = { WORKER_CONCURRENCY: '1', WORKER_LOCK_MS: String(limitMs(4_000)) };
  const killed = await harness.startWorkerProcess(oneJob);
  for (let count = 0; count < 4; count += 1) await harness.startWorker(oneJob);
  await harness.stack.images.set({ default: { kind: 'hold' } });
  const prompts = Array.from({ length: 10 }, (_, index) => `Scene ${index}`);
  const submitted = await Promise.all(prompts.map((prompt) => harness.seller.submit({ prompt })));
  // Each worker executes one job at a time, so five concurrent calls come from five workers.
  const { calls } = await harness.stack.images.waitFor({ waiting: 5 });
  expect(new Set(calls.map((call) => call.prompt)).size).toBe(5);

  await killed.kill();
  await harness.stack.images.set({ default: { kind: 'ok' } });
  await harness.stack.images.release();
  const views = await Promise.all(submitted.map(({ id }) => harness.untilEnded(id)));
  expect(views.map((view) => view.state)).toEqual(prompts.map(() => 'succeeded'));
  const made = (await harness.stack.images.state()).calls.map(describedScene);
  expect(made).toHaveLength(prompts.length + 1);
  expect(new Set(made)).toEqual(new Set(prompts));
  await harness.expectLeft(90);
});

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
  await harness.expectHandedBack(id);
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

test('MongoDB unreachable at the end of a call: the image is stored and counted when MongoDB is back', async ({
  harness,
}) => {
  const held = harness.mongo.holdAt(decisionText);
  await harness.startWorker(harness.proxied);
  const { id } = await harness.seller.submit();
  await held;
  harness.mongo.cut();
  harness.mongo.restore();
  await harness.expectEnd(await harness.untilEnded(id), { state: 'succeeded', calls: 1 });
});

test('cancelled after its image was stored: the image is removed', async ({ harness }) => {
  const { stack, seller, mongo } = harness;
  const held = mongo.holdAt(decisionText);
  await harness.startWorker(harness.proxied);
  const { id } = await seller.submit();
  await held;
  const folder = join(stack.storageFolder, 'generations', id);
  expect(await readdir(folder)).toContain('image-1.png');
  expect(await seller.cancel(id, true)).toMatchObject({ status: 200, body: { state: 'cancelled' } });
  mongo.release();
  await expect.poll(() => readdir(folder), eventually).toEqual([]);
});

test('refused calls of many jobs are all retried, with several workers on one queue', async ({ harness }) => {
  const limit = { kind: 'error', status: 429, code: 'rate_limit_exceeded', type: 'requests' } as const;
  const refusals = Array.from({ length: 6 }, () => ({ ...limit, headers: { 'retry-after-ms': '50' } }));
  await harness.stack.images.set({ behaviours: refusals });
  await Promise.all(Array.from({ length: 2 }, () => harness.startWorker()));
  const prompts = Array.from({ length: 6 }, (_, index) => `Scene ${index}`);
  const submitted = await Promise.all(prompts.map((prompt) => harness.seller.submit({ prompt })));
  const views = await Promise.all(submitted.map(({ id }) => harness.untilEnded(id)));
  expect(views.map((view) => view.state)).toEqual(prompts.map(() => 'succeeded'));
  expect((await harness.stack.images.state()).calls).toHaveLength(12);
  await harness.expectLeft(94);
});
