/** The daily budget of calls to the image provider that no image pays for, of a seller and of a network. */

import { expect } from 'vitest';
import {
  type GenerationSet,
  generationFailures,
  limits,
  type OperatorSellerView,
  operatorPaths,
  paths,
} from '#contract';
import { requestLimits } from '#contract/request-limits.ts';
import { giveImages } from '#server/operator/support-images.ts';
import {
  countedNetwork,
  countUnpaidCallsOf,
  resetUnpaidCalls,
  unpaidCallsAllowed,
  unpaidCallsToday,
} from '#shared/credits/unpaid-calls.ts';
import {
  addUnpaidCalls,
  countUnpaidCalls,
  type UnpaidCallsOwner,
} from '#shared/data/billing/unpaid-calls.ts';
import { connectDb } from '#shared/data/connect.ts';
import { claimGeneration, endRunning } from '#shared/data/generations/attempts.ts';
import { cancelGeneration } from '#shared/data/generations/end.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { recordUnmade } from '#shared/data/profiles/holds.ts';
import { settleGeneration } from '#shared/generations/settle.ts';
import { dayOf } from '#shared/platform/days.ts';
import { call } from '#tests/support/account.ts';
import { actOn, readBatch, sampleRows, startedBatch, uploadedBatch } from '#tests/support/batches.ts';
import { atOnce, workerContext } from '#tests/support/credits.ts';
import { expectError } from '#tests/support/errors.ts';
import { crashable, meetsFault, usualFaultKinds } from '#tests/support/faults.ts';
import { eventually } from '#tests/support/harness.ts';
import { operatorOf } from '#tests/support/operator.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import { contentRefused } from '#tests/support/provider-calls.ts';
import type { Answer, Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';
import { failedWithoutCall } from '#worker/generate/attempt.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';
import type { RunningWorker } from '#worker/worker.ts';
import { poorImage } from './remake-steps.ts';

const { withoutPlan, ofNetwork } = limits.unpaidCalls;
const window = 3;
const test = testWithSeller(
  {
    workers: 0,
    settings: {
      UNPAID_CALLS_FACTOR: '1',
      NETWORK_LIMIT_FACTOR: '1',
      // The test acts as a proxy: its X-Forwarded-For header says which network a request comes from.
      TRUSTED_PROXIES: '1',
      WORKER_CONCURRENCY: '8',
      BATCH_WINDOW: String(window),
    },
  },
  { paid: false },
).extend('worker', async ({ stack }, { onCleanup }): Promise<RunningWorker> => {
  const worker = await stack.startWorker();
  onCleanup(() => worker.close());
  return worker;
});
test.beforeEach(async ({ stack }) => {
  await stack.images.reset();
  // All sellers of the tests have one network.
  await stack.models.unpaidCalls.deleteMany();
});

const expectStopped = (answer: Answer<unknown>, whose = 'of your images') =>
  expectError(answer, 'UNPAID_CALLS', { message: expect.stringContaining(`Too many ${whose} today`) });
const give = (stack: TestStack, seller: Seller, count: number) =>
  giveImages(stack.server.context, seller.id, { key: `test:${seller.id}`, count });
const ownerOf = (seller: Seller): UnpaidCallsOwner => ({ kind: 'seller', id: seller.id });
const countOf = async (stack: TestStack, owner: UnpaidCallsOwner) =>
  (await countUnpaidCalls(stack.db, [owner], dayOf(new Date())))[0];
const spend = async (stack: TestStack, owner: UnpaidCallsOwner, count: number) => {
  if (owner.kind === 'seller') await recordUnmade(stack.db, owner.id, new Date());
  const calls = Array.from({ length: count }, (_, index) => `earlier ${index}`);
  await addUnpaidCalls(stack.db, owner, dayOf(new Date()), calls);
};
const networkOf = async (stack: TestStack, seller: Seller): Promise<UnpaidCallsOwner> => ({
  kind: 'network',
  id: countedNetwork((await findProfile(stack.db, seller.id))!, '127.0.0.1')!,
});

test('a free account that has blank results and cancels before the first preview is stopped after its budget', async ({
  stack,
  seller,
  window,
  worker: _,
}) => {
  await give(stack, seller, 3);
  const answers: number[] = [];
  for (let round = 0; round < 9; round += 1) {
    const blank = round % 2 === 0;
    await stack.images.set({ default: blank ? { kind: 'blank' } : { kind: 'hold' } });
    const answer = await seller.send();
    answers.push(answer.status);
    if (answer.status !== 202) continue;
    const { id } = answer.body.generations[0]!;
    if (!blank) {
      await stack.images.waitFor({ waiting: 1 });
      expect((await seller.cancel(id)).status).toBe(200);
    }
    await window.untilEnded(id);
    await expect.poll(() => stack.models.generations.countDocuments({ settlement_due: true })).toBe(0);
  }
  // Blank results are tried twice: 2 + 1 + 2 + 1.
  expect(answers).toEqual([202, 202, 202, 202, ...Array(5).fill(429)]);
  expect((await stack.images.state()).calls).toHaveLength(withoutPlan);
  const refused = await seller.send();
  expectError(refused, 'UNPAID_CALLS', {
    message: expect.stringMatching(
      /^Too many of your images today were .* You can create images again on \w+ \d+ at 00:00 UTC\. Choose a plan or contact us if you need them sooner\.$/,
    ),
  });
  const toMidnight = (86_400_000 - (Date.now() % 86_400_000)) / 1_000;
  const retryAfter = Number(refused.headers.get('retry-after'));
  expect(Math.abs(retryAfter - toMidnight)).toBeLessThan(120);
  expect((await seller.me()).subscription.freeImages).toMatchObject({ left: 3, held: 0 });
  expect(await stack.audit()).toEqual([]);
});

test('only calls count that may be billed and that no image pays for', async ({
  stack,
  seller,
  window,
  worker,
}) => {
  await give(stack, seller, 8);
  const end = async (behaviours: Parameters<typeof stack.images.set>[0]['behaviours']) => {
    await stack.images.set({ behaviours: behaviours! });
    const { id } = await seller.submit();
    await window.untilEnded(id);
    await expect.poll(() => stack.models.generations.countDocuments({ settlement_due: true })).toBe(0);
    return countOf(stack, ownerOf(seller));
  };
  expect(await end([{ kind: 'ok' }])).toBe(0);
  expect(await end([contentRefused])).toBe(0);
  // A retry that makes the image pays for the first call as well.
  expect(await end([{ kind: 'blank' }, { kind: 'ok' }])).toBe(0);
  const rejected = { kind: 'error', status: 422, code: 'bad', type: 'invalid_request_error' } as const;
  expect(await end([rejected])).toBe(0);
  const serverError = { kind: 'error', status: 500, code: 'server_error', type: 'server_error' } as const;
  expect(await end([serverError, serverError])).toBe(2);
  await stack.images.set({ behaviours: [{ kind: 'hold' }] });
  await worker.close();
  const { id } = await seller.submit();
  expect((await seller.cancel(id)).body).not.toHaveProperty('notice');
  expect(await countOf(stack, ownerOf(seller))).toBe(2);
});

test('many cancels at once, and settlements that are repeated, count each call once; the network is forgotten', async ({
  stack,
  seller,
  worker: _,
}) => {
  const count = 8;
  await give(stack, seller, count);
  await stack.images.set({ default: { kind: 'hold' } });
  const sets = [await seller.submitSet(4), await seller.submitSet(4)];
  const ids = sets.flat().map(({ id }) => id);
  await stack.images.waitFor({ waiting: count });
  const rows = await stack.models.generations.find({ profile: seller.id }).lean();
  const network = await networkOf(stack, seller);
  expect(rows.map((row) => row.network)).toEqual(Array(count).fill(network.id));
  const answers = await Promise.all(ids.map((id) => seller.cancel(id)));
  expect(answers.map(({ status }) => status)).toEqual(Array(count).fill(200));
  const ended = await stack.models.generations.find({ profile: seller.id }).lean();
  await Promise.all(
    ended.flatMap((row) => {
      const again = { ...row, network: network.id };
      return [settleGeneration(stack.server.context, again), countUnpaidCallsOf(stack.db, again)];
    }),
  );
  expect(await countOf(stack, ownerOf(seller))).toBe(count);
  expect(await countOf(stack, network)).toBe(count);
  const settled = await stack.models.generations.find({ profile: seller.id }).lean();
  expect(settled.map((row) => row.network)).toEqual(Array(count).fill(undefined));
  expectStopped(await seller.send());
});

test('a process that dies, or loses an answer, at any step of a settlement: the call counts once', async ({
  stack,
  seller,
  onTestFinished,
}) => {
  await give(stack, seller, 1);
  const db = crashable(await connectDb(stack.config.mongodbUrl));
  onTestFinished(() => db.close());
  const network = await networkOf(stack, seller);
  let steps = 0;
  for (const kind of usualFaultKinds) {
    for (let at = 0, interrupted = true; interrupted; at += 1) {
      const { id } = await seller.submit();
      const claim = await claimGeneration(stack.db, id, 60_000, 1);
      expect(claim.outcome).toBe('claimed');
      const cancelled = await cancelGeneration(stack.db, seller.id, id, false);
      if (cancelled.outcome !== 'cancelled') throw new Error(cancelled.outcome);
      interrupted = await meetsFault({ kind, at }, () =>
        settleGeneration({ ...stack.server.context, db }, cancelled.row),
      );
      await runUpkeep(workerContext(stack), atOnce);
      expect(await countOf(stack, ownerOf(seller)), `${kind} at ${at}`).toBe(1);
      expect(await countOf(stack, network), `${kind} at ${at}`).toBe(1);
      await stack.models.unpaidCalls.deleteMany();
      steps += 1;
    }
  }
  expect(steps).toBeGreaterThan(10);
});

test('no other way begins an image either: a change, an image made again at no charge, a retry by an operator', async ({
  stack,
  seller,
}) => {
  await give(stack, seller, 4);
  const operator = await operatorOf(stack, { paid: false });
  const id = await poorImage(stack, seller);
  const failed = await seller.submit();
  const claim = await claimGeneration(stack.db, failed.id, 60_000, 1);
  if (claim.outcome !== 'claimed') throw new Error(claim.outcome);
  const attempt = { generationId: failed.id, fence: claim.row.fence };
  const row = await endRunning(stack.db, attempt, failedWithoutCall('PROVIDER_BUSY', 'a test'));
  await settleGeneration(stack.server.context, row!);
  await spend(stack, ownerOf(seller), withoutPlan);
  expectStopped(await call(seller, 'POST', paths.changes(id), { instruction: 'Blue' }));
  expectStopped(await seller.request(paths.remake(id), { method: 'POST' }));
  const retry = operatorPaths.generationAction(failed.id, 'retry');
  const { revision } = row!;
  expectStopped(await call(operator, 'POST', retry, { reason: 'A test', revision }));
  expect(await stack.models.generations.countDocuments({ profile: seller.id })).toBe(2);
});

test('a new day (UTC) begins with a new budget', async ({ stack, seller }) => {
  await give(stack, seller, 3);
  await spend(stack, ownerOf(seller), withoutPlan);
  expectStopped(await seller.send());
  const [today] = await stack.models.unpaidCalls.find({ _id: /^seller:/ }).lean();
  const yesterday = dayOf(new Date(Date.now() - 86_400_000));
  await stack.models.unpaidCalls.deleteMany();
  await stack.models.unpaidCalls.create({ ...today!, _id: `seller:${seller.id}:${yesterday}` });
  const { id } = await seller.submit();
  // No other test's worker is to make it.
  await seller.cancel(id);
});

test('images that wait when the budget is used up end without a call and without a charge', async ({
  stack,
  seller,
  window,
}) => {
  await give(stack, seller, 8);
  const ids = [...(await seller.submitSet(4)), ...(await seller.submitSet(4))].map(({ id }) => id);
  await spend(stack, ownerOf(seller), withoutPlan);
  const worker = await stack.startWorker();
  const ended = await Promise.all(ids.map((id) => window.untilEnded(id)));
  // Pages of the release before do not know the code UNPAID_CALLS.
  const failure = { code: 'GENERATION_FAILED', message: generationFailures.UNPAID_CALLS };
  for (const view of ended) expect(view).toMatchObject({ state: 'failed', failure });
  const rows = await stack.models.generations.find({ profile: seller.id }).lean();
  expect(new Set(rows.map((row) => row.failure?.code))).toEqual(new Set(['UNPAID_CALLS']));
  await worker.close();
  expect((await stack.images.state()).calls).toHaveLength(0);
  expect(await countOf(stack, ownerOf(seller))).toBe(withoutPlan);
  expect((await seller.me()).subscription.freeImages).toMatchObject({ left: 8, held: 0 });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('near its end, images that are made at the same time exceed the budget by one call each: none is retried', async ({
  stack,
  seller,
  window,
  worker: _,
}) => {
  await give(stack, seller, 3);
  await spend(stack, ownerOf(seller), withoutPlan - 1);
  await stack.images.set({ default: { kind: 'blank' } });
  const set = await seller.submitSet(3);
  await Promise.all(set.map(({ id }) => window.untilEnded(id)));
  const rows = await stack.models.generations.find({ profile: seller.id }).lean();
  // Fewer calls than images when one has ended before another one begins.
  expect(Math.max(...rows.map(({ calls }) => calls.started))).toBe(1);
});

test('sellers without a plan share the budget of their network; a seller with a plan is not stopped by it', async ({
  stack,
  seller,
  worker: _,
}) => {
  await give(stack, seller, 3);
  const network = await networkOf(stack, seller);
  await stack.images.set({ default: { kind: 'hold' } });
  const { id } = await seller.submit();
  await stack.images.waitFor({ waiting: 1 });
  await seller.cancel(id);
  expect(await countOf(stack, network)).toBe(1);
  await spend(stack, network, ofNetwork - 1);
  expectStopped(await seller.send(), 'images from your network');
  const paying = await stack.seller();
  await stack.images.set({ default: { kind: 'ok' } });
  const accepted = await paying.submit();
  const row = await stack.models.generations.findById(accepted.id).lean();
  expect(row).not.toHaveProperty('network');
});

test('sellers without a plan in the networks of one /56, and of one /48, share budgets of their own', async ({
  stack,
  seller,
  worker: _,
}) => {
  await give(stack, seller, 4);
  await stack.images.set({ default: { kind: 'hold' } });
  const sendFrom = async (address: string) => {
    const form = new FormData();
    form.set('images', new Blob([new Uint8Array(await samplePhoto())], { type: 'image/png' }), 'cup.png');
    form.set('prompt', 'On oak');
    return seller.request<GenerationSet>(paths.generations, {
      method: 'POST',
      headers: { 'idempotency-key': address, 'x-forwarded-for': address },
      body: form,
    });
  };
  const stopOneFrom = async (address: string) => {
    const accepted = await sendFrom(address);
    expect(accepted.status).toBe(202);
    await stack.images.waitFor({ waiting: 1 });
    await seller.cancel(accepted.body.generations[0]!.id);
    await stack.images.waitFor({ active: 0 });
  };
  const profile = (await findProfile(stack.db, seller.id))!;
  const owners = countedNetwork(profile, '2001:db8:7:1::/64')!
    .split(' ')
    .map((id): UnpaidCallsOwner => ({ kind: 'network', id }));
  await stopOneFrom('2001:db8:7:1::1');
  expect(await Promise.all(owners.map((owner) => countOf(stack, owner)))).toEqual([1, 1, 1]);
  const { widerNetworks } = requestLimits;
  await spend(stack, owners[1]!, ofNetwork * widerNetworks[56] - 1);
  await spend(stack, owners[2]!, ofNetwork * widerNetworks[48] - 2);
  const stopped = 'images from your network';
  expectStopped(await sendFrom('2001:db8:7:2::1'), stopped);
  const view = () => unpaidCallsToday(stack.server.context, profile);
  expect(await view()).toMatchObject({ stoppedByNetwork: true });
  // Another /56, until the /48 has no more either.
  await stopOneFrom('2001:db8:7:100::1');
  expectStopped(await sendFrom('2001:db8:7:200::1'), stopped);
  // Another customer of the same provider.
  await stopOneFrom('2001:db8:8:1::1');
  await resetUnpaidCalls(stack.db, seller.id);
  expect(await view()).toMatchObject({ used: 0, stoppedByNetwork: false });
});

test('the budget is a part of the plan', async ({ stack, seller }) => {
  const [freelance, enterprise] = [await stack.seller(), await stack.seller({ plan: 'enterprise' })];
  const allowed = async ({ id }: Seller) =>
    unpaidCallsAllowed((await findProfile(stack.db, id))!, stack.config);
  expect(await allowed(seller)).toBe(withoutPlan);
  expect(await allowed(freelance)).toBe(25);
  expect(await allowed(enterprise)).toBe(limits.unpaidCalls.unlimited);
});

test('a batch is not started, and one that runs pauses and says why; the next day it goes on', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const id = await startedBatch(seller, await sampleRows(4));
  await expect.poll(() => stack.models.generations.countDocuments({ profile: seller.id })).toBe(window);
  await spend(stack, ownerOf(seller), 25);
  const [first] = await stack.models.generations.find({ profile: seller.id }).lean();
  await seller.cancel(first!._id);
  await expect
    .poll(() => readBatch(seller, id), eventually)
    .toMatchObject({
      state: 'paused',
      pausedBecause: expect.stringContaining('Too many of your images today'),
    });
  expectStopped(await actOn(seller, id, 'resume'));
  const other = await uploadedBatch(seller, await sampleRows(1));
  expectStopped(await actOn(seller, other, 'start'));
  await stack.models.unpaidCalls.deleteMany();
  expect((await actOn(seller, id, 'resume')).status).toBe(200);
  await expect.poll(() => stack.models.generations.countDocuments({ profile: seller.id })).toBe(4);
  await actOn(seller, id, 'cancel');
});

test('who cancels is told when few are left', async ({ stack, seller, worker: _ }) => {
  await give(stack, seller, 3);
  await spend(stack, ownerOf(seller), withoutPlan - 4);
  await stack.images.set({ default: { kind: 'hold' } });
  const notices: (string | undefined)[] = [];
  for (let round = 0; round < 4; round += 1) {
    const { id } = await seller.submit();
    await stack.images.waitFor({ waiting: 1 });
    notices.push((await seller.cancel(id)).body.notice);
    await stack.images.waitFor({ active: 0 });
  }
  expect(notices).toEqual([
    undefined,
    expect.stringMatching(/^You can stop 2 more images early today\./),
    expect.stringMatching(/^You can stop 1 more image early today\./),
    expect.stringMatching(/^Too many images were stopped early today\./),
  ]);
});

test('an operator sees the count and resets it, also that of the network', async ({ stack, seller }) => {
  await give(stack, seller, 3);
  const operator = await operatorOf(stack, { paid: false });
  const network = await networkOf(stack, seller);
  const view = async () =>
    (await operator.request<OperatorSellerView>(operatorPaths.seller(seller.id))).body.unpaidCalls;
  expect(await view()).toEqual({ used: 0, allowed: withoutPlan, stoppedByNetwork: false });
  await spend(stack, ownerOf(seller), withoutPlan);
  await spend(stack, network, ofNetwork);
  await seller.send();
  expect(await view()).toEqual({ used: withoutPlan, allowed: withoutPlan, stoppedByNetwork: false });
  const reset = () =>
    call<OperatorSellerView>(operator, 'POST', operatorPaths.sellerAction(seller.id, 'reset-unpaid-calls'), {
      reason: 'The service returned blank images',
    });
  expect((await reset()).body.unpaidCalls).toMatchObject({ used: 0 });
  expectStopped(await seller.send(), 'images from your network');
  expect(await view()).toEqual({ used: 0, allowed: withoutPlan, stoppedByNetwork: true });
  expect((await reset()).body.unpaidCalls).toMatchObject({ stoppedByNetwork: false });
  expect((await seller.send()).status).toBe(202);
  // What was counted before the reset is not counted again.
  await spend(stack, ownerOf(seller), withoutPlan);
  expect(
    await unpaidCallsToday(stack.server.context, (await findProfile(stack.db, seller.id))!),
  ).toMatchObject({ used: 0 });
  const actions = await stack.models.operatorActions.find({ target: seller.id }).lean();
  expect(actions.map(({ action, outcome }) => [action, outcome])).toEqual(
    Array(2).fill(['reset-unpaid-calls', 'done']),
  );
});
