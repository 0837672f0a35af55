import { randomInt, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { submit } from '../../server/submit.ts';
import { type GenerationState, hasEnded, type PlanId, plans } from '../../shared/contract/index.ts';
import { applyDecision, grantCredits, holdCredit } from '../../shared/credits.ts';
import { connectData, type Data, newId } from '../../shared/data/connect.ts';
import {
  type Attempt,
  beginCall,
  cancelGeneration,
  claimGeneration,
  decideGeneration,
  handBackGeneration,
  renewLease,
  updateRunning,
} from '../../shared/data/generations.ts';
import { Refusal } from '../../shared/errors.ts';
import type { WorkerContext } from '../../worker/context.ts';
import { createProvider } from '../../worker/provider.ts';
import { reconcile, type UpkeepAges } from '../../worker/upkeep.ts';
import { breakable, type Fault, FaultError, faultKinds, meeting } from '../support/crash.ts';
import { samplePhoto, uploadedPhoto } from '../support/photos.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';

const seed = randomInt(2 ** 31);
console.log(`credits.test.ts: seed ${seed}`);

const atOnce: UpkeepAges = { requestMs: 0, decisionMs: 0, jobMs: 0, signUpMs: 0 };
/** Only requests that died before they were admitted. */
const requestsAtOnce: UpkeepAges = { requestMs: 0, decisionMs: 1e9, jobMs: 1e9, signUpMs: 1e9 };

let stack: TestStack;
/** The connection of the processes that die. */
let mortal: Data;

beforeAll(async () => {
  stack = await startTestStack({ workers: 0 });
  mortal = breakable(await connectData(stack.config.mongodbUrl));
  // The image that every success names.
  await stack.server.context.storage.put('sample.png', await samplePhoto());
});
afterAll(async () => {
  await mortal.close();
  await stack.close();
});

/** A seller without a single image. */
async function poorSeller(plan: PlanId): Promise<string> {
  const id = newId();
  const now = new Date();
  await stack.data.users.create({
    _id: id,
    email: `${id}@shop.example`,
    password_hash: '-',
    created_at: now,
  });
  await stack.data.profiles.create({
    _id: id,
    email: `${id}@shop.example`,
    full_name: 'Poor Seller',
    subscription_plan: plan,
    subscription_status: 'active',
    credits: 0,
    generations_left: 0,
    total_generations: plans[plan].monthlyGenerations ?? 0,
    granted: 0,
    created_at: now,
    updated_at: now,
  });
  return id;
}

function workerContext(data: Data): WorkerContext {
  const { config, storage, relay, queue, log } = stack.server.context;
  const provider = createProvider(config.image);
  return { config, storage, relay, queue, log, data, provider, underWay: new Map() };
}

const sellers = ['freelance', 'enterprise'] as const satisfies PlanId[];
const generationsOfSeller = 3;
const grants = [1, 2, 3];

/** One step of some process; `seller` and `generation` are places in the lists of the course. */
type Operation = { fault: Fault | undefined; seller: number } & (
  | { kind: 'submit'; generation: number }
  | { kind: 'claim'; generation: number; leaseMs: number }
  | { kind: 'decide'; generation: number; state: 'succeeded' | 'failed'; stale: boolean }
  | { kind: 'hand-back'; generation: number }
  | { kind: 'cancel'; generation: number }
  | { kind: 'apply'; generation: number }
  | { kind: 'grant'; grant: number }
  | { kind: 'reconcile' }
);

const fault = fc.option(fc.record({ kind: fc.constantFrom(...faultKinds), at: fc.nat(6) }), {
  nil: undefined,
  freq: 1,
});
const seller = fc.nat(sellers.length - 1);
const generation = fc.nat(generationsOfSeller - 1);
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('submit' as const), seller, generation, fault }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('claim' as const),
      seller,
      generation,
      fault,
      leaseMs: fc.constantFrom(1, 60_000),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('decide' as const),
      seller,
      generation,
      fault,
      state: fc.constantFrom('succeeded' as const, 'succeeded' as const, 'failed' as const),
      stale: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('hand-back' as const), seller, generation, fault }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), seller, generation, fault }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('apply' as const), seller, generation, fault }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('grant' as const),
      seller,
      grant: fc.nat(grants.length - 1),
      fault,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reconcile' as const), seller, fault }) },
);

