import { expect } from 'vitest';
import { decisionText, testWithHarness } from '#tests/support/harness.ts';

const test = testWithHarness();

test('SIGTERM: what ends within the grace period ends, the rest is handed back and made by another worker', async ({
  harness,
}) => {
  await harness.stack.images.set({ behaviours: [{ kind: 'slow', ms: 1_200 }, { kind: 'hold' }] });
  const worker = await harness.startWorker({ WORKER_GRACE_MS: '3000' });
  const inTime = await harness.seller.submit();
  await harness.stack.images.waitFor({ calls: 1 });
  const { id } = await harness.seller.submit();
  await harness.stack.images.waitFor({ waiting: 1 });
  expect(await worker.terminate()).toBe(0);
  expect(await harness.row(inTime.id)).toMatchObject({ state: 'succeeded' });
  expect(await harness.row(id)).toMatchObject({
    state: 'running',
    progress: { stage: 'waiting' },
    calls: { under_way: false, lost: 0 },
  });
  await harness.startWorker();
  expect((await harness.untilEnded(id)).state).toBe('succeeded');
  expect((await harness.row(id)).calls).toMatchObject({ started: 2, lost: 0 });
  await harness.expectLeft(98);
});

test('a worker that was thought dead and comes back with its image decides nothing', async ({ harness }) => {
  await harness.stack.images.set({ default: { kind: 'hold' } });
  const frozen = await harness.startWorker();
  const { id } = await harness.seller.submit();
  await harness.stack.images.waitFor({ waiting: 1 });
  process.kill(frozen.pid, 'SIGSTOP');
  await harness.startWorker();
  await harness.stack.images.waitFor({ waiting: 2 });
  process.kill(frozen.pid, 'SIGCONT');
  await harness.stack.images.release();
  await harness.expectEnd(await harness.untilEnded(id), { state: 'succeeded', calls: 2 });
  const decided = await harness.row(id);
  expect(decided.image?.key).toMatch(/image-2\.png$/);
  // Once it has ended by itself, it has done all that it would have done.
  expect(await frozen.terminate()).toBe(0);
  expect(await harness.row(id)).toEqual(decided);
  expect(await harness.stack.audit()).toEqual([]);
});

test('a worker that stood still past its lease goes on with its jobs', async ({ harness }) => {
  await harness.stack.images.set({ behaviours: [{ kind: 'hold' }] });
  const worker = await harness.startWorker();
  const { id } = await harness.seller.submit();
  await harness.stack.images.waitFor({ waiting: 1 });
  process.kill(worker.pid, 'SIGSTOP');
  await expect
    .poll(async () => (await harness.row(id)).lease_until!.getTime() - Date.now(), { timeout: 5_000 })
    .toBeLessThan(-1_000);
  process.kill(worker.pid, 'SIGCONT');
  await harness.stack.images.release();
  const view = await harness.untilEnded(id);
  const { calls } = await harness.stack.images.state();
  await harness.expectEnd(view, { state: 'succeeded', calls: calls.length });
  expect(calls.length).toBeLessThanOrEqual(2);
});

test('MongoDB away at the end of a call: the image is kept and counted once it is back', async ({
  harness,
}) => {
  const held = harness.mongo.holdAt(decisionText);
  await harness.startProxiedWorker();
  const { id } = await harness.seller.submit();
  await held;
  harness.mongo.cut();
  harness.mongo.restore();
  await harness.expectEnd(await harness.untilEnded(id), { state: 'succeeded', calls: 1 });
});

test('refused calls of many jobs are all retried, with several workers on one queue', async ({ harness }) => {
  const limit = { kind: 'error', status: 429, code: 'rate_limit_exceeded', type: 'requests' } as const;
  const refusals = Array.from({ length: 12 }, () => ({ ...limit, headers: { 'retry-after-ms': '50' } }));
  await harness.stack.images.set({ behaviours: refusals });
  await Promise.all(Array.from({ length: 3 }, () => harness.startWorker()));
  const prompts = Array.from({ length: 12 }, (_, index) => `Scene ${index}`);
  const submitted = await Promise.all(prompts.map((prompt) => harness.seller.submit({ prompt })));
  const views = await Promise.all(submitted.map(({ id }) => harness.untilEnded(id)));
  expect(views.map((view) => view.state)).toEqual(prompts.map(() => 'succeeded'));
  expect((await harness.stack.images.state()).calls).toHaveLength(24);
  await harness.expectLeft(88);
});
