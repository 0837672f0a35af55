/** What becomes of images that wait when their payment is returned, the month is renewed, or another plan follows. */
import { expect } from 'vitest';
import { type GenerationSet, generationFailures, type PlanId, paths } from '#contract';
import { call } from '#tests/support/account.ts';
import { actOn, readBatch, sampleRows, startedBatch } from '#tests/support/batches.ts';
import { expectError } from '#tests/support/errors.ts';
import { insertImage } from '#tests/support/finished-images.ts';
import { eventually } from '#tests/support/harness.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import {
  chargesOf,
  expectCleanSoon,
  profileOf,
  requestPlan,
  stripe,
  subscriber,
} from '#tests/support/subscriber.ts';
import { testWithStack } from '#tests/support/test.ts';

/** Images of a batch in the queue. */
const window = 2;
/** What an unlimited plan may use in a month. */
const fairUse = 150;
const test = testWithStack({
  workers: 0,
  settings: { BATCH_WINDOW: String(window), FAIR_USE_MONTHLY: String(fairUse) },
});
test.beforeEach(async ({ stack }) => {
  await Promise.all([stack.images.reset(), stack.stripe.reset()]);
});

/** Starts a batch and pauses it when its first images are in the queue. */
async function pausedBatch(seller: Seller, rows: number): Promise<string> {
  const id = await startedBatch(seller, await sampleRows(rows));
  await expect
    .poll(async () => (await readBatch(seller, id)).counts, eventually)
    .toMatchObject({ underWay: window, waiting: rows - window });
  await actOn(seller, id, 'pause');
  return id;
}

async function refund(stack: TestStack, seller: Seller): Promise<void> {
  for (const charge of await chargesOf(stack, seller)) await stripe(stack).refunds.create({ charge });
  await stack.stripe.settled();
}

/** Lets a worker do what there is to do. */
async function workUntil(stack: TestStack, isDone: () => Promise<boolean>): Promise<void> {
  const worker = await stack.startWorker();
  try {
    await expect.poll(isDone, eventually).toBe(true);
  } finally {
    // One that is left would make the images of the tests that follow.
    await worker.close();
  }
}

/** How many images of a batch are on hold and wait. */
async function waitingOf(stack: TestStack, seller: Seller): Promise<number> {
  const { holds } = await profileOf(stack, seller);
  return holds.filter(({ waiting }) => waiting).reduce((sum, { count }) => sum + count, 0);
}

const callsOf = async (stack: TestStack) => (await stack.images.state()).calls.length;

test.for<PlanId>(['freelance', 'enterprise'])(
  'after a full refund of %s no image of a paused batch is made, until a month is paid for',
  async (plan, { stack }) => {
    const seller = await subscriber(stack, plan);
    const id = await pausedBatch(seller, 6);
    await refund(stack, seller);
    expect(await waitingOf(stack, seller)).toBe(0);
    expectError(await actOn(seller, id, 'resume'), 'PAYMENT_RETURNED');
    const paused = await readBatch(seller, id);
    expect([paused.state, paused.pausedBecause]).toEqual([
      'paused',
      expect.stringContaining('refunded or is disputed'),
    ]);
    await workUntil(stack, async () => (await readBatch(seller, id)).counts.failed === window);
    expect(await callsOf(stack)).toBe(0);
    const { generations_left: left, refunded, granted, holds } = await profileOf(stack, seller);
    expect([left, holds]).toEqual([0, []]);
    expect(refunded).toBe(granted);
    await expectCleanSoon(stack);

    await stack.stripe.advance({ months: 1 });
    expect((await actOn(seller, id, 'resume')).status).toBe(200);
    await workUntil(stack, async () => (await readBatch(seller, id)).state === 'ended');
    expect((await readBatch(seller, id)).counts).toMatchObject({ succeeded: 6 - window, failed: window });
    await expectCleanSoon(stack);
  },
);

