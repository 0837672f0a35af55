/** Holds: how many are placed, on which balance, which attempt may end them, and free images whose grant was interrupted. */
import { expect } from 'vitest';
import { giveFreeImages } from '#server/accounts/free-images/free-images.ts';
import { submitForm } from '#server/generations/submit-form.ts';
import { settleHold } from '#shared/credits/end-hold.ts';
import { reserveImages } from '#shared/credits/reserve.ts';
import { type Db, newId } from '#shared/data/db.ts';
import {
  type Attempt,
  claimGeneration,
  endRunning,
  handBackGeneration,
  renewAttempt,
  updateRunning,
} from '#shared/data/generations/attempts.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import type { Rows } from '#shared/generations/request.ts';
import { settleGeneration } from '#shared/generations/settle.ts';
import {
  atOnce,
  decidedImage,
  decidedImageKey,
  decision,
  poorSeller,
  sampleSubmission,
  workerContext,
} from '#tests/support/credits.ts';
import { faultKinds, withFault } from '#tests/support/faults.ts';
import { eventually } from '#tests/support/harness.ts';
import { applyState, paidState } from '#tests/support/paid.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithCrashableDb } from '#tests/support/test.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';

const test = testWithCrashableDb({ workers: 0 });
test.beforeAll(async ({ stack }) => {
  await stack.server.context.storage.put(decidedImageKey, decidedImage);
});

/** Holds of this test are not counted in a day. */
const uncounted = { fairUse: 1_000, dailyImages: null };

/** Submits a request for one image. */
async function submitSample(stack: TestStack, sellerId: string): Promise<Rows> {
  const submission = await sampleSubmission(stack, sellerId);
  const { accepted } = await submitForm(stack.server.context, submission);
  return accepted.map(({ row }) => row) as Rows;
}

