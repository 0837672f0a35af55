import type { QueryFilter, UpdateQuery } from 'mongoose';
import type { WaitReason } from '#contract';
import type { Db } from '#shared/data/db.ts';
import { isLeased, renewLease, takeLease } from '#shared/data/lease.ts';
import { modelsOf } from '#shared/data/models.ts';
import { endGeneration } from './end.ts';
import { findInAnyState } from './find.ts';
import type { GenerationRow, StoredImage } from './schema.ts';

/** An attempt: the generation and the fence that its writes must still find. */
export interface Attempt {
  generationId: string;
  fence: number;
}

/** Outcome of a claim: the row as the attempt has it, why there is nothing to do, or until when another attempt has it. */
export type Claim =
  | { outcome: 'claimed'; row: GenerationRow }
  | { outcome: 'ended' }
  | { outcome: 'busy'; until: Date };

/**
 * Takes a generation for one attempt, with the next fence: whoever had it before can write no more.
 * A call that was under way when its worker died is counted as lost.
 * @param leaseMs how long it stays with the attempt unless renewed
 */
export async function claimGeneration(db: Db, id: string, leaseMs: number): Promise<Claim> {
  const neverClaimed = { _id: id, state: 'queued', fence: 0 } as const;
  const first = await claimIf(db, neverClaimed, leaseMs);
  if (first) return { outcome: 'claimed', row: first };
  for (;;) {
    const row = await findInAnyState(db, id);
    if (!row || (row.state !== 'queued' && row.state !== 'running')) return { outcome: 'ended' };
    const { state, fence, lease_until: until } = row;
    if (until && isLeased(until)) return { outcome: 'busy', until };
    const same = { _id: id, state, fence };
    const claimed = await claimIf(db, same, leaseMs, row);
    if (claimed) return { outcome: 'claimed', row: claimed };
  }
}

/**
 * @param filter what must still be so
 * @param before the row as the filter describes it; none for one that was never claimed
 */
async function claimIf(
  db: Db,
  filter: QueryFilter<GenerationRow>,
  leaseMs: number,
  before?: GenerationRow,
): Promise<GenerationRow | null> {
  return takeLease(modelsOf(db).generations, filter, leaseMs, {
    update: {
      $set: {
        state: 'running',
        started_at: before?.started_at ?? new Date(),
        progress: null,
        preview_key: null,
        'calls.under_way': false,
      },
      $inc: { fence: 1, revision: 1, 'calls.lost': before?.calls.under_way ? 1 : 0 },
    },
  });
}

/** Fields of a running generation that its attempt may change. */
export type RunningChange = Partial<Pick<GenerationRow, 'progress' | 'preview_key'>>;

/**
 * Changes a running generation if the attempt still has it.
 * @returns the row after it, or null: the attempt has lost it, to a cancel or to a later attempt, and must stop
 */
export async function updateRunning(
  db: Db,
  attempt: Attempt,
  change: RunningChange,
): Promise<GenerationRow | null> {
  return writeIfMine(db, attempt, { $set: change, $inc: { revision: 1 } });
}

/**
 * Notes, before the provider is called, that it is: if the worker dies from here on, a call may have been lost.
 * @param previewsExpected how many previews the provider is asked for
 * @returns the row after it, or null as with {@link updateRunning}
 */
export async function beginCall(
  db: Db,
  attempt: Attempt,
  previewsExpected: number,
): Promise<GenerationRow | null> {
  const progress = { stage: 'sending', previews: 0, previews_expected: previewsExpected } as const;
  return writeIfMine(db, attempt, {
    $set: { 'calls.under_way': true, progress, previews_left: true },
    $inc: { revision: 1, 'calls.started': 1 },
  });
}

/** How an attempt that gives up leaves its generation. */
export interface HandBack {
  /** Before then no other attempt may begin, whichever job asks. */
  until: Date;
  waitingFor: WaitReason;
  /** What came of its call, where it counts: a refused one was surely not executed and is no try. */
  call?: 'refused' | 'server-error';
}

/**
 * Gives up an attempt that made no image. It takes the next fence with it, so that nothing which this attempt
 * has still under way (a renewal, a preview) can write any more.
 * @returns the row after it, or null as with {@link updateRunning}
 */
export async function handBackGeneration(
  db: Db,
  attempt: Attempt,
  { until, waitingFor, call }: HandBack,
): Promise<GenerationRow | null> {
  return writeIfMine(db, attempt, {
    $set: {
      lease_until: until,
      progress: { stage: 'waiting', waiting_for: waitingFor, previews: 0, previews_expected: 0 },
      preview_key: null,
      'calls.under_way': false,
    },
    $inc: {
      fence: 1,
      revision: 1,
      ...(call === 'server-error' && { 'calls.server_errors': 1 }),
      ...(call === 'refused' && { 'calls.started': -1, 'calls.refused': 1 }),
    },
    ...(call === 'refused' && { $min: { 'calls.refused_since': new Date() } }),
  });
}

async function writeIfMine(
  db: Db,
  attempt: Attempt,
  update: UpdateQuery<GenerationRow>,
): Promise<GenerationRow | null> {
  return modelsOf(db).generations.findOneAndUpdate(mine(attempt), update, { returnDocument: 'after' }).lean();
}

const mine = ({ generationId, fence }: Attempt): QueryFilter<GenerationRow> => ({
  _id: generationId,
  state: 'running',
  fence,
});

/** Renews an attempt's lease, which no seller needs to see. @returns false when the attempt has lost the generation */
export async function renewAttempt(db: Db, attempt: Attempt, leaseMs: number): Promise<boolean> {
  return renewLease(modelsOf(db).generations, mine(attempt), leaseMs);
}

/** What an attempt decides. */
export type Decision =
  | { state: 'succeeded'; image: StoredImage; provider: GenerationRow['provider'] }
  | { state: 'failed'; failure: NonNullable<GenerationRow['failure']> };

/**
 * The one decision about money: ends a generation if the attempt still has it. `applyDecision` follows from it.
 * @returns the row after it, or null when somebody else has decided or holds a later fence
 */
export async function decideGeneration(
  db: Db,
  attempt: Attempt,
  decision: Decision,
): Promise<GenerationRow | null> {
  return endGeneration(db, { _id: attempt.generationId, fence: attempt.fence }, decision.state, decision);
}
