import { expect, test } from 'vitest';
import { decisionText, setUpHarness } from '#tests/support/harness.ts';

const crew = setUpHarness();

test('SIGTERM: what ends within the grace period ends, the rest is handed back and made by another worker', async () => {
  await crew.stack.images.set({ behaviours: [{ kind: 'slow', ms: 1_200 }, { kind: 'hold' }] });
  const worker = await crew.startWorker({ WORKER_GRACE_MS: '3000' });
  const inTime = await crew.seller.submit();
  await crew.stack.images.waitFor({ calls: 1 });
  const { id } = await crew.seller.submit();
  await crew.stack.images.waitFor({ waiting: 1 });
  expect(await worker.terminate()).toBe(0);
  expect(await crew.row(inTime.id)).toMatchObject({ state: 'succeeded' });
  expect(await crew.row(id)).toMatchObject({
    state: 'running',
    progress: { stage: 'waiting' },
    calls: { under_way: false, lost: 0 },
  });
  await crew.startWorker();
  expect((await crew.window.untilEnded(id)).state).toBe('succeeded');
  expect((await crew.row(id)).calls).toMatchObject({ started: 2, lost: 0 });
  await crew.expectLeft(98);
});

test('a worker that was thought dead and comes back with its image decides nothing', async () => {
  await crew.stack.images.set({ default: { kind: 'hold' } });
  const frozen = await crew.startWorker();
  const { id } = await crew.seller.submit();
  await crew.stack.images.waitFor({ waiting: 1 });
  process.kill(frozen.pid, 'SIGSTOP');
  await crew.startWorker();
  await crew.stack.images.waitFor({ waiting: 2 });
  process.kill(frozen.pid, 'SIGCONT');
  await crew.stack.images.release();
  await crew.expectEnd(await crew.window.untilEnded(id), { state: 'succeeded', calls: 2 });
  const decided = await crew.row(id);
  expect(decided.image?.key).toMatch(/image-2\.png$/);
  // Once it has ended by itself, it has done all that it would have done.
  expect(await frozen.terminate()).toBe(0);
  expect(await crew.row(id)).toEqual(decided);
  expect(await crew.stack.audit()).toEqual([]);
});

test('a worker that stood still past its lease goes on with its jobs', async () => {
  await crew.stack.images.set({ behaviours: [{ kind: 'hold' }] });
  const worker = await crew.startWorker();
  const { id } = await crew.seller.submit();
  await crew.stack.images.waitFor({ waiting: 1 });
  process.kill(worker.pid, 'SIGSTOP');
  await expect
    .poll(async () => (await crew.row(id)).lease_until!.getTime() - Date.now(), { timeout: 5_000 })
    .toBeLessThan(-1_000);
  process.kill(worker.pid, 'SIGCONT');
  await crew.stack.images.release();
  const view = await crew.window.untilEnded(id);
  const { calls } = await crew.stack.images.state();
  await crew.expectEnd(view, { state: 'succeeded', calls: calls.length });
  expect(calls.length).toBeLessThanOrEqual(2);
});

test('MongoDB away at the end of a call: the image is kept and counted once it is back', async () => {
  const held = crew.mongo.holdAt(decisionText);
  await crew.startWatchedWorker();
  const { id } = await crew.seller.submit();
  await held;
  crew.mongo.cut();
  crew.mongo.restore();
  await crew.expectEnd(await crew.window.untilEnded(id), { state: 'succeeded', calls: 1 });
});

test('refused calls of many jobs are all retried, with several workers on one queue', async () => {
  const limit = { kind: 'error', status: 429, code: 'rate_limit_exceeded', type: 'requests' } as const;
  const refusals = Array.from({ length: 12 }, () => ({ ...limit, headers: { 'retry-after-ms': '50' } }));
  await crew.stack.images.set({ behaviours: refusals });
  await Promise.all(Array.from({ length: 3 }, () => crew.startWorker()));
  const prompts = Array.from({ length: 12 }, (_, index) => `Scene ${index}`);
  const submitted = await Promise.all(prompts.map((prompt) => crew.seller.submit({ prompt })));
  const views = await Promise.all(submitted.map(({ id }) => crew.window.untilEnded(id)));
  expect(views.map((view) => view.state)).toEqual(prompts.map(() => 'succeeded'));
  expect((await crew.stack.images.state()).calls).toHaveLength(24);
  await crew.expectLeft(88);
});
