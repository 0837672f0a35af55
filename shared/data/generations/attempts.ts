import type { QueryFilter, UpdateQuery } from 'mongoose';
import { updateRow } from '#shared/data/collection.ts';
import type { Db } from '#shared/data/db.ts';
import { isLeased, renewLease, takeLease } from '#shared/data/lease.ts';
import { endGeneration } from './end.ts';
import { findInAnyState } from './find.ts';
import { type GenerationRow, generations, type StoredImage, type StoredWaitReason } from './schema.ts';

/** An attempt: its generation, and the fence that its writes must match. */
export interface Attempt {
  generationId: string;
  fence: number;
}

/** Result of a claim: the row after it, or the generation has ended, or another attempt has its lease. */
export type Claim =
  | { outcome: 'claimed'; row: GenerationRow }
  | { outcome: 'ended' }
  | { outcome: 'leased'; until: Date };

/**
 * Claims a generation for an attempt: takes its lease and the next fence, so that earlier attempts can no longer write.
 * If a provider call was under way when its worker died, it is counted as lost.
 * @param leaseMs duration of the lease unless it is renewed
 * @param previewsExpected number of previews of the provider call that the attempt begins with; without it there is no call.
 *   If the worker dies before it has sent that call, the call is counted as lost, too
 */
export async function claimGeneration(
  db: Db,
  id: string,
  leaseMs: number,
  previewsExpected?: number,
): Promise<Claim> {
  const call = previewsExpected === undefined ? noCall : callWith(previewsExpected);
  const neverClaimed = { _id: id, state: 'queued', fence: 0 } as const;
  const first = await claimIf(db, neverClaimed, leaseMs, call);
  if (first) return { outcome: 'claimed', row: first };
  for (;;) {
    const row = await findInAnyState(db, id);
    if (!row || (row.state !== 'queued' && row.state !== 'running')) return { outcome: 'ended' };
    const { state, fence, lease_until: until } = row;
    if (until && isLeased(until)) return { outcome: 'leased', until };
    const same = { _id: id, state, fence };
    const claimed = await claimIf(db, same, leaseMs, call, row);
    if (claimed) return { outcome: 'claimed', row: claimed };
  }
}

/** What a claim writes about the attempt's call. */
interface ClaimedCall {
  fields: object;
  started: 0 | 1;
}

const noCall: ClaimedCall = { fields: { progress: null, 'calls.under_way': false }, started: 0 };

function callWith(previewsExpected: number): ClaimedCall {
  const progress = { stage: 'sending', previews: 0, previews_expected: previewsExpected } as const;
  return { fields: { progress, 'calls.under_way': true, previews_left: true }, started: 1 };
}

/**
 * @param filter what the row must match
 * @param before the row as it was read; absent for one that was never claimed
 */
async function claimIf(
  db: Db,
  filter: QueryFilter<GenerationRow>,
  leaseMs: number,
  call: ClaimedCall,
  before?: GenerationRow,
): Promise<GenerationRow | null> {
  const lost = before?.calls.under_way ? 1 : 0;
  return takeLease(generations(db), filter, leaseMs, {
    update: {
      $set: {
        ...call.fields,
        state: 'running',
        started_at: before?.started_at ?? new Date(),
        preview_key: null,
      },
      $inc: { fence: 1, revision: 1, 'calls.started': call.started, 'calls.lost': lost },
    },
  });
}

/** Fields of a running generation that its attempt may change. */
export type RunningChange = Partial<Pick<GenerationRow, 'progress' | 'preview_key'>>;

/**
 * Changes a running generation if the attempt still holds it.
 * @returns the row after it; null when the generation has ended or a later attempt has claimed it
 */
export async function updateRunning(
  db: Db,
  attempt: Attempt,
  change: RunningChange,
): Promise<GenerationRow | null> {
  return updateIfHeld(db, attempt, { $set: change, $inc: { revision: 1 } });
}

/** What an attempt that gives up stores in its generation. */
export interface HandBack {
  /** No other attempt may begin before this time. */
  until: Date;
  waitingFor: StoredWaitReason;
  /** What became of its call, where that changes what the row counts. One that was refused or not sent was not executed. */
  call?: 'refused' | 'not-sent' | 'server-error';
}

/**
 * Ends an attempt without an image, so that another one can begin. The fence is incremented, so that a renewal or a
 * preview of this attempt that is still in progress can no longer write.
 * @returns the row after it, or null as with {@link updateRunning}
 */
export async function handBackGeneration(
  db: Db,
  attempt: Attempt,
  { until, waitingFor, call }: HandBack,
): Promise<GenerationRow | null> {
  return updateIfHeld(db, attempt, {
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
      ...((call === 'refused' || call === 'not-sent') && { 'calls.started': -1 }),
      ...(call === 'refused' && { 'calls.refused': 1 }),
    },
    ...(call === 'refused' && { $min: { 'calls.refused_since': new Date() } }),
  });
}

async function updateIfHeld(
  db: Db,
  attempt: Attempt,
  update: UpdateQuery<GenerationRow>,
): Promise<GenerationRow | null> {
  return updateRow(generations(db), heldBy(attempt), update);
}

const heldBy = ({ generationId, fence }: Attempt): QueryFilter<GenerationRow> => ({
  _id: generationId,
  state: 'running',
  fence,
});

/** Renews an attempt's lease. The revision stays, because sellers do not see the lease. @returns false when it is lost */
export async function renewAttempt(db: Db, attempt: Attempt, leaseMs: number): Promise<boolean> {
  return renewLease(generations(db), heldBy(attempt), leaseMs);
}

/** How an attempt ends its generation. `wasCalled`: false if the call that it began was not executed. */
export type Outcome =
  | { state: 'succeeded'; image: StoredImage; provider: GenerationRow['provider'] }
  | { state: 'failed'; failure: NonNullable<GenerationRow['failure']>; wasCalled?: false };

/**
 * Ends a running generation if the attempt still holds it; `settleGeneration` follows.
 * @returns the row after it, or null as with {@link updateRunning}
 */
export async function endRunning(db: Db, attempt: Attempt, outcome: Outcome): Promise<GenerationRow | null> {
  const own = { _id: attempt.generationId, fence: attempt.fence };
  if (outcome.state === 'succeeded') return endGeneration(db, own, outcome.state, outcome);
  return endGeneration(db, own, outcome.state, { failure: outcome.failure }, outcome.wasCalled);
}

/** @returns ids of at most `limit` generations that ended before a moment and may still have previews in the storage folder */
export async function findWithPreviewsLeft(db: Db, endedBefore: Date, limit: number): Promise<string[]> {
  const rows = await generations(db)
    .find({ previews_left: true, ended_at: { $lt: endedBefore } })
    .select({ _id: 1 })
    .limit(limit)
    .lean();
  return rows.map(({ _id }) => _id);
}

/** Records that no previews of a generation are left in the storage folder. */
export async function recordPreviewsRemoved(db: Db, id: string): Promise<void> {
  await generations(db).updateOne({ _id: id }, { $unset: { previews_left: 1 } });
}
