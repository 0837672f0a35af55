/** Random sequences of what happens to batches, with crashes between any two database operations; after each, balances are exact. */
import { randomInt, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import {
  batchActions as actionNames,
  type BatchAction,
  createBatchSchema,
  hasEnded,
  type PlanId,
} from '#contract';
import { batchActions, batchOf } from '#server/batches/batch-actions.ts';
import { createBatch } from '#server/batches/create-batch.ts';
import { submitForm } from '#server/generations/submit-form.ts';
import { continueBatch } from '#shared/batches/run.ts';
import type { BillingState } from '#shared/billing/billing-state.ts';
import { availableImages } from '#shared/credits/holds.ts';
import { recordBatchPhoto } from '#shared/data/batches/items.ts';
import { connectionOf } from '#shared/data/collection.ts';
import { modelsOf } from '#shared/data/collections.ts';
import type { Db } from '#shared/data/db.ts';
import { claimGeneration, endRunning, updateRunning } from '#shared/data/generations/attempts.ts';
import { cancelGeneration } from '#shared/data/generations/end.ts';
import { settleGeneration } from '#shared/generations/settle.ts';
import { AppError } from '#shared/platform/errors.ts';
import { storageKeys } from '#shared/storage/storage.ts';
import { sampleRows, sha256Of } from '#tests/support/batches.ts';
import {
  atOnce,
  decidedImage,
  decidedImageKey,
  decision,
  poorSeller,
  sampleSubmission,
  workerContext,
} from '#tests/support/credits.ts';
import { type Fault, FaultError, withFault } from '#tests/support/faults.ts';
import { eventually } from '#tests/support/harness.ts';
import { anyFault, weightedKind } from '#tests/support/operation-sequences.ts';
import { applyState, paidState } from '#tests/support/paid.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithCrashableDb } from '#tests/support/test.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';

/** Images of a batch in the queue. */
const window = 2;
/** Two batches of six images, and fewer images than both take. */
const batchRows = [3, 3];
const takes = 2;
const startImages = 9;

export const test = testWithCrashableDb({ workers: 0, settings: { BATCH_WINDOW: String(window) } });
test.beforeAll(async ({ stack }) => {
  // The image of every generation that succeeds.
  await stack.server.context.storage.put(decidedImageKey, decidedImage);
});

type Operation = { fault: Fault | undefined } & (
  | { kind: 'act'; batch: number; action: BatchAction }
  | { kind: 'feed'; batch: number }
  | { kind: 'decide'; pick: number; state: 'succeeded' | 'failed' }
  | { kind: 'cancel'; pick: number; previewed: boolean }
  | { kind: 'submit' }
  | { kind: 'bill'; plan: 'freelance' | 'enterprise'; months: number; refunded: boolean }
  | { kind: 'plan-ends' }
  | { kind: 'upkeep' }
);

const fault = anyFault(14);
const batch = fc.nat(batchRows.length - 1);
const pick = fc.nat(11);
const one = weightedKind({ fault });
const operation: fc.Arbitrary<Operation> = fc.oneof(
  one(6, 'act', { batch, action: fc.constantFrom('start' as const, ...actionNames) }),
  one(5, 'feed', { batch }),
  one(9, 'decide', {
    pick,
    state: fc.constantFrom('succeeded' as const, 'succeeded' as const, 'failed' as const),
  }),
  one(2, 'cancel', { pick, previewed: fc.boolean() }),
  one(1, 'submit', {}),
  one(2, 'bill', {
    plan: fc.constantFrom('freelance' as const, 'enterprise' as const),
    months: fc.integer({ min: 1, max: 3 }),
    refunded: fc.boolean(),
  }),
  one(1, 'plan-ends', {}),
  one(2, 'upkeep', {}),
);
/** The first batch is started first, perhaps by a process that dies. */
const begin = fault.map((fault): Operation[] => [{ kind: 'act', batch: 0, action: 'start', fault }]);
const sequenceOf = (maxLength: number) =>
  fc
    .tuple(begin, fc.array(fc.array(operation, { minLength: 1, maxLength: 3 }), { minLength: 8, maxLength }))
    .map(([first, steps]) => [first, ...steps]);

const feed: Operation = { kind: 'feed', batch: 0, fault: undefined };
const failed: Operation = { kind: 'decide', pick: 0, state: 'failed', fault: undefined };

/**
 * A sequence that reaches what random ones may miss: a retry after failures, and the end of a batch. It has more rounds
 * than images, because another process may still be enqueueing the first of them.
 */
const toTheEnd: Operation[][] = [
  [{ kind: 'act', batch: 0, action: 'start', fault: undefined }],
  ...Array.from({ length: batchRows[0]! * takes + 2 }, () => [[feed], [failed]]).flat(),
  [{ kind: 'upkeep', fault: undefined }],
  [{ kind: 'act', batch: 0, action: 'retry', fault: undefined }],
  [feed],
  [{ ...failed, state: 'succeeded' }],
];

/** Makes a batch whose photo is stored. @returns its id */
async function newBatch({ server: { context } }: TestStack, sellerId: string, rows: number): Promise<string> {
  const parsed = createBatchSchema.parse({
    key: randomUUID(),
    name: 'Batch',
    rows: await sampleRows(rows, { takes }),
  });
  const { _id: id } = await createBatch(context, sellerId, parsed);
  const photo = await samplePhoto();
  const sha256 = sha256Of(photo);
  const key = storageKeys.batchPhoto(id, sha256, 'png');
  await context.storage.put(key, photo);
  const stored = { key, width: 96, height: 64, bytes: photo.byteLength, warnings: [] };
  await recordBatchPhoto(context.db, id, sha256, stored);
  return id;
}

/** What Stripe says of a plan whose last payment may be returned. */
function billed({ plan, refunded }: { plan: PlanId; refunded: boolean }, invoices: string[]): BillingState {
  const state = paidState(plan, invoices);
  state.paid.at(-1)!.refunded = refunded;
  state.subscription!.refunded = refunded;
  return state;
}

/** Executes an operation as a process that may crash. */
async function run(
  stack: TestStack,
  db: Db,
  sellerId: string,
  batches: string[],
  op: Operation,
): Promise<void> {
  const context = { ...stack.server.context, db };
  const execute = async () => {
    switch (op.kind) {
      case 'act':
        return batchActions[op.action](context, await batchOf(context, sellerId, batches[op.batch]!));
      case 'feed':
        return void (await continueBatch(context, batches[op.batch]!));
      case 'submit':
        return void (await submitForm(context, await sampleSubmission(stack, sellerId)));
      case 'bill': {
        const invoices = Array.from({ length: op.months }, (_, month) => `in_${sellerId}_${month}`);
        return void (await applyState(db, sellerId, billed(op, invoices)));
      }
      case 'plan-ends':
        return void (await applyState(db, sellerId, {
          customer: 'there',
          subscription: null,
          paid: [],
          packs: [],
        }));
      case 'upkeep':
        return void (await runUpkeep(workerContext(stack, db), atOnce));
    }
    const open = await modelsOf(stack.db)
      .generations.find({ profile: sellerId, state: { $in: ['queued', 'running'] } })
      .sort({ _id: 1 })
      .lean();
    const id = open[op.pick % open.length]?._id;
    if (id === undefined) return;
    const claim = await claimGeneration(db, id, 1);
    if (claim.outcome !== 'claimed') return;
    const attempt = { generationId: id, fence: claim.row.fence };
    if (op.kind === 'decide') {
      const row = await endRunning(db, attempt, decision(op.state));
      if (row) await settleGeneration(context, row);
      return;
    }
    if (op.previewed) await updateRunning(db, attempt, { preview_key: 'a-preview.webp' });
    const cancel = await cancelGeneration(db, sellerId, id, true);
    if (cancel.outcome === 'cancelled') await settleGeneration(context, cancel.row);
  };
  try {
    await withFault(op.fault, execute);
  } catch (error) {
    // Upkeep, with all ages 0, removes the folder of a request that is under way.
    const isRemoved = op.kind === 'submit' && (error as { code?: string }).code === 'ENOENT';
    const known = error instanceof FaultError || error instanceof AppError || error instanceof AggregateError;
    if (!known && !isRemoved) throw error;
  }
}

/** What holds at every moment, also between a crash and upkeep. */
async function expectInvariants({ models }: TestStack, sellerId: string): Promise<void> {
  const profile = (await models.profiles.findById(sellerId).lean())!;
  const { granted, generations_left: left, settled, forfeited, refunded, free_images: free, holds } = profile;
  expect(granted).toBe(left + free.left + settled + forfeited + refunded);
  const metered = holds.filter(({ balance }) => balance === 'metered');
  expect(left, 'more is held than is left').toBeGreaterThanOrEqual(
    metered.reduce((sum, { count }) => sum + count, 0),
  );
  expect(new Set(holds.map(({ generation }) => generation)).size).toBe(holds.length);
  if (!profile.returned_grant) return;
  expect(availableImages(profile), 'images are left whose payment is returned').toBe(0);
  expect(metered.filter(({ waiting }) => waiting)).toEqual([]);
}

/** What the sequences reached. */
interface Reached {
  /** Generations by state, at the end of all sequences. */
  ends: Record<string, number>;
  /** Batches by state. */
  states: Record<string, number>;
  /** Images that were made again. */
  retried: number;
}

interface SequenceOptions {
  /** Sequences, of which the first one is not random: it reaches a retry and the end of a batch. */
  sequences: number;
  /** Steps of a random sequence, at most. */
  steps: number;
}

/** Executes sequences, each on a seller of its own, and expects exact balances and an audit without findings after each. */
export async function expectExactBalances(
  stack: TestStack,
  crashableDb: Db,
  { sequences, steps: mostSteps }: SequenceOptions,
): Promise<Reached> {
  const seed = randomInt(2 ** 31);
  console.log(`batches/credits: seed ${seed}`);
  const reached: Reached = { ends: {}, states: {}, retried: 0 };
  await fc.assert(
    fc.asyncProperty(sequenceOf(mostSteps), async (steps) => {
      const sellerId = await poorSeller(stack.db, 'freelance', startImages);
      const batches: string[] = [];
      for (const rows of batchRows) batches.push(await newBatch(stack, sellerId, rows));
      for (const step of steps) {
        await Promise.all(step.map((op) => run(stack, crashableDb, sellerId, batches, op)));
        await expectInvariants(stack, sellerId);
      }
      // What an action continues in the background may still be in progress.
      await expect
        .poll(async () => {
          await runUpkeep(workerContext(stack), atOnce);
          return stack.audit();
        }, eventually)
        .toEqual([]);
      await expectExact(stack, sellerId, reached);
      // The next sequence's upkeep and audits would read them again.
      await Promise.all(
        ['generations', 'batches', 'batch_items', 'batch_photos', 'credit_entries', 'profiles', 'users'].map(
          (name) => connectionOf(stack.db).collection(name).deleteMany({}),
        ),
      );
    }),
    { seed, numRuns: sequences, endOnFailure: true, examples: [[toTheEnd]] },
  );
  console.log('batches/credits: at the end of all sequences', reached);
  // Only a batch that has ended can be retried.
  expect(reached.retried, 'no image was made again').toBeGreaterThan(0);
  return reached;
}

/** Expects the counters of a seller to agree with its generations, and adds these to what was reached. */
async function expectExact({ models }: TestStack, sellerId: string, reached: Reached): Promise<void> {
  const rows = await models.generations.find({ profile: sellerId }).lean();
  const profile = (await models.profiles.findById(sellerId).lean())!;
  expect(profile.settled).toBe(rows.filter((row) => row.state === 'succeeded' || row.charged).length);
  expect(profile.holds.filter(({ waiting }) => !waiting)).toHaveLength(
    rows.filter(({ state }) => !hasEnded(state)).length,
  );
  const parts = rows.flatMap(({ batch }) => batch ?? []);
  const images = parts.map(({ id, row, take, attempt }) => `${id} ${row} ${take} ${attempt}`);
  expect(new Set(images).size, 'an image was made twice').toBe(images.length);
  for (const { state } of rows) reached.ends[state] = (reached.ends[state] ?? 0) + 1;
  reached.retried += parts.filter(({ attempt }) => attempt > 1).length;
  for (const { state } of await models.batches.find({ profile: sellerId }).lean()) {
    reached.states[state] = (reached.states[state] ?? 0) + 1;
  }
}