test('an image that waits is not made once its payment is returned, however it was requested', async ({
  stack,
}) => {
  const seller = await subscriber(stack, 'freelance');
  const [changed, poor] = [await insertImage(stack, seller), await insertImage(stack, seller)];
  await stack.models.generations.updateOne({ _id: poor._id }, { match: { level: 'low', area: null } });
  const instruction = 'Make the table white';
  const change = await call<GenerationSet>(seller, 'POST', paths.changes(changed._id), { instruction });
  const remade = await seller.request<GenerationSet>(paths.remake(poor._id), { method: 'POST' });
  const set = await seller.submitSet(2);
  const single = await seller.submit();
  const ids = [...change.body.generations, ...remade.body.generations, ...set, single].map(({ id }) => id);
  expect(new Set(ids).size).toBe(5);
  const batch = await startedBatch(seller, await sampleRows(3));
  // One whose attempt was given up, and which waits for the next one.
  await stack.models.generations.updateOne({ _id: single.id }, { fence: 1, state: 'running' });

  await refund(stack, seller);
  await workUntil(stack, async () => {
    const rows = await stack.models.generations.find({ profile: seller.id, ended_at: null }).lean();
    return rows.length === 0;
  });
  expect(await callsOf(stack)).toBe(0);
  for (const id of ids) {
    expect(await seller.generation(id)).toMatchObject({
      state: 'failed',
      failure: { message: generationFailures.NOT_COVERED },
    });
  }
  expect((await readBatch(seller, batch)).state).toBe('paused');
  const { holds, generations_left: left, settled, refunded } = await profileOf(stack, seller);
  expect({ holds, left, all: settled + refunded }).toEqual({ holds: [], left: 0, all: 100 });
  await expectCleanSoon(stack);
});

test('images that are released after a refund are taken back at once', async ({ stack }) => {
  const seller = await subscriber(stack, 'freelance');
  const [first, second] = [await seller.submit(), await seller.submit()];
  await refund(stack, seller);
  expect(await profileOf(stack, seller)).toMatchObject({ generations_left: 2, refunded: 98 });
  for (const { id } of [first, second]) await seller.cancel(id);
  expect(await profileOf(stack, seller)).toMatchObject({ generations_left: 0, refunded: 100 });
  await expectCleanSoon(stack);
});

test('images of a batch that wait at a renewal count in the new month', async ({ stack }) => {
  const seller = await subscriber(stack, 'freelance');
  const rows = 8;
  const id = await pausedBatch(seller, rows);
  await stack.stripe.advance({ months: 1 });
  expect(await waitingOf(stack, seller)).toBe(rows - window);
  const { generations_left: left, forfeited } = await profileOf(stack, seller);
  // Those in the queue still use the month before.
  expect([left, forfeited]).toEqual([100 + window, 100 - window]);
  const { generationsLeft, generationsHeld } = (await seller.me()).subscription;
  expect([generationsLeft, generationsHeld]).toEqual([100 - rows + window, rows]);
  await actOn(seller, id, 'resume');
  await workUntil(stack, async () => (await readBatch(seller, id)).state === 'ended');
  expect(await profileOf(stack, seller)).toMatchObject({
    settled: rows,
    generations_left: 100 - rows + window,
  });
  await expectCleanSoon(stack);
});

test('images of an ended unlimited plan are not made under a plan with a monthly number, unless it has them', async ({
  stack,
}) => {
  const seller = await subscriber(stack, 'freelance');
  await requestPlan(seller, 'enterprise');
  const [large, small] = [await pausedBatch(seller, 110), await pausedBatch(seller, 10)];
  await requestPlan(seller, 'freelance');
  await stack.stripe.advance({ months: 1 });
  expect(await waitingOf(stack, seller)).toBe(0);
  expectError(await actOn(seller, large, 'resume'), 'NO_CREDITS', {
    message: 'You asked for 108 images and have 100 images left. Please choose fewer.',
  });
  expect((await actOn(seller, small, 'resume')).status).toBe(200);
  // Twice at once: it is on hold once.
  await Promise.all([actOn(seller, small, 'resume'), actOn(seller, small, 'resume')]);
  expect((await seller.me()).subscription.generationsLeft).toBe(100 - (10 - window));
  await workUntil(stack, async () => (await readBatch(seller, small)).state === 'ended');
  // What was in the queue when the plan ended belongs to no plan.
  expect(await callsOf(stack)).toBe(10 - window);
  expect(await profileOf(stack, seller)).toMatchObject({
    settled: 10 - window,
    generations_left: 100 - (10 - window),
  });
  await expectCleanSoon(stack);
});

test('fair use of a part of a month is a part of it', async ({ stack }) => {
  const seller = await subscriber(stack, 'freelance');
  const { subscription_data: period } = await profileOf(stack, seller);
  const end = period!.current_period_end.getTime();
  const start = period!.current_period_start.getTime();
  const fifth = (end - start) / 5;
  await stack.stripe.advance({ to: Math.round((end - fifth) / 1_000) });
  await requestPlan(seller, 'enterprise');
  const batch = await startedBatch(seller, await sampleRows(fairUse / 5));
  expectError(await seller.send(), 'FAIR_USE');
  await actOn(seller, batch, 'cancel');
  await stack.stripe.advance({ months: 1 });
  const { fair_use: use, subscription_data: next } = await profileOf(stack, seller);
  expect([use.used, next!.plan_since]).toEqual([0, next!.current_period_start]);
  await pausedBatch(seller, fairUse);
  expectError(await seller.send(), 'FAIR_USE');
});
