/** One random sequence of what happens to credits, with crashes between any two database operations. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type GenerationState, hasEnded } from '#contract';
import { giveFreeImages } from '#server/accounts/free-images/free-images.ts';
import { remake } from '#server/generations/again.ts';
import { submitForm } from '#server/generations/submit-form.ts';
import { giveImages, takeImages } from '#server/operator/support-images.ts';
import { modelsOf } from '#shared/data/collections.ts';
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
import { findProfile } from '#shared/data/profiles/find.ts';
import type { HoldBalance } from '#shared/data/profiles/schema.ts';
import { settleGeneration } from '#shared/generations/settle.ts';
import { AppError } from '#shared/platform/errors.ts';
import { atOnce, decision, never, sampleSubmission, workerContext } from '#tests/support/credits.ts';
import { FaultError, withFault } from '#tests/support/faults.ts';
import { freeImages, type Operation, requestTakes, sellers } from '#tests/support/operation-sequences.ts';
import { applyState, paidState } from '#tests/support/paid.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { runUpkeep, type UpkeepAges } from '#worker/upkeep/upkeep.ts';

/** Ages with which upkeep removes only requests in `receiving`. */
const requestsAtOnce: UpkeepAges = { ...never, requestMs: 0 };

/** Executes one sequence of operations and records their replies, which are compared with the database at the end. */
export class SequenceRun {
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
        // Upkeep, with all ages 0, removes the folder of a request that is under way.
        (op.kind === 'submit' && (error as { code?: string }).code === 'ENOENT');
      if (!known) throw error;
      // A crashed request keeps its key until upkeep removes the row; the seller can repeat it then.
      if (op.kind === 'submit' || op.kind === 'remake')
        await runUpkeep(workerContext(this.stack), requestsAtOnce);
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
      await applyState(crashableDb, sellerId, { customer: 'there', subscription: null, paid: [], packs: [] });
      return;
    }
    if (op.kind === 'confirm') {
      const profile = await findProfile(crashableDb, sellerId);
      const config = { ...context.config, freeImages: freeImages };
      await giveFreeImages({ ...context, config }, profile!, () => Promise.resolve(op.allowed));
      return;
    }
    if (op.kind === 'upkeep') return void (await runUpkeep(workerContext(stack, crashableDb), atOnce));
    if (op.kind === 'submit') {
      const key = this.key(op.seller, op.request);
      const submission = await sampleSubmission(stack, sellerId, { key, takes: requestTakes[op.request]! });
      const { accepted } = await submitForm(context, submission);
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
        const { accepted } = await remake(context, { sellerId, id, network: '' });
        const againId = accepted[0]!.row._id;
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