/** What the world was promised in one course, to be held against what is there at its end. */
class Course {
  readonly sellers: string[];
  /** Attempts by generation, oldest first. */
  readonly attempts = new Map<string, Attempt[]>();
  /** Ids of the rows that a submit answered with, by idempotency key. */
  readonly accepted = new Map<string, string>();
  readonly ended = new Map<string, GenerationState>();
  readonly granted = new Map<string, number>();
  readonly name = randomUUID();

  constructor(sellers: string[]) {
    this.sellers = sellers;
  }

  key = (op: { seller: number; generation: number }) => `${this.name}.${op.seller}.${op.generation}`;

  /** Notes an end that somebody was told. */
  tell(id: string, state: GenerationState): void {
    expect(this.ended.get(id) ?? state, `generation ${id} ended twice`).toBe(state);
    this.ended.set(id, state);
  }

  /** Runs one operation as a process that may die; what was answered is kept. */
  async run(op: Operation): Promise<void> {
    try {
      await meeting(op.fault, () => this.#make(op));
    } catch (error) {
      const known =
        error instanceof FaultError ||
        error instanceof Refusal ||
        error instanceof AggregateError ||
        // A reconciler without patience takes the folder away from a request that is under way.
        (op.kind === 'submit' && (error as { code?: string }).code === 'ENOENT');
      if (!known) throw error;
      // A request that died keeps its key until the reconciler comes; a seller who repeats it waits so long.
      if (op.kind === 'submit') await reconcile(workerContext(stack.data), requestsAtOnce);
    }
  }

  async #make(op: Operation): Promise<void> {
    const profile = this.sellers[op.seller]!;
    if (op.kind === 'grant') {
      const key = `${this.name}.invoice-${op.seller}-${op.grant}`;
      await grantCredits(mortal, { profile, key, count: grants[op.grant]! });
      this.granted.set(key, grants[op.grant]!);
      return;
    }
    if (op.kind === 'reconcile') return void (await reconcile(workerContext(mortal), atOnce));
    if (op.kind === 'submit') {
      const key = this.key(op);
      const row = await submit(
        { ...stack.server.context, data: mortal },
        {
          profile,
          idempotencyKey: key,
          request: { prompt: 'On a table', n: 1 },
          files: [await uploadedPhoto(stack.config.storageFolder)],
        },
      );
      expect(this.accepted.get(key) ?? row._id, 'one key, two generations').toBe(row._id);
      this.accepted.set(key, row._id);
      return;
    }

    const id = this.accepted.get(this.key(op));
    if (id === undefined) return;
    const attempts = this.attempts.get(id) ?? [];
    this.attempts.set(id, attempts);
    switch (op.kind) {
      case 'claim': {
        const claim = await claimGeneration(mortal, id, op.leaseMs);
        if (claim.outcome === 'claimed') attempts.push({ generationId: id, fence: claim.row.fence });
        return;
      }
      case 'decide': {
        if (attempts.length === 0) {
          const claim = await claimGeneration(mortal, id, 60_000);
          if (claim.outcome === 'claimed') attempts.push({ generationId: id, fence: claim.row.fence });
        }
        const attempt = op.stale ? attempts[0] : attempts.at(-1);
        if (!attempt) return;
        const row = await decideGeneration(mortal, attempt, decision(op.state));
        if (!row) return;
        expect(row.state).toBe(op.state);
        this.tell(id, row.state);
        await applyDecision(mortal, row);
        return;
      }
      case 'hand-back': {
        const attempt = attempts.at(-1);
        if (attempt) await handBackGeneration(mortal, attempt, 0, 0);
        return;
      }
      case 'cancel': {
        const row = await cancelGeneration(mortal, profile, id);
        if (!row) return;
        this.tell(id, row.state);
        await applyDecision(mortal, row);
        return;
      }
      case 'apply': {
        const row = await mortal.generations.findById(id).lean();
        if (row && hasEnded(row.state)) await applyDecision(mortal, row);
      }
    }
  }
}

