/** The daily limit: how many images a seller may ask for in a day, and what counts. */
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import {
  type ErrorReply,
  type GenerationSet,
  type OperatorActionList,
  type OperatorDailyLimit,
  type OperatorSellerView,
  operatorPaths,
  paths,
} from '#contract';
import { remake } from '#server/generations/again.ts';
import { submitForm } from '#server/generations/submit-form.ts';
import { continueBatch } from '#shared/batches/run.ts';
import { reserveImages } from '#shared/credits/reserve.ts';
import { newId } from '#shared/data/db.ts';
import { claimGeneration, endRunning } from '#shared/data/generations/attempts.ts';
import { cancelGeneration } from '#shared/data/generations/end.ts';
import { setDailyLimit } from '#shared/data/profiles/daily-count.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { settleGeneration } from '#shared/generations/settle.ts';
import { submit } from '#shared/generations/submit.ts';
import { dayOf } from '#shared/platform/days.ts';
import { AppError } from '#shared/platform/errors.ts';
import { actOn, readBatch, sampleRows, startedBatch } from '#tests/support/batches.ts';
import {
  atOnce,
  decidedImage,
  decidedImageKey,
  decision,
  poorSeller,
  sampleSubmission,
  workerContext,
} from '#tests/support/credits.ts';
import { expectError } from '#tests/support/errors.ts';
import { FaultError, faultKinds, withFault } from '#tests/support/faults.ts';
import { eventually } from '#tests/support/harness.ts';
import { operatorOf } from '#tests/support/operator.ts';
import type { Answer, Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithCrashableDb } from '#tests/support/test.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';
import { poorImage } from './remake-steps.ts';

const limit = 5;
const test = testWithCrashableDb({
  workers: 0,
  settings: { DAILY_IMAGES: `free:2,freelance:${limit},enterprise:40`, BATCH_WINDOW: '3' },
}).extend('seller', ({ stack }) => stack.seller());
test.beforeAll(async ({ stack }) => {
  await stack.server.context.storage.put(decidedImageKey, decidedImage);
});

const expectLimit = (answer: Answer<unknown>) =>
  expectError(answer, 'DAILY_LIMIT', { message: expect.stringContaining('a day') });
const today = () => dayOf(new Date());
const usedBy = async (stack: TestStack, sellerId: string) =>
  (await findProfile(stack.db, sellerId))?.images_today?.used ?? 0;
/** Lets what a seller has asked for be of the day before, as after midnight. */
async function nextDay(stack: TestStack, sellerId: string): Promise<void> {
  const yesterday = dayOf(new Date(Date.now() - 86_400_000));
  const holds = await stack.models.profiles.findById(sellerId).lean();
  const moved = holds!.holds.map((hold) => (hold.counted_on ? { ...hold, counted_on: yesterday } : hold));
  await stack.models.profiles.updateOne(
    { _id: sellerId },
    { $set: { 'images_today.day': yesterday, holds: moved } },
  );
  await stack.models.generations.updateMany(
    { profile: sellerId, counted_on: today() },
    { counted_on: yesterday },
  );
  await stack.models.batches.updateMany(
    { profile: sellerId, waits_until: { $exists: true } },
    { waits_until: new Date() },
  );
}

/** Ends a generation without a worker, and settles it. */
async function end(
  stack: TestStack,
  id: string,
  state: 'succeeded' | 'failed',
  code: 'CONTENT_REFUSED' | 'PROVIDER_ERROR' | 'PHOTOS_UNREADABLE' | 'NOT_COVERED' = 'PROVIDER_ERROR',
): Promise<void> {
  const claim = await claimGeneration(stack.db, id, 60_000);
  // Cancelled at the same moment.
  if (claim.outcome !== 'claimed') return;
  const decided = decision(state);
  if (decided.failure) Object.assign(decided.failure, { code });
  const row = await endRunning(stack.db, { generationId: id, fence: claim.row.fence }, decided);
  if (row) await settleGeneration(stack.server.context, row);
}

