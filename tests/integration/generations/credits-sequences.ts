/** Random sequences of what happens to credits; after each, every balance is exact. */
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import { hasEnded, type PlanId, plans } from '#contract';
import { availableImages } from '#shared/credits/holds.ts';
import { connectionOf } from '#shared/data/collection.ts';
import type { Db } from '#shared/data/db.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { HoldBalance } from '#shared/data/profiles/schema.ts';
import { atOnce, decidedImage, decidedImageKey, poorSeller, workerContext } from '#tests/support/credits.ts';
import { eventually } from '#tests/support/harness.ts';
import { everyEnd, freeImages, operation, sellers, startImages } from '#tests/support/operation-sequences.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithCrashableDb } from '#tests/support/test.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';
import { SequenceRun } from './credits-run.ts';

export const test = testWithCrashableDb({ workers: 0 });
test.beforeAll(async ({ stack }) => {
  // The image of every generation that succeeds.
  await stack.server.context.storage.put(decidedImageKey, decidedImage);
});

/** Invariants that hold at every moment, also between a crash and upkeep (docs/credits.md). */
async function expectInvariants({ stack, sellers: ids, balances }: SequenceRun): Promise<void> {
  for (const profile of await stack.models.profiles.find({ _id: { $in: ids } }).lean()) {
    const {
      granted,
      generations_left: left,
      settled,
      forfeited,
      refunded,
      free_images: free,
      holds,
      support,
    } = profile;
    expect(granted).toBe(left + free.left + settled + forfeited + refunded + support.removed);
    const heldOn = (balance: HoldBalance) => holds.filter((hold) => hold.balance === balance).length;
    expect(left, 'more is held than is left').toBeGreaterThanOrEqual(heldOn('metered'));
    expect(free.left, 'more free images are held than are left').toBeGreaterThanOrEqual(heldOn('free'));
    expect([0, freeImages]).toContain(free.granted);
    for (const { generation, balance, lapsed } of holds) {
      expect(balances.get(generation) ?? balance, 'a hold changed its balance').toBe(balance);
      balances.set(generation, balance);
      if (balance === 'free') expect(lapsed).toBe(false);
    }
    expect(new Set(holds.map((hold) => hold.generation)).size).toBe(holds.length);
  }
}

/** Makes a seller with images that were paid for, or one who has chosen a plan and not paid. */
async function newSeller({ db, models }: TestStack, plan: PlanId, paid: boolean): Promise<string> {
  const id = await poorSeller(db, plan, paid ? startImages : 0);
  const unpaid = { subscription_status: 'inactive', subscription_id: null, subscription_data: null } as const;
  if (!paid) await models.profiles.updateOne({ _id: id }, unpaid);
  return id;
}

/** What the sequences reached. */
interface Reached {
  /** Generations by state, at the end of all sequences. */
  ends: Record<string, number>;
  freeImages: { granted: number; used: number; usedBesideAPlan: number };
  support: { given: number; taken: number };
  /** Sets that were held on two balances. */
  splitSets: number;
  remade: number;
  purged: number;
}

interface SequenceOptions {
  /** Sequences, of which the first one is not random: it reaches every end. */
  sequences: number;
  /** Steps of a random sequence, at most. */
  steps: number;
}

/** Executes sequences, each on sellers of its own, and expects exact balances and an audit without findings after each; together they must reach every outcome. */
export async function expectExactBalances(
  stack: TestStack,
  crashableDb: Db,
  { sequences, steps: mostSteps }: SequenceOptions,
): Promise<void> {
  const seed = randomInt(2 ** 31);
  console.log(`generations/credits: seed ${seed}`);
  const reached: Reached = {
    ends: {},
    freeImages: { granted: 0, used: 0, usedBesideAPlan: 0 },
    support: { given: 0, taken: 0 },
    splitSets: 0,
    remade: 0,
    purged: 0,
  };
  const sequence = fc.array(fc.array(operation, { minLength: 1, maxLength: 3 }), {
    minLength: 8,
    maxLength: mostSteps,
  });
  await fc.assert(
    fc.asyncProperty(sequence, async (steps) => {
      const run = new SequenceRun(
        stack,
        crashableDb,
        await Promise.all(sellers.map(({ plan, paid }) => newSeller(stack, plan, paid))),
      );
      for (const step of steps) {
        await Promise.all(step.map((op) => run.run(op)));
        await expectInvariants(run);
      }
      // Twice, because the first round must leave no work.
      await runUpkeep(workerContext(stack), atOnce);
      const again = await runUpkeep(workerContext(stack), atOnce);
      expect(again).toMatchObject({
        generationsSettled: 0,
        requestsDropped: 0,
        holdsReleased: 0,
        freeImagesGranted: 0,
      });
      await expect.poll(() => stack.audit(), eventually).toEqual([]);

      const rows = await stack.models.generations.find({ profile: { $in: run.sellers } }).lean();
      expectReplies(run, rows, reached);
      for (const place of run.sellers.keys()) await expectCounters(run, place, rows, reached);
      await Promise.all(
        ['generations', 'credit_entries', 'profiles', 'users', 'free_image_claims'].map((name) =>
          connectionOf(stack.db).collection(name).deleteMany({}),
        ),
      );
    }),
    { seed, numRuns: sequences, endOnFailure: true, examples: [[everyEnd]] },
  );
  console.log('generations/credits: at the end of all sequences', reached);
  // The sequences must reach all outcomes, or the test proves little.
  expect(reached.remade, 'no image was made again').toBeGreaterThan(0);
  const { given, taken } = reached.support;
  expect(Math.min(given, taken), 'operators gave or took none').toBeGreaterThan(0);
  expect(reached.purged, 'none was deleted').toBeGreaterThan(0);
  expect(reached.splitSets, 'no set was held on two balances').toBeGreaterThan(0);
  expect(reached.freeImages.used, 'no free image was used').toBeGreaterThan(0);
  expect(Object.keys(reached.ends).sort()).toEqual([
    'cancelled',
    'cancelled, used',
    'failed',
    'queued',
    'running',
    'succeeded',
  ]);
}