function decision(state: 'succeeded' | 'failed') {
  if (state === 'succeeded') {
    const image = { key: 'sample.png', width: 96, height: 64, bytes: 1 };
    return { state, image, provider: null };
  }
  const unknown = { provider_status: null, provider_code: null, provider_request_id: null };
  return { state, failure: { code: 'GENERATION_FAILED' as const, detail: 'as asked', ...unknown } };
}

/** What holds at every moment, also between a crash and the reconciler (design.md, "Always true"). */
async function expectAlwaysTrue(ids: string[]): Promise<void> {
  for (const profile of await stack.data.profiles.find({ _id: { $in: ids } }).lean()) {
    const { granted, generations_left: left, settled, forfeited, holds } = profile;
    expect(granted).toBe(left + settled + forfeited);
    const metered = holds.filter((hold) => hold.metered).length;
    expect(left, 'more is held than is left').toBeGreaterThanOrEqual(metered);
    expect(new Set(holds.map((hold) => hold.generation)).size).toBe(holds.length);
  }
}

test('any interleaving of hold, settle, release, grant, crash and replay leaves exact balances', {
  timeout: 120_000,
}, async () => {
  const ends: Record<string, number> = {};
  const course = fc.array(fc.array(operation, { minLength: 1, maxLength: 3 }), {
    minLength: 8,
    maxLength: 24,
  });
  await fc.assert(
    fc.asyncProperty(course, async (steps) => {
      const run = new Course(await Promise.all(sellers.map(poorSeller)));
      for (const step of steps) {
        await Promise.all(step.map((op) => run.run(op)));
        await expectAlwaysTrue(run.sellers);
      }
      // Twice: the first round's own findings must not leave work behind.
      await reconcile(workerContext(stack.data), atOnce);
      const again = await reconcile(workerContext(stack.data), atOnce);
      expect(again).toMatchObject({ decisionsApplied: 0, requestsDropped: 0, holdsReleased: 0 });
      expect(await stack.audit()).toEqual([]);

      const rows = await stack.data.generations.find({ profile: { $in: run.sellers } }).lean();
      for (const id of run.accepted.values()) expect(rows.map((row) => row._id)).toContain(id);
      for (const [id, state] of run.ended) expect(rows.find((row) => row._id === id)?.state).toBe(state);
      for (const row of rows) ends[row.state] = (ends[row.state] ?? 0) + 1;
      for (const [place, id] of run.sellers.entries()) {
        const profile = (await stack.data.profiles.findById(id).lean())!;
        const own = rows.filter((row) => row.profile === id);
        const succeeded = own.filter((row) => row.state === 'succeeded').length;
        const open = own.filter((row) => !hasEnded(row.state)).length;
        for (const [key, count] of run.granted) {
          if (!key.includes(`.invoice-${place}-`)) continue;
          expect(profile.grants.filter((grant) => grant.key === key)).toMatchObject([{ count }]);
        }
        const given = profile.grants.reduce((sum, grant) => sum + grant.count, 0);
        const unlimited = sellers[place] === 'enterprise';
        expect(profile.settled).toBe(succeeded);
        expect(profile.holds).toHaveLength(open);
        expect(profile.generations_left).toBe(unlimited ? given : given - succeeded);
      }
      await Promise.all(
        ['generations', 'credit_entries', 'profiles', 'users'].map((name) =>
          stack.data.connection.collection(name).deleteMany({}),
        ),
      );
    }),
    { seed, numRuns: 25, endOnFailure: true },
  );
  console.log('credits.test.ts: generations by state at the ends', ends);
  // The courses must have been everywhere, or the test says little.
  expect(Object.keys(ends).sort()).toEqual(['cancelled', 'failed', 'queued', 'running', 'succeeded']);
});

