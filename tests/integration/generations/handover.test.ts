import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { paths } from '#contract';
import { decisionText, eventually, testWithHarness } from '#tests/support/harness.ts';
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
  expect(await harness.stack.audit()).toEqual([]);
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
