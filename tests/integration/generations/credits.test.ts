import { randomInt, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import { type GenerationState, hasEnded, type PlanId, plans } from '#contract';
import { giveWelcomeImages } from '#server/accounts/welcome/welcome-images.ts';
import { remake } from '#server/generations/remake.ts';
import { submit } from '#server/generations/submit.ts';
import { availableImages } from '#shared/credits/holds.ts';
import { giveImages, takeImages } from '#shared/credits/support-images.ts';
import type { Db } from '#shared/data/db.ts';
import {
  type Attempt,
  claimGeneration,
  endRunning,
  handBackGeneration,
  updateRunning,
} from '#shared/data/generations/attempts.ts';
import { cancelGeneration } from '#shared/data/generations/end.ts';
import { deleteGeneration } from '#shared/data/generations/library.ts';
import { connectionOf, modelsOf } from '#shared/data/models.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import type { HoldBalance } from '#shared/data/profiles/schema.ts';
import { settleGeneration } from '#shared/generations/settle.ts';
import { AppError } from '#shared/platform/errors.ts';
import {
  atOnce,
  decidedImage,
  decidedImageKey,
  decision,
  never,
  poorSeller,
  workerContext,
} from '#tests/support/credits.ts';
import { FaultError, withFault } from '#tests/support/faults.ts';
import {
  everyEnd,
  freeImages,
  type Operation,
  operation,
  requestTakes,
  sellers,
  startImages,
} from '#tests/support/operation-sequences.ts';
import { applyState, paidState } from '#tests/support/paid.ts';
import { uploadedPhoto } from '#tests/support/photos.ts';
import { sampleRequest } from '#tests/support/samples.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithCrashableDb } from '#tests/support/test.ts';
import { reconcile, type UpkeepAges } from '#worker/upkeep.ts';

const seed = randomInt(2 ** 31);
console.log(`credits.test.ts: seed ${seed}`);

/** Ages with which the reconciler removes only requests in `receiving`. */
const requestsAtOnce: UpkeepAges = { ...never, requestMs: 0 };

const test = testWithCrashableDb({ workers: 0 });
test.beforeAll(async ({ stack }) => {
  // The image of every generation that succeeds.
  await stack.server.context.storage.put(decidedImageKey, decidedImage);
});

/** Executes one sequence of operations and records their replies, which are compared with the database at the end. */
class SequenceRun {
  readonly stack: TestStack;
  /** The connection of the processes that crash. */
  readonly crashableDb: Db;
  readonly sellers: string[];
  /** Attempts by generation, oldest first. */
  readonly attempts = new Map<string, Attempt[]>();
  /** Ids of the rows that submits returned, by idempotency key. */
  readonly accepted = new Map<string, string[]>();
  /** Ids of the generations that make one again, by its id. */
  readonly remakes = new Map<string, string>();
  /** The states that callers were told, by generation. */
  readonly ended = new Map<string, GenerationState>();
  /** The balance that each generation's hold was placed on. */
  readonly balances = new Map<string, HoldBalance>();
  /** Sellers by the key of the invoice that they paid. */
  readonly paid = new Map<string, string>();
  /** The keys of what operators gave and took, by seller. */
  readonly support = new Map<string, Set<string>>();
  readonly name = randomUUID();

  constructor(stack: TestStack, crashableDb: Db, sellers: string[]) {
    this.stack = stack;
    this.crashableDb = crashableDb;
    this.sellers = sellers;
  }

  key = (seller: number, request: number) => `${this.name}.${seller}.${request}`;

  /** Records the end of a generation. */
  recordEnd(id: string, state: GenerationState): void {
    expect(this.ended.get(id) ?? state, `generation ${id} ended twice`).toBe(state);
    this.ended.set(id, state);
  }

  /** Executes an operation as a process that may crash, and records the reply. */
  async run(op: Operation): Promise<void> {
    try {
      await withFault(op.fault, () => this.#execute(op));
    } catch (error) {
      const known =
        error instanceof FaultError ||
        error instanceof AppError ||
        error instanceof AggregateError ||
        // The reconciler, with all ages 0, removes the folder of a request that is under way.
        (op.kind === 'submit' && (error as { code?: string }).code === 'ENOENT');
      if (!known) throw error;
      // A crashed request keeps its key until the reconciler removes the row; the seller can repeat it then.
      if (op.kind === 'submit' || op.kind === 'remake')
        await reconcile(workerContext(this.stack), requestsAtOnce);
    }
  }

  async #execute(op: Operation): Promise<void> {
    const { stack, crashableDb } = this;
    const context = { ...stack.server.context, db: crashableDb };
    const sellerId = this.sellers[op.seller]!;
    if (op.kind === 'grant') {
      // Stripe's state includes all invoices paid so far.
      const invoices = Array.from(
        { length: op.grant + 1 },
        (_, index) => `${this.name}.${op.seller}.${index}`,
      );
      const state = paidState(sellers[op.seller]!.plan, invoices);
      if (op.refunded) {
        state.paid.at(-1)!.refunded = true;
        state.subscription!.refunded = true;
      }
      await applyState(crashableDb, sellerId, state);
      for (const id of invoices) this.paid.set(`invoice:${id}`, sellerId);
      return;
    }
    if (op.kind === 'support') {
      const images = { key: `operator:${this.name}-${op.action}-${op.seller}-${op.count}`, count: op.count };
      await (op.action === 'give' ? giveImages : takeImages)(context, sellerId, images);
      this.support.set(sellerId, (this.support.get(sellerId) ?? new Set()).add(images.key));
      return;
    }
    if (op.kind === 'plan-ends') {
      await applyState(crashableDb, sellerId, { customer: 'there', subscription: null, paid: [] });
      return;
    }
    if (op.kind === 'confirm') {
      const profile = await findProfile(crashableDb, sellerId);
      const config = { ...context.config, welcomeImages: freeImages };
      await giveWelcomeImages({ ...context, config }, profile!, () => Promise.resolve(op.allowed));
      return;
    }
    if (op.kind === 'reconcile') return void (await reconcile(workerContext(stack, crashableDb), atOnce));
    if (op.kind === 'submit') {
      const key = this.key(op.seller, op.request);
      const accepted = await submit(context, {
        profile: sellerId,
        idempotencyKey: key,
        request: sampleRequest('On a table', requestTakes[op.request]),
        files: [await uploadedPhoto(stack.storageFolder)],
      });
      const ids = accepted.map(({ row }) => row._id);
      const known = this.accepted.get(key);
      if (!known) expect(ids).toHaveLength(requestTakes[op.request]!);
      // A repeated request gets those that are not deleted.
      expect(known ?? ids, 'one key, two sets').toEqual(expect.arrayContaining(ids));
      this.accepted.set(key, known ?? ids);
      return;
    }

    const own = requestTakes.flatMap((_, request) => this.accepted.get(this.key(op.seller, request)) ?? []);
    own.push(...own.flatMap((each) => this.remakes.get(each) ?? []));
    const id = own[op.generation % own.length];
    if (id === undefined) return;
    const attempts = this.attempts.get(id) ?? [];
    this.attempts.set(id, attempts);
    const begin = async () => {
      if (attempts.length > 0) return;
      const claim = await claimGeneration(crashableDb, id, 60_000);
      if (claim.outcome === 'claimed') attempts.push({ generationId: id, fence: claim.row.fence });
    };
    switch (op.kind) {
      case 'claim': {
        const claim = await claimGeneration(crashableDb, id, op.leaseMs);
        if (claim.outcome === 'claimed') attempts.push({ generationId: id, fence: claim.row.fence });
        return;
      }
      case 'decide': {
        await begin();
        const attempt = op.stale ? attempts[0] : attempts.at(-1);
        if (!attempt) return;
        const row = await endRunning(crashableDb, attempt, decision(op.state));
        if (!row) return;
        expect(row.state).toBe(op.state);
        this.recordEnd(id, row.state);
        await settleGeneration(context, row);
        return;
      }
      case 'hand-back': {
        const attempt = attempts.at(-1);
        if (attempt)
          await handBackGeneration(crashableDb, attempt, { until: new Date(), waitingFor: 'retry' });
        return;
      }
      case 'cancel': {
        if (op.previewed) {
          await begin();
          const attempt = attempts.at(-1);
          if (attempt) await updateRunning(crashableDb, attempt, { preview_key: 'a-preview.webp' });
        }
        const cancel = await cancelGeneration(crashableDb, sellerId, id, op.agreed);
        if (cancel.outcome !== 'cancelled') return;
        const { row } = cancel;
        if (!op.agreed)
          expect(row, 'the seller has not agreed to use the image').not.toHaveProperty('charged');
        this.recordEnd(id, row.state);
        await settleGeneration(context, row);
        return;
      }
      case 'remake': {
        await modelsOf(stack.db).generations.updateOne({ _id: id }, { match: { level: 'low', area: null } });
        const [again] = await remake(context, sellerId, id);
        const { _id: againId } = again!.row;
        expect(this.remakes.get(id) ?? againId, 'made again twice').toBe(againId);
        this.remakes.set(id, againId);
        return;
      }
      case 'delete':
        return void (await deleteGeneration(crashableDb, sellerId, id));
      case 'settle': {
        const row = await modelsOf(crashableDb).generations.findById(id).lean();
        if (row && hasEnded(row.state)) await settleGeneration(context, row);
      }
    }
  }
}

/** Invariants that hold at every moment, also between a crash and the reconciler (docs/credits.md). */
async function expectInvariants({ stack, sellers: ids, balances }: SequenceRun): Promise<void> {
  for (const profile of await stack.models.profiles.find({ _id: { $in: ids } }).lean()) {
    const {
      granted,
      generations_left: left,
      settled,
      forfeited,
      refunded,
      welcome,
      holds,
      support,
    } = profile;
    expect(granted).toBe(left + welcome.left + settled + forfeited + refunded + support.removed);
    const heldOn = (balance: HoldBalance) => holds.filter((hold) => hold.balance === balance).length;
    expect(left, 'more is held than is left').toBeGreaterThanOrEqual(heldOn('metered'));
    expect(welcome.left, 'more free images are held than are left').toBeGreaterThanOrEqual(heldOn('welcome'));
    expect([0, freeImages]).toContain(welcome.granted);
    for (const { generation, balance, lapsed } of holds) {
      expect(balances.get(generation) ?? balance, 'a hold changed its balance').toBe(balance);
      balances.set(generation, balance);
      if (balance === 'welcome') expect(lapsed).toBe(false);
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

test('any sequence of concurrent operations and crashes leaves exact balances', {
  timeout: 120_000,
}, async ({ stack, crashableDb }) => {
  const ends: Record<string, number> = {};
  const free = { granted: 0, used: 0, usedBesideAPlan: 0 };
  const support = { given: 0, taken: 0 };
  let splitSets = 0;
  let remadeCount = 0;
  let purgedCount = 0;
  const sequence = fc.array(fc.array(operation, { minLength: 1, maxLength: 3 }), {
    minLength: 8,
    maxLength: 32,
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
      await reconcile(workerContext(stack), atOnce);
      const again = await reconcile(workerContext(stack), atOnce);
      expect(again).toMatchObject({
        generationsSettled: 0,
        requestsDropped: 0,
        holdsReleased: 0,
        welcomesFinished: 0,
      });
      expect(await stack.audit()).toEqual([]);

      const rows = await stack.models.generations.find({ profile: { $in: run.sellers } }).lean();
      for (const [setId, takes] of Map.groupBy(rows, (row) => row.set?.id)) {
        expect(takes, `set ${setId} is not complete`).toHaveLength(takes[0]!.set!.size);
        if (new Set(takes.map(({ _id }) => run.balances.get(_id))).size > 1) splitSets += 1;
      }
      for (const id of [...run.accepted.values()].flat()) expect(rows.map((row) => row._id)).toContain(id);
      for (const [id, state] of run.ended) expect(rows.find((row) => row._id === id)?.state).toBe(state);
      for (const row of rows) {
        const end = row.charged ? 'cancelled, used' : row.state;
        ends[end] = (ends[end] ?? 0) + 1;
        if (row.deletion?.stage === 'purged') purgedCount += 1;
      }
      for (const [place, id] of run.sellers.entries()) {
        const profile = (await stack.models.profiles.findById(id).lean())!;
        const own = rows.filter((row) => row.profile === id);
        const remade = own.filter((row) => row.state === 'succeeded' && row.remake_of).length;
        const used = own.filter((row) => row.state === 'succeeded' || row.charged).length - remade;
        const open = own.filter((row) => !hasEnded(row.state)).length;
        const { plan, paid } = sellers[place]!;
        const monthly = plans[plan].monthlyGenerations ?? 0;
        const usedOf = (balance: HoldBalance) =>
          own.filter(
            (row) => (row.state === 'succeeded' || row.charged) && run.balances.get(row._id) === balance,
          ).length;
        for (const [key, sellerId] of run.paid) {
          if (sellerId !== id) continue;
          expect(profile.grants.filter((grant) => grant.key === key)).toMatchObject([{ count: monthly }]);
        }
        const { grants, welcome, forfeited, refunded } = profile;
        const granted = grants.reduce((sum, grant) => sum + grant.count, 0) - welcome.granted;
        // After a renewal a month's images are available, however many were left before; those on hold are not.
        expect(availableImages(profile)).toBeLessThanOrEqual(Math.max(monthly, startImages));
        expect(profile.settled).toBe(used);
        expect(profile.holds).toHaveLength(open);
        expect(profile.settled_unlimited).toBe(usedOf('unlimited'));
        const taken = {
          plan: granted - forfeited - refunded - usedOf('metered') - profile.generations_left,
          free: welcome.granted + profile.support.added - usedOf('welcome') - welcome.left,
        };
        expect(Math.min(taken.plan, taken.free)).toBeGreaterThanOrEqual(0);
        expect(taken.plan + taken.free).toBe(profile.support.removed);
        const { support_added: given, support_removed: removed } = profile;
        const keys = [...given, ...removed].map(({ key }) => key);
        expect(keys).toEqual(expect.arrayContaining([...(run.support.get(id) ?? [])]));
        support.given += profile.support.added;
        support.taken += profile.support.removed;
        expect(own.filter((row) => row.charged && row.remake_of)).toEqual([]);
        expect(profile.remakes.made).toBe(remade);
        // Unless another month has begun meanwhile.
        const openRemakes = own.filter((row) => !hasEnded(row.state) && row.remake_of).length;
        if (profile.remakes.month !== null) expect(profile.remakes.used).toBe(remade + openRemakes);
        remadeCount += remade;
        free.granted += welcome.granted;
        free.used += usedOf('welcome');
        if (paid) free.usedBesideAPlan += usedOf('welcome');
      }
      await Promise.all(
        ['generations', 'credit_entries', 'profiles', 'users', 'welcome_claims'].map((name) =>
          connectionOf(stack.db).collection(name).deleteMany({}),
        ),
      );
    }),
    { seed, numRuns: 20, endOnFailure: true, examples: [[everyEnd]] },
  );
  console.log(
    'credits.test.ts: generations by state at the end of all sequences',
    ends,
    'free images',
    free,
    {
      support,
      remadeCount,
      purgedCount,
      splitSets,
    },
  );
  expect(remadeCount, 'no image was made again').toBeGreaterThan(0);
  expect(Math.min(support.given, support.taken), 'operators gave or took none').toBeGreaterThan(0);
  expect(purgedCount, 'none was deleted').toBeGreaterThan(0);
  expect(splitSets, 'no set was held on two balances').toBeGreaterThan(0);
  expect(free.used, 'hardly any free image was used, so the test shows little').toBeGreaterThan(0);
  // The sequences must reach all outcomes, or the test proves little.
  expect(Object.keys(ends).sort()).toEqual([
    'cancelled',
    'cancelled, used',
    'failed',
    'queued',
    'running',
    'succeeded',
  ]);
});