test('of 200 concurrent holds with 5 images left, exactly 5 are placed', async ({ stack }) => {
  const sellerId = await poorSeller(stack.db, 'freelance', 5);
  const seen = (await findProfile(stack.db, sellerId))!;
  const outcomes = await Promise.allSettled(
    Array.from({ length: 200 }, () => reserveImages(stack.db, seen, [{ _id: newId(), count: 1 }], uncounted)),
  );
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(refused).toHaveLength(195);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'NO_CREDITS' });
  const held = await stack.models.profiles.findById(sellerId).lean();
  expect(held).toMatchObject({ generations_left: 5, settled: 0 });
  expect(held!.holds).toHaveLength(5);
  await runUpkeep(workerContext(stack), atOnce);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('a paid invoice grants its images once, also when it is applied concurrently', async ({ stack }) => {
  const sellerId = await poorSeller(stack.db, 'freelance', 30);
  const state = paidState('freelance', [newId()]);
  await Promise.all(Array.from({ length: 20 }, () => applyState(stack.db, sellerId, state)));
  const stored = await stack.models.profiles.findById(sellerId).lean();
  expect(stored).toMatchObject({ generations_left: 100, granted: 130, forfeited: 30 });
  expect(stored!.grants.map(({ posted }) => posted)).toEqual([true, true]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('a request that was never accepted and is released after a renewal leaves a forfeit that no generation has', async ({
  stack,
}) => {
  const sellerId = await poorSeller(stack.db, 'freelance', 30);
  await applyState(stack.db, sellerId, paidState('freelance', [newId()]));
  const seen = (await findProfile(stack.db, sellerId))!;
  await reserveImages(stack.db, seen, [{ _id: newId(), count: 3 }], uncounted);
  await applyState(stack.db, sellerId, paidState('freelance', [newId()]));
  expect(await findProfile(stack.db, sellerId)).toMatchObject({ generations_left: 103, forfeited: 127 });
  await runUpkeep(workerContext(stack), atOnce);
  expect(await findProfile(stack.db, sellerId)).toMatchObject({
    generations_left: 100,
    forfeited: 130,
    holds: [],
  });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('an attempt that handed its generation back, or was replaced, can no longer write', async ({
  stack,
}) => {
  const sellerId = await poorSeller(stack.db, 'freelance', 1);
  const [{ _id: id }] = await submitSample(stack, sellerId);
  const claim = async (): Promise<Attempt> => {
    const claimed = await claimGeneration(stack.db, id, 60_000);
    if (claimed.outcome !== 'claimed') throw new Error(`not claimed: ${claimed.outcome}`);
    return { generationId: id, fence: claimed.row.fence };
  };
  const handedBack = { until: new Date(), waitingFor: 'retry' } as const;
  const first = await claim();
  expect(await claimGeneration(stack.db, id, 60_000)).toMatchObject({ outcome: 'leased' });
  expect(await handBackGeneration(stack.db, first, handedBack)).toMatchObject({ state: 'running' });
  const second = await claim();
  for (const write of [
    () => renewAttempt(stack.db, first, 60_000),
    () => updateRunning(stack.db, first, { preview_key: 'stale-preview.webp' }),
    () => handBackGeneration(stack.db, first, { ...handedBack, call: 'server-error' }),
    () => endRunning(stack.db, first, decision('failed')),
  ]) {
    const before = await stack.models.generations.findById(id).lean();
    expect(await write()).toBeFalsy();
    expect(await stack.models.generations.findById(id).lean()).toEqual(before);
  }
  const row = await endRunning(stack.db, second, decision('succeeded'));
  await settleGeneration(stack.server.context, row!);
  // Settling again changes nothing, and no attempt can change the outcome.
  const settled = await stack.models.profiles.findById(sellerId).lean();
  await settleGeneration(stack.server.context, row!);
  expect(await stack.models.profiles.findById(sellerId).lean()).toEqual(settled);
  expect(await endRunning(stack.db, second, decision('failed'))).toBeNull();
  expect(await stack.models.profiles.findById(sellerId).lean()).toMatchObject({
    generations_left: 0,
    settled: 1,
  });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('a generation that has not ended cannot be settled', async ({ stack }) => {
  const sellerId = await poorSeller(stack.db, 'freelance', 1);
  const [row] = await submitSample(stack, sellerId);
  await expect(settleGeneration(stack.server.context, row)).rejects.toThrow(/has not ended/);
});

// Which balance an image is taken from, and free images whose grant was interrupted.

const fairUse = 2;

/** Grants free images as a session does that begins. */
async function grantFreeImages(stack: TestStack, sellerId: string, db: Db = stack.db): Promise<ProfileRow> {
  const profile = await findProfile(db, sellerId);
  return giveFreeImages({ ...stack.server.context, db }, profile!, () => Promise.resolve(true));
}

const reserve = async ({ db }: TestStack, profile: string) => {
  const generation = { _id: newId(), profile, count: 1 };
  const after = await reserveImages(db, (await findProfile(db, profile))!, [generation], {
    fairUse,
    dailyImages: null,
  });
  return { ...generation, balance: after.holds.at(-1)!.balance };
};

/** Places holds until one is refused. @returns the balances in order, and the code of the refusal */
async function reserveAll(stack: TestStack, sellerId: string): Promise<string[]> {
  const taken: string[] = [];
  for (;;) {
    try {
      taken.push((await reserve(stack, sellerId)).balance);
    } catch (error) {
      return [...taken, (error as { code: string }).code];
    }
  }
}

const free = ['free', 'free', 'free'];

test("the plan's images are taken first, and the free ones whenever the plan allows none", async ({
  stack,
}) => {
  const { db, models } = stack;
  const metered = await poorSeller(db, 'freelance', 2);
  const unlimited = await poorSeller(db, 'enterprise');
  const overdue = await poorSeller(db, 'freelance', 2);
  const returned = await poorSeller(db, 'freelance', 2);
  const ended = await poorSeller(db, 'freelance');
  await models.profiles.updateOne(
    { _id: overdue },
    { subscription_status: 'past_due', grace_until: new Date(0) },
  );
  await models.profiles.updateOne({ _id: returned }, { period_refunded: true });
  const noPlan = { subscription_status: 'canceled', subscription_id: null, subscription_data: null } as const;
  await models.profiles.updateOne({ _id: ended }, noPlan);
  for (const [sellerId, expected] of [
    [metered, ['metered', 'metered', ...free, 'NO_CREDITS']],
    [unlimited, ['unlimited', 'unlimited', ...free, 'FAIR_USE']],
    [overdue, [...free, 'PAYMENT_OVERDUE']],
    [returned, [...free, 'PAYMENT_RETURNED']],
    [ended, [...free, 'NO_SUBSCRIPTION']],
  ] as const) {
    await grantFreeImages(stack, sellerId);
    expect(await reserveAll(stack, sellerId)).toEqual(expected);
  }
  await runUpkeep(workerContext(stack), atOnce);
});

/** How generations ended, as far as the end of their holds asks. */
const calls = { started: 1, under_way: false, lost: 0, server_errors: 0 };
const made = { state: 'succeeded', failure: null, calls, ended_at: null } as const;
const failed = { state: 'failed', failure: null, calls, ended_at: null } as const;

test('a renewal, a refund and the end of the plan leave free images and their holds as they are', async ({
  stack,
}) => {
  const sellerId = await poorSeller(stack.db, 'freelance');
  await grantFreeImages(stack, sellerId);
  const [kept, released] = [await reserve(stack, sellerId), await reserve(stack, sellerId)];
  const expectFree = async (details: object) =>
    expect(await stack.models.profiles.findById(sellerId).lean()).toMatchObject({
      free_images: { due: false, granted: 3, left: 3 },
      holds: [
        { balance: 'free', lapsed: false },
        { balance: 'free', lapsed: false },
      ],
      ...details,
    });
  const invoices = [newId(), newId()];
  await applyState(stack.db, sellerId, paidState('freelance', invoices.slice(0, 1)));
  await expectFree({ generations_left: 100, granted: 103 });
  const renewed = paidState('freelance', invoices);
  await applyState(stack.db, sellerId, renewed);
  await expectFree({ generations_left: 100, granted: 203, forfeited: 100 });
  renewed.paid[1]!.refunded = true;
  await applyState(stack.db, sellerId, renewed);
  await expectFree({ generations_left: 0, granted: 203, forfeited: 100, refunded: 100 });
  await applyState(stack.db, sellerId, { ...renewed, subscription: null });
  await expectFree({ subscription_status: 'canceled' });

  expect(await settleHold(stack.db, { ...kept, ...made }, true)).toMatchObject({
    free_images: { left: 2 },
    settled: 1,
  });
  expect(await settleHold(stack.db, { ...released, ...failed }, false)).toMatchObject({
    free_images: { left: 2 },
    settled: 1,
  });
  // Ending them again changes nothing.
  expect(await settleHold(stack.db, { ...kept, ...made }, true)).toBeNull();
  expect(await reserveAll(stack, sellerId)).toEqual(['free', 'free', 'NO_SUBSCRIPTION']);
});

/** More than the number of database operations of a grant. */
const faultPoints = 14;

test.for(faultKinds)(
  'a grant with the fault "%s" at any step is finished by upkeep or the next session',
  async (kind, { stack, crashableDb }) => {
    const { profiles, creditEntries, freeImageClaims } = stack.models;
    const outcomes = await Promise.all(
      Array.from({ length: faultPoints }, async (_, at) => {
        const sellerId = await poorSeller(stack.db, 'freelance');
        const ended = await withFault({ kind, at }, () => grantFreeImages(stack, sellerId, crashableDb)).then(
          () => true,
          () => false,
        );
        const claimed = (await freeImageClaims.exists({ 'pending.profile': sellerId })) !== null;
        return { sellerId, ended, claimed };
      }),
    );
    expect(outcomes.findIndex(({ ended }) => ended)).toBeGreaterThan(5);
    expect(outcomes.at(-1)).toMatchObject({ ended: true, claimed: false });
    expect(outcomes.filter(({ claimed }) => claimed).length).toBeGreaterThan(0);

    // Upkeep finishes what was decided. What was not, the next session decides.
    await runUpkeep(workerContext(stack), atOnce);
    for (const { sellerId, claimed } of outcomes) {
      const profile = await findProfile(stack.db, sellerId);
      if (claimed) expect(profile).toMatchObject({ free_images: { due: false, granted: 3, left: 3 } });
    }
    await Promise.all(outcomes.map(({ sellerId }) => grantFreeImages(stack, sellerId)));
    for (const { sellerId } of outcomes) {
      expect(await profiles.findById(sellerId).lean()).toMatchObject({
        free_images: { due: false, granted: 3, left: 3 },
        grants: [{ key: `free:${sellerId}`, count: 3, posted: true }],
      });
      expect(await creditEntries.countDocuments({ profile: sellerId })).toBe(1);
    }
    expect(await freeImageClaims.countDocuments({ pending: { $ne: null } })).toBe(0);
  },
);

test('a grant that died is finished by the next session as well', async ({ stack, crashableDb }) => {
  for (let at = 0; at < faultPoints; at += 1) {
    const sellerId = await poorSeller(stack.db, 'freelance');
    await withFault({ kind: 'dies-after', at }, () => grantFreeImages(stack, sellerId, crashableDb)).catch(
      () => {},
    );
    expect(await grantFreeImages(stack, sellerId), `step ${at}`).toMatchObject({
      free_images: { granted: 3, left: 3 },
    });
  }
});

test('the end of a hold says in the profile when an image was last not made, also where the hold was gone', async ({
  stack,
}) => {
  const { id: sellerId } = await stack.seller();
  const unmadeAt = async () => (await findProfile(stack.db, sellerId))!.unmade_at;
  const ids = [newId(), newId(), newId()];
  const rows = ids.map((_id) => ({ _id, profile: sellerId, count: 1, held_on: 'metered' as const }));
  await reserveImages(stack.db, (await findProfile(stack.db, sellerId))!, rows, uncounted);
  const [kept, lost, again] = rows as [(typeof rows)[0], (typeof rows)[0], (typeof rows)[0]];
  expect(await settleHold(stack.db, { ...kept, ...made }, true)).toMatchObject({ unmade_at: null });

  // A clock that is ahead: not before the image ended.
  const ended_at = new Date(Date.now() + 3_600_000);
  expect(await settleHold(stack.db, { ...lost, ...failed, ended_at }, false)).toMatchObject({
    unmade_at: ended_at,
  });
  expect(await settleHold(stack.db, { ...again, ...failed }, false)).toMatchObject({ unmade_at: ended_at });

  await stack.models.profiles.updateOne({ _id: sellerId }, { $set: { unmade_at: null } });
  expect(await settleHold(stack.db, { ...lost, ...failed, ended_at }, false)).toBeNull();
  expect(await unmadeAt()).toEqual(ended_at);
});
