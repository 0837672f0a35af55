import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { GenerationView } from '../../shared/contract/index.ts';
import type { GenerationRow } from '../../shared/data/generation.ts';
import type { Seller, SellerWindow } from '../support/seller.ts';
import { type GivenSettings, startTestStack, type TestStack } from '../support/stack.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

type WorkerProcess = Awaited<ReturnType<TestStack['startWorkerProcess']>>;

let stack: TestStack;
/** Before the workers' MongoDB. */
let mongo: TcpProxy;
let seller: Seller;
let window: SellerWindow;
let running: WorkerProcess[] = [];

beforeAll(async () => {
  stack = await startTestStack({ workers: 0 });
  mongo = await startTcpProxy(stack.config.mongodbUrl);
});
beforeEach(async () => {
  await stack.images.reset();
  seller = await stack.seller();
  window = await seller.openWindow();
});
afterEach(async () => {
  window.close();
  await Promise.all(running.map((worker) => worker.kill()));
  running = [];
});
afterAll(async () => {
  await mongo.close();
  await stack.close();
});

async function startWorker(settings: GivenSettings = {}): Promise<WorkerProcess> {
  const worker = await stack.startWorkerProcess(settings);
  running.push(worker);
  return worker;
}

/** A worker that reaches MongoDB through the proxy. */
const startWatchedWorker = () => startWorker({ MONGODB_URL: mongo.url });

/** In the packet of a decision that an image was made, and in no other. */
const decisionText = 'milliseconds';

const row = async (id: string): Promise<GenerationRow> => (await stack.data.generations.findById(id).lean())!;

/** Holds the end that a seller was shown against balance, ledger and provider calls. */
async function expectEnd(
  view: GenerationView,
  end: { state: 'succeeded' | 'failed'; calls: number },
): Promise<void> {
  expect(view).toMatchObject({ state: end.state });
  const left = end.state === 'succeeded' ? 99 : 100;
  await expect
    .poll(async () => (await seller.me()).subscription)
    .toMatchObject({ generationsLeft: left, generationsHeld: 0 });
  expect((await stack.images.state()).calls).toHaveLength(end.calls);
  await expect.poll(() => stack.audit()).toEqual([]);
}

test('killed between claim and provider call: another worker makes it with one call', async () => {
  const held = mongo.holdAt('calls.started');
  const first = await startWatchedWorker();
  const { id } = await seller.submit();
  await held;
  expect(await row(id)).toMatchObject({ state: 'running', calls: { started: 0 } });
  await first.kill();
  await startWorker();
  await expectEnd(await window.untilEnded(id), { state: 'succeeded', calls: 1 });
  expect((await row(id)).calls).toMatchObject({ started: 1, lost: 0 });
});

test('killed during the provider call: it is replaced once and counted once', async () => {
  await stack.images.set({ behaviours: [{ kind: 'hold' }] });
  const first = await startWorker();
  const { id } = await seller.submit();
  await stack.images.waitFor({ waiting: 1 });
  await first.kill();
  await startWorker();
  await expectEnd(await window.untilEnded(id), { state: 'succeeded', calls: 2 });
  expect((await row(id)).calls).toMatchObject({ started: 2, lost: 1 });
});

test('killed with the image stored and nothing decided: the stored image is taken, no second call', async () => {
  const held = mongo.holdAt(decisionText);
  const first = await startWatchedWorker();
  const { id } = await seller.submit();
  await held;
  expect(await row(id)).toMatchObject({ state: 'running', image: null });
  await first.kill();
  await startWorker();
  await expectEnd(await window.untilEnded(id), { state: 'succeeded', calls: 1 });
  expect((await row(id)).image?.key).toMatch(/image-1\.png$/);
});

test('killed between the decision and the balance: the reconciler lets the balance follow', async () => {
  const held = mongo.holdAt('settled');
  const first = await startWatchedWorker();
  const { id } = await seller.submit();
  await held;
  expect(await row(id)).toMatchObject({ state: 'succeeded', settlement_due: true });
  await first.kill();
  await startWorker();
  await expect.poll(() => row(id), { timeout: 15_000 }).not.toHaveProperty('settlement_due');
  await expectEnd(await window.untilEnded(id), { state: 'succeeded', calls: 1 });
});

test('two workers killed during its calls: it fails and nothing is counted', async () => {
  await stack.images.set({ default: { kind: 'hold' } });
  const { id } = await seller.submit();
  for (const calls of [1, 2]) {
    const worker = await startWorker();
    await stack.images.waitFor({ calls, waiting: 1 });
    await worker.kill();
    await stack.images.waitFor({ active: 0 });
  }
  await startWorker();
  const view = await window.untilEnded(id);
  expect(view.failure?.code).toBe('GENERATION_FAILED');
  await expectEnd(view, { state: 'failed', calls: 2 });
});