test('of 200 holds at a time with 5 images left, exactly 5 are placed', async () => {
  const profile = await poorSeller('freelance');
  await grantCredits(stack.data, { profile, key: randomUUID(), count: 5 });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 200 }, () =>
      holdCredit(stack.data, { _id: newId(), profile, count: 1, state: 'queued' }),
    ),
  );
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(refused).toHaveLength(195);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'NO_CREDITS' });
  const held = await stack.data.profiles.findById(profile).lean();
  expect(held).toMatchObject({ generations_left: 5, settled: 0 });
  expect(held!.holds).toHaveLength(5);
  await reconcile(workerContext(stack.data), atOnce);
  expect(await stack.audit()).toEqual([]);
});

test('one grant key adds once, whoever repeats it with whatever count', async () => {
  const profile = await poorSeller('freelance');
  const key = randomUUID();
  const added = await Promise.all(
    Array.from({ length: 20 }, (_, index) => grantCredits(stack.data, { profile, key, count: 5 + index })),
  );
  const [first, ...others] = added.filter((outcome) => outcome !== null);
  expect(others).toEqual([]);
  const stored = await stack.data.profiles.findById(profile).lean();
  expect(stored!.generations_left).toBe(first!.generations_left);
  expect(stored!.grants).toMatchObject([{ key, count: first!.generations_left, entered: true }]);
  expect(await stack.audit()).toEqual([]);
});

test('an attempt that gave up, or was followed by another, writes no more', async () => {
  const profile = await poorSeller('freelance');
  await grantCredits(stack.data, { profile, key: randomUUID(), count: 1 });
  const { _id: id } = await submit(stack.server.context, {
    profile,
    idempotencyKey: randomUUID(),
    request: { prompt: 'On a table', n: 1 },
    files: [await uploadedPhoto(stack.config.storageFolder)],
  });
  const claim = async (): Promise<Attempt> => {
    const claimed = await claimGeneration(stack.data, id, 60_000);
    if (claimed.outcome !== 'claimed') throw new Error(`it is ${claimed.outcome}`);
    return { generationId: id, fence: claimed.row.fence };
  };
  const first = await claim();
  expect(await claimGeneration(stack.data, id, 60_000)).toMatchObject({ outcome: 'busy' });
  expect(await handBackGeneration(stack.data, first, 0, 0)).toMatchObject({ state: 'running' });
  const second = await claim();
  for (const write of [
    () => renewLease(stack.data, first, 60_000),
    () => updateRunning(stack.data, first, { preview_key: 'late' }),
    () => beginCall(stack.data, first, null),
    () => handBackGeneration(stack.data, first, 60_000, 1),
    () => decideGeneration(stack.data, first, decision('failed')),
  ]) {
    const before = await stack.data.generations.findById(id).lean();
    expect(await write()).toBeFalsy();
    expect(await stack.data.generations.findById(id).lean()).toEqual(before);
  }
  const row = await decideGeneration(stack.data, second, decision('succeeded'));
  await applyDecision(stack.data, row!);
  // Once more, and as whoever thinks that it failed.
  expect(await applyDecision(stack.data, row!)).toBeNull();
  expect(await decideGeneration(stack.data, second, decision('failed'))).toBeNull();
  expect(await stack.data.profiles.findById(profile).lean()).toMatchObject({
    generations_left: 0,
    settled: 1,
  });
  expect(await stack.audit()).toEqual([]);
});

test('a decision that has not been made is not applied', async () => {
  const generation = { _id: newId(), profile: newId(), count: 1, state: 'running' as const };
  await expect(applyDecision(stack.data, generation)).rejects.toThrow(/has not ended/);
});