/** Expects each generation to be as callers were told, and adds them to what was reached. */
function expectReplies(run: SequenceRun, rows: readonly GenerationRow[], reached: Reached): void {
  for (const [setId, takes] of Map.groupBy(rows, (row) => row.set?.id)) {
    expect(takes, `set ${setId} is not complete`).toHaveLength(takes[0]!.set!.size);
    if (new Set(takes.map(({ _id }) => run.balances.get(_id))).size > 1) reached.splitSets += 1;
  }
  for (const id of [...run.accepted.values()].flat()) expect(rows.map((row) => row._id)).toContain(id);
  for (const [id, state] of run.ended) expect(rows.find((row) => row._id === id)?.state).toBe(state);
  for (const row of rows) {
    const end = row.charged ? 'cancelled, used' : row.state;
    reached.ends[end] = (reached.ends[end] ?? 0) + 1;
    if (row.deletion?.stage === 'purged') reached.purged += 1;
  }
}

/** Expects the counters of a seller to agree with its generations and payments. @param place of the seller in the sequence */
async function expectCounters(
  run: SequenceRun,
  place: number,
  rows: readonly GenerationRow[],
  reached: Reached,
): Promise<void> {
  const id = run.sellers[place]!;
  const profile = (await run.stack.models.profiles.findById(id).lean())!;
  const own = rows.filter((row) => row.profile === id);
  const remade = own.filter((row) => row.state === 'succeeded' && row.remake_of).length;
  const used = own.filter((row) => row.state === 'succeeded' || row.charged).length - remade;
  const open = own.filter((row) => !hasEnded(row.state)).length;
  const { plan, paid } = sellers[place]!;
  const monthly = plans[plan].monthlyGenerations ?? 0;
  const usedOf = (balance: HoldBalance) =>
    own.filter((row) => (row.state === 'succeeded' || row.charged) && run.balances.get(row._id) === balance)
      .length;
  for (const [key, sellerId] of run.paid) {
    if (sellerId !== id) continue;
    expect(profile.grants.filter((grant) => grant.key === key)).toMatchObject([{ count: monthly }]);
  }
  const { grants, free_images: free, forfeited, refunded } = profile;
  const granted = grants.reduce((sum, grant) => sum + grant.count, 0) - free.granted;
  // After a renewal a month's images are available, however many were left before; those on hold are not.
  expect(availableImages(profile)).toBeLessThanOrEqual(Math.max(monthly, startImages));
  expect(profile.settled).toBe(used);
  expect(profile.holds).toHaveLength(open);
  expect(profile.settled_unlimited).toBe(usedOf('unlimited'));
  const taken = {
    plan: granted - forfeited - refunded - usedOf('metered') - profile.generations_left,
    free: free.granted + profile.support.added - usedOf('free') - free.left,
  };
  expect(Math.min(taken.plan, taken.free)).toBeGreaterThanOrEqual(0);
  expect(taken.plan + taken.free).toBe(profile.support.removed);
  const { support_added: given, support_removed: removed } = profile;
  const keys = [...given, ...removed].map(({ key }) => key);
  expect(keys).toEqual(expect.arrayContaining([...(run.support.get(id) ?? [])]));
  expect(own.filter((row) => row.charged && row.remake_of)).toEqual([]);
  expect(profile.remakes.made).toBe(remade);
  // Unless another month has begun meanwhile.
  const openRemakes = own.filter((row) => !hasEnded(row.state) && row.remake_of).length;
  if (profile.remakes.month !== null) expect(profile.remakes.used).toBe(remade + openRemakes);

  reached.support.given += profile.support.added;
  reached.support.taken += profile.support.removed;
  reached.remade += remade;
  reached.freeImages.granted += free.granted;
  reached.freeImages.used += usedOf('free');
  if (paid) reached.freeImages.usedBesideAPlan += usedOf('free');
}