async function cancel(stack: TestStack, sellerId: string, id: string): Promise<void> {
  const cancelled = await cancelGeneration(stack.db, sellerId, id, false);
  if (cancelled.outcome === 'cancelled') await settleGeneration(stack.server.context, cancelled.row);
}

/** Ends all that is under way, so that the audit has nothing to say about it. */
async function endAll(stack: TestStack, sellerId: string): Promise<void> {
  const open = { profile: sellerId, state: { $in: ['queued', 'running'] as const } };
  for (const { _id } of await stack.models.generations.find(open).lean()) await end(stack, _id, 'succeeded');
}

test('the seller reads how many images are left, and is refused with the time of the next day', async ({
  stack,
  seller,
}) => {
  const left = async () => (await seller.me()).subscription.dailyLimit;
  expect(await left()).toMatchObject({ images: limit, left: limit });
  await seller.submitSet(3);
  expect(await left()).toMatchObject({ images: limit, left: 2 });
  const tooMany = await seller.send<ErrorReply>({ fields: [['numImages', '3']] });
  expectError(tooMany, 'DAILY_LIMIT', {
    message: expect.stringMatching(
      /^You asked for 3 images, and your limit of 5 a day allows 2 more today\. Please choose fewer, or try again on \w+ \d+ at 00:00 UTC\.$/,
    ),
  });
  await seller.submitSet(2);
  const reached = await seller.send<ErrorReply>();
  expectError(reached, 'DAILY_LIMIT', {
    message: expect.stringMatching(
      /^You have reached your limit of 5 images a day\. You can create images again on \w+ \d+ at 00:00 UTC\.$/,
    ),
  });
  const toMidnight = (86_400_000 - (Date.now() % 86_400_000)) / 1_000;
  expect(Math.abs(Number(reached.headers.get('retry-after')) - toMidnight)).toBeLessThan(120);
  const subscription = (await seller.me()).subscription.dailyLimit!;
  expect(subscription.left).toBe(0);
  expect(Date.parse(subscription.renewsAt) % 86_400_000).toBe(0);
  // A repeated request is answered, not refused.
  const key = `${newId()}-again`;
  await nextDay(stack, seller.id);
  const [first] = await seller.submitSet(4, { idempotencyKey: key });
  const again = await seller.send({ idempotencyKey: key, fields: [['numImages', '4']] });
  expect(again).toMatchObject({ status: 202, body: { generations: [{ id: first!.id }, {}, {}, {}] } });
  await endAll(stack, seller.id);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('a set that is larger than the limit is not told to come back tomorrow', async ({ stack, seller }) => {
  await setDailyLimit(stack.db, seller.id, 3);
  expectError(await seller.send({ fields: [['numImages', '4']] }), 'DAILY_LIMIT', {
    message: 'You asked for 4 images, and your limit of 3 a day allows 3 more today. Please choose fewer.',
  });
});

test('each plan has its limit, and free images have one', async ({ stack }) => {
  const limitOf = async (details: Parameters<typeof stack.seller>[0]) =>
    (await (await stack.seller(details)).me()).subscription.dailyLimit?.images;
  expect(await limitOf({ plan: 'enterprise' })).toBe(40);
  expect(await limitOf({ plan: 'enterprise', paid: false })).toBe(2);
});

test('of 200 requests at once, also on a new day, exactly the images of the limit are put on hold', async ({
  stack,
}) => {
  const sellerId = await poorSeller(stack.db, 'freelance', 100);
  const { dailyImages } = stack.config;
  for (const day of ['first day', 'next day']) {
    if (day === 'next day') await nextDay(stack, sellerId);
    const seen = (await findProfile(stack.db, sellerId))!;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 200 }, () =>
        reserveImages(stack.db, seen, [{ _id: newId(), count: 1 }], { fairUse: 1_000, dailyImages }),
      ),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'DAILY_LIMIT' });
    expect(refused).toHaveLength(200 - limit);
    expect(await usedBy(stack, sellerId)).toBe(limit);
  }
  // These are holds of requests that died: those of the first day change nothing in the count of the next one.
  await runUpkeep(workerContext(stack), atOnce);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
  expect(await usedBy(stack, sellerId)).toBe(0);
});

