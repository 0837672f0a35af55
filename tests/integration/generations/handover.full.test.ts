import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { paths } from '#contract';
import { decisionText, eventually, testWithHarness } from '#tests/support/harness.ts';
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
  const cancelled = await seller.request(paths.cancelGeneration(id), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ useImage: true }),
  });
  expect(cancelled).toMatchObject({ status: 200, body: { state: 'cancelled' } });
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