test('five workers share the work; one killed in its call costs one call more', async () => {
  const one = { WORKER_CONCURRENCY: '1', WORKER_LOCK_MS: '4000' };
  const workers = await Promise.all(Array.from({ length: 5 }, () => startWorker(one)));
  await stack.images.set({ default: { kind: 'hold' } });
  const prompts = Array.from({ length: 15 }, (_, index) => `Scene ${index}`);
  const submitted = await Promise.all(prompts.map((prompt) => seller.submit({ prompt })));
  // One job at a time each: five calls at once are five workers.
  const { calls } = await stack.images.waitFor({ waiting: 5 });
  expect(new Set(calls.map((call) => call.prompt)).size).toBe(5);

  await workers[0]!.kill();
  await stack.images.set({ default: { kind: 'ok' } });
  await stack.images.release();
  const views = await Promise.all(submitted.map(({ id }) => window.untilEnded(id)));
  expect(views.map((view) => view.state)).toEqual(prompts.map(() => 'succeeded'));
  const made = (await stack.images.state()).calls.map((call) => call.prompt);
  expect(made).toHaveLength(prompts.length + 1);
  expect(new Set(made)).toEqual(new Set(prompts));
  await expect.poll(async () => (await seller.me()).subscription.generationsLeft).toBe(85);
  await expect.poll(() => stack.audit()).toEqual([]);
});

test('SIGTERM: what ends within the grace period ends, the rest is handed back and made by another worker', async () => {
  await stack.images.set({ behaviours: [{ kind: 'slow', ms: 1_200 }, { kind: 'hold' }] });
  const worker = await startWorker({ WORKER_GRACE_MS: '3000' });
  const inTime = await seller.submit();
  await stack.images.waitFor({ calls: 1 });
  const { id } = await seller.submit();
  await stack.images.waitFor({ waiting: 1 });
  expect(await worker.terminate()).toBe(0);
  expect(await row(inTime.id)).toMatchObject({ state: 'succeeded' });
  expect(await row(id)).toMatchObject({
    state: 'running',
    progress: { stage: 'waiting' },
    calls: { under_way: false, lost: 0 },
  });
  await startWorker();
  expect((await window.untilEnded(id)).state).toBe('succeeded');
  expect((await row(id)).calls).toMatchObject({ started: 2, lost: 0 });
  await expect.poll(async () => (await seller.me()).subscription.generationsLeft).toBe(98);
  await expect.poll(() => stack.audit()).toEqual([]);
});

test('a worker that was thought dead and comes back with its image decides nothing', async () => {
  await stack.images.set({ default: { kind: 'hold' } });
  const frozen = await startWorker();
  const { id } = await seller.submit();
  await stack.images.waitFor({ waiting: 1 });
  process.kill(frozen.pid, 'SIGSTOP');
  await startWorker();
  await stack.images.waitFor({ waiting: 2 });
  process.kill(frozen.pid, 'SIGCONT');
  await stack.images.release();
  await expectEnd(await window.untilEnded(id), { state: 'succeeded', calls: 2 });
  const decided = await row(id);
  expect(decided.image?.key).toMatch(/image-2\.png$/);
  // Once it has ended by itself, it has done all that it would have done.
  expect(await frozen.terminate()).toBe(0);
  expect(await row(id)).toEqual(decided);
  expect(await stack.audit()).toEqual([]);
});

test('a worker that stood still past its lease goes on with its jobs', async () => {
  await stack.images.set({ behaviours: [{ kind: 'hold' }] });
  const worker = await startWorker();
  const { id } = await seller.submit();
  await stack.images.waitFor({ waiting: 1 });
  process.kill(worker.pid, 'SIGSTOP');
  await expect
    .poll(async () => (await row(id)).lease_until!.getTime() - Date.now(), { timeout: 5_000 })
    .toBeLessThan(-1_000);
  process.kill(worker.pid, 'SIGCONT');
  await stack.images.release();
  const view = await window.untilEnded(id);
  const { calls } = await stack.images.state();
  await expectEnd(view, { state: 'succeeded', calls: calls.length });
  expect(calls.length).toBeLessThanOrEqual(2);
});

test('MongoDB away at the end of a call: the image is kept and counted once it is back', async () => {
  const held = mongo.holdAt(decisionText);
  await startWatchedWorker();
  const { id } = await seller.submit();
  await held;
  mongo.cut();
  mongo.restore();
  await expectEnd(await window.untilEnded(id), { state: 'succeeded', calls: 1 });
});

test('refused calls of many jobs are all retried, with several workers on one queue', async () => {
  const limit = { kind: 'error', status: 429, code: 'rate_limit_exceeded', type: 'requests' } as const;
  const refusals = Array.from({ length: 12 }, () => ({ ...limit, headers: { 'retry-after-ms': '50' } }));
  await stack.images.set({ behaviours: refusals });
  // Which job meets a refusal is chance: tries enough for the one that meets them all.
  await Promise.all(Array.from({ length: 3 }, () => startWorker({ PROVIDER_ATTEMPTS: '20' })));
  const prompts = Array.from({ length: 12 }, (_, index) => `Scene ${index}`);
  const submitted = await Promise.all(prompts.map((prompt) => seller.submit({ prompt })));
  const views = await Promise.all(submitted.map(({ id }) => window.untilEnded(id)));
  expect(views.map((view) => view.state)).toEqual(prompts.map(() => 'succeeded'));
  expect((await stack.images.state()).calls).toHaveLength(24);
  await expect.poll(async () => (await seller.me()).subscription.generationsLeft).toBe(88);
  await expect.poll(() => stack.audit()).toEqual([]);
});

test('nothing is left in the folder but what rows name', async () => {
  const folder = join(stack.config.storageFolder, 'generations');
  const rows = await stack.data.generations.find().lean();
  const named = rows.map((each) => each._id).sort();
  expect((await readdir(folder)).sort()).toEqual(named);
});