test('of 12 submissions of sets at once, from any window, only whole sets within the limit are accepted', async ({
  stack,
  seller,
}) => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => seller.send({ fields: [['numImages', '2']] })),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 202)).toHaveLength(2);
  for (const answer of answers.filter(({ status }) => status !== 202)) expectLimit(answer);
  expect(await usedBy(stack, seller.id)).toBe(4);
  await endAll(stack, seller.id);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('what failed on our side, or was cancelled before it began, does not count; a refusal does', async ({
  stack,
  seller,
}) => {
  const counted = async (finish: (id: string) => Promise<void>) => {
    const { id } = await seller.submit();
    const before = await usedBy(stack, seller.id);
    await finish(id);
    return (await usedBy(stack, seller.id)) - before + 1;
  };
  expect(await counted((id) => end(stack, id, 'succeeded'))).toBe(1);
  expect(await counted((id) => end(stack, id, 'failed', 'PROVIDER_ERROR'))).toBe(0);
  expect(await counted((id) => end(stack, id, 'failed', 'NOT_COVERED'))).toBe(0);
  expect(await counted((id) => end(stack, id, 'failed', 'CONTENT_REFUSED'))).toBe(1);
  expect(await counted((id) => end(stack, id, 'failed', 'PHOTOS_UNREADABLE'))).toBe(1);
  expect(await counted((id) => cancel(stack, seller.id, id))).toBe(0);
  const begun = async (id: string) => {
    await claimGeneration(stack.db, id, 60_000, 1);
    await cancel(stack, seller.id, id);
  };
  expect(await counted(begun)).toBe(1);
  expect(await usedBy(stack, seller.id)).toBe(4);
  // What fails on the next day changes nothing in the count of that day.
  const { id } = await seller.submit();
  await nextDay(stack, seller.id);
  const { id: next } = await seller.submit();
  await end(stack, id, 'failed');
  expect(await usedBy(stack, seller.id)).toBe(1);
  await end(stack, next, 'failed');
  expect(await usedBy(stack, seller.id)).toBe(0);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('changes and images that are made again at no charge count, and what an operator makes again does not', async ({
  stack,
  seller,
}) => {
  await setDailyLimit(stack.db, seller.id, 2);
  const { id: made } = await seller.submit();
  await end(stack, made, 'succeeded');
  const poor = await poorImage(stack, seller);
  const first = await seller.request<GenerationSet>(paths.remake(poor), { method: 'POST' });
  expect(first.status).toBe(202);
  expect(await usedBy(stack, seller.id)).toBe(2);
  const second = await poorImage(stack, seller);
  expectLimit(await seller.request(paths.remake(second), { method: 'POST' }));
  const change = await seller.request(paths.changes(made), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ instruction: 'On grey' }),
  });
  expectLimit(change);
  await endAll(stack, seller.id);
  const failed = await stack.models.generations.findOne({ profile: seller.id, remake_of: poor }).lean();
  expect(failed).not.toBeNull();
  const retried = await submit(stack.server.context, {
    kind: 'retry',
    sellerId: seller.id,
    original: failed!,
  });
  expect(retried.accepted).toHaveLength(1);
  expect(await usedBy(stack, seller.id)).toBe(2);
  await endAll(stack, seller.id);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('a batch makes what the limit allows, waits, and goes on by itself on the next day', async ({
  stack,
  seller,
}) => {
  await seller.submit();
  const id = await startedBatch(seller, await sampleRows(7));
  const underWay = () => stack.models.generations.find({ 'batch.id': id, state: 'queued' }).lean();
  const endThose = async () => {
    for (const { _id } of await underWay()) await end(stack, _id, 'succeeded');
    await continueBatch(stack.server.context, id);
  };
  await expect.poll(async () => (await underWay()).length, eventually).toBe(3);
  await endThose();
  // Four of the batch, and one before it: the limit.
  expect(await underWay()).toHaveLength(1);
  await endThose();
  expect(await underWay()).toHaveLength(0);
  const midnight = new Date(Date.parse(today()) + 86_400_000).toISOString();
  const waiting = await readBatch(seller, id);
  expect(waiting).toMatchObject({ state: 'running', waitsUntil: midnight, timeLeft: null });
  expect(waiting.counts).toMatchObject({ succeeded: 4, waiting: 3 });
  expectLimit(await seller.send());
  await runUpkeep(workerContext(stack), atOnce);
  expect(await underWay()).toHaveLength(0);
  await nextDay(stack, seller.id);
  await runUpkeep(workerContext(stack), atOnce);
  expect(await underWay()).toHaveLength(3);
  expect(await readBatch(seller, id)).toMatchObject({ state: 'running', waitsUntil: null });
  await endThose();
  expect(await readBatch(seller, id)).toMatchObject({ state: 'ended', counts: { succeeded: 7 } });
  await endAll(stack, seller.id);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('a batch that waits for the next day can be cancelled, and gives its images back', async ({
  stack,
  seller,
}) => {
  await seller.submitSet(4);
  await seller.submit();
  const id = await startedBatch(seller, await sampleRows(3));
  await expect.poll(async () => (await readBatch(seller, id)).waitsUntil, eventually).not.toBeNull();
  expect((await seller.me()).subscription.generationsHeld).toBe(8);
  expect((await actOn(seller, id, 'cancel')).status).toBe(200);
  expect((await seller.me()).subscription.generationsHeld).toBe(5);
  expect(await usedBy(stack, seller.id)).toBe(limit);
  await expect.poll(async () => (await readBatch(seller, id)).state, eventually).toBe('ended');
  await endAll(stack, seller.id);
});

test('an operator raises, lowers and removes the limit of a seller, with a reason, and a batch that waits goes on', async ({
  stack,
  seller,
}) => {
  const operator = await operatorOf(stack);
  const set = (of: Pick<Seller, 'id'>, limit: OperatorDailyLimit['limit'] | 0, reason = 'Agreed by mail') =>
    operator.request<OperatorSellerView & ErrorReply>(operatorPaths.sellerDailyLimit(of.id), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ limit, reason }),
    });
  const viewOf = async (limit: OperatorDailyLimit['limit']) => (await set(seller, limit)).body.today;
  expect(await viewOf(1)).toMatchObject({ images: 0, limit: 1 });
  await seller.submit();
  expectLimit(await seller.send());
  const id = await startedBatch(seller, await sampleRows(2));
  await expect.poll(async () => (await readBatch(seller, id)).waitsUntil, eventually).not.toBeNull();
  expect(await viewOf(2)).toMatchObject({ images: 1, limit: 2 });
  await expect.poll(() => usedBy(stack, seller.id), eventually).toBe(2);
  expect(await viewOf('none')).toMatchObject({ limit: null, ownSince: expect.any(String) });
  await expect.poll(() => usedBy(stack, seller.id), eventually).toBe(3);
  await seller.submitSet(4);
  expect(await viewOf('installation')).toEqual({ images: 7, limit, ownSince: null });
  expectLimit(await seller.send());

  expect(await set(seller, 0)).toMatchObject({ status: 400, body: { error: { field: 'limit' } } });
  expectError(await set(seller, 9, ''), 'VALIDATION', { field: 'reason', message: 'Please say why.' });
  expectError(await set({ id: newId() }, 9), 'NOT_FOUND');
  expectError(await set(operator, 9), 'OPERATORS_ONLY', {
    message: 'This is your own account. Another operator has to do this.',
  });
  const log = await operator.request<OperatorActionList>(`${operatorPaths.actions}?target=${seller.id}`);
  expect(log.body.actions.map(({ newerAction, details }) => [newerAction, details])).toEqual([
    ['set-daily-limit', 'The daily limit of the installation'],
    ['set-daily-limit', 'No daily limit'],
    ['set-daily-limit', '2 images a day'],
    ['set-daily-limit', '1 image a day'],
  ]);
  await endAll(stack, seller.id);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('the audit finds a counter that differs from the images', async ({ stack, seller }) => {
  await seller.submit();
  await endAll(stack, seller.id);
  await stack.models.profiles.updateOne({ _id: seller.id }, { 'images_today.used': 2 });
  await expect
    .poll(() => stack.audit(), eventually)
    .toEqual([{ id: seller.id, problem: `2 images are counted on ${today()}, and there are 1` }]);
  await stack.models.profiles.updateOne({ _id: seller.id }, { 'images_today.used': 1 });
});

test('whatever happens at once and whichever step fails, the limit is never passed and the counter is exact', async ({
  stack,
  crashableDb,
}) => {
  const { context } = stack.server;
  const crashing = { ...context, db: crashableDb };
  const step = fc.record({
    kind: fc.constantFrom('submit', 'remake', 'batch', 'end', 'refuse', 'fail', 'cancel', 'limit', 'upkeep'),
    number: fc.integer({ min: 1, max: 4 }),
    fault: fc.option(fc.record({ kind: fc.constantFrom(...faultKinds), at: fc.nat(8) }), { nil: undefined }),
  });
  const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 6 });
  const parameters = { numRuns: 6, seed: randomInt(2 ** 31) };
  console.info(`the daily limit: seed ${parameters.seed}`);
  const expected = (error: unknown) => {
    if (!(error instanceof AppError || error instanceof FaultError || error instanceof AggregateError))
      throw error;
  };
  await fc.assert(
    fc.asyncProperty(rounds, async (all) => {
      const seller = await stack.seller();
      let most = limit;
      const poor = [await poorImage(stack, seller), await poorImage(stack, seller)];
      const batch = await startedBatch(seller, await sampleRows(3));
      const open = async () =>
        stack.models.generations.find({ profile: seller.id, state: { $in: ['queued', 'running'] } }).lean();
      const run = async ({ kind, number }: { kind: string; number: number }) => {
        const rows = await open();
        const row = rows[number % Math.max(1, rows.length)];
        if (kind === 'submit') {
          await submitForm(crashing, await sampleSubmission(stack, seller.id, { takes: number }));
        } else if (kind === 'remake')
          await remake(crashing, { sellerId: seller.id, id: poor[number % 2]!, network: '' });
        else if (kind === 'batch') await continueBatch(crashing, batch);
        else if (kind === 'limit') {
          // Only upwards: what was allowed before stays made.
          most = Math.max(most, limit + number);
          await setDailyLimit(stack.db, seller.id, most);
        } else if (kind === 'upkeep') await runUpkeep(workerContext(stack, crashableDb), atOnce);
        else if (row && kind === 'cancel') await cancel(stack, seller.id, row._id);
        else if (row && row.state === 'queued') {
          await end(
            stack,
            row._id,
            kind === 'end' ? 'succeeded' : 'failed',
            kind === 'refuse' ? 'CONTENT_REFUSED' : 'PROVIDER_ERROR',
          );
        }
      };
      for (const steps of all) {
        // One of them with a fault; the others at the same time, without.
        const [first, ...others] = steps;
        await Promise.all([
          withFault(first!.fault, () => run(first!)).catch(expected),
          ...others.map((each) => run(each).catch(expected)),
        ]);
        expect(await usedBy(stack, seller.id)).toBeLessThanOrEqual(most);
      }
      await runUpkeep(workerContext(stack), atOnce);
      await endAll(stack, seller.id);
      await actOn(seller, batch, 'cancel');
      await runUpkeep(workerContext(stack), atOnce);
      await endAll(stack, seller.id);
      await runUpkeep(workerContext(stack), atOnce);
      await expect.poll(() => stack.audit(), eventually).toEqual([]);
      const made = await stack.models.generations.countDocuments({
        profile: seller.id,
        counted_on: today(),
        $or: [{ state: 'succeeded' }, { 'failure.code': 'CONTENT_REFUSED' }],
      });
      expect(made).toBeLessThanOrEqual(most);
      expect(await usedBy(stack, seller.id)).toBeGreaterThanOrEqual(made);
    }),
    parameters,
  );
});
