import type { QueryFilter } from 'mongoose';
import { type GenerationState, statesBefore } from '../contract/index.ts';
import type { Data } from './connect.ts';
import type { GenerationRow, StoredImage } from './generation.ts';

/** What a request to generate brings; its photos come with {@link admitGeneration}, the rest starts at its defaults. */
export type NewGeneration = Pick<
  GenerationRow,
  '_id' | 'profile' | 'idempotency_key' | 'fingerprint' | 'prompt' | 'product_name' | 'count'
>;

/** An attempt: the generation and the fence that its writes must still find. */
export interface Attempt {
  generationId: string;
  fence: number;
}

/**
 * Writes the row of a request; nobody but that request sees it before {@link admitGeneration}.
 * @throws MongoDB's duplicate key error when the seller used the idempotency key before
 */
export async function insertGeneration(data: Data, generation: NewGeneration): Promise<GenerationRow> {
  const row = await data.generations.create({ ...generation, created_at: new Date() });
  return row.toObject();
}

/**
 * Lets a generation whose photos are stored and whose hold is placed into the queue.
 * @param admission its photos, and its priority (see `queuePriority`)
 * @returns the row, or null when it is gone: the request took so long that the reconciler gave it up
 */
export async function admitGeneration(
  data: Data,
  id: string,
  admission: Pick<GenerationRow, 'photos' | 'priority'>,
): Promise<GenerationRow | null> {
  return data.generations
    .findOneAndUpdate(
      { _id: id, admitted_at: null },
      { $set: { ...admission, admitted_at: new Date() }, $inc: { revision: 1 } },
      { returnDocument: 'after' },
    )
    .lean();
}

/** Removes the row of a request that was refused. Rows that were admitted stay. @returns whether it was removed */
export async function removeUnadmitted(data: Data, id: string): Promise<boolean> {
  return (await data.generations.deleteOne({ _id: id, admitted_at: null })).deletedCount === 1;
}

/** @returns the row if it was let into the queue */
export async function findAdmitted(data: Data, id: string): Promise<GenerationRow | null> {
  return data.generations.findOne({ _id: id, admitted_at: { $ne: null } }).lean();
}

/** @returns the row under a seller's idempotency key, admitted or not */
export async function findByIdempotencyKey(
  data: Data,
  profile: string,
  key: string,
): Promise<GenerationRow | null> {
  return data.generations.findOne({ profile, idempotency_key: key }).lean();
}

/** @returns the seller's own generation, or null: another seller's is as absent as one that never was */
export async function findGeneration(data: Data, profile: string, id: string): Promise<GenerationRow | null> {
  return data.generations.findOne({ _id: id, profile, admitted_at: { $ne: null } }).lean();
}

/**
 * A page of a seller's generations, newest first.
 * @param before the last row of the page before
 */
export async function listGenerations(
  data: Data,
  profile: string,
  limit: number,
  before?: { created_at: Date; _id: string },
): Promise<GenerationRow[]> {
  const older: QueryFilter<GenerationRow> = before
    ? {
        created_at: { $lte: before.created_at },
        $or: [{ created_at: { $lt: before.created_at } }, { _id: { $lt: before._id } }],
      }
    : {};
  return data.generations
    .find({ profile, admitted_at: { $ne: null }, ...older })
    .sort({ created_at: -1, _id: -1 })
    .limit(limit)
    .lean();
}

/** @returns the place in the queue, from 1, or null when the generation is not queued */
export async function queuePosition(
  data: Data,
  row: Pick<GenerationRow, 'state' | 'priority' | 'created_at' | 'admitted_at'>,
): Promise<number | null> {
  if (row.state !== 'queued' || row.admitted_at === null) return null;
  const ahead = await data.generations.countDocuments({
    state: 'queued',
    admitted_at: { $ne: null },
    $or: [
      { priority: { $lt: row.priority } },
      { priority: row.priority, created_at: { $lt: row.created_at } },
    ],
  });
  return ahead + 1;
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
export async function claimGeneration(data: Data, id: string, leaseMs: number): Promise<Claim> {
  const first = await claimIf(
    data,
    { _id: id, admitted_at: { $ne: null }, state: 'queued', fence: 0 },
    leaseMs,
  );
  if (first) return { outcome: 'claimed', row: first };
  for (;;) {
    const row = await data.generations.findOne({ _id: id, admitted_at: { $ne: null } }).lean();
    if (!row || (row.state !== 'queued' && row.state !== 'running')) return { outcome: 'ended' };
    if (row.state === 'running' && row.lease_until && row.lease_until > new Date()) {
      return { outcome: 'busy', until: row.lease_until };
    }
    const same = { _id: id, state: row.state, fence: row.fence, lease_until: row.lease_until };
    const claimed = await claimIf(data, same, leaseMs, row);
    if (claimed) return { outcome: 'claimed', row: claimed };
  }
}

/**
 * @param filter what must still be so
 * @param before the row as the filter describes it; none for one that was never claimed
 */
async function claimIf(
  data: Data,
  filter: QueryFilter<GenerationRow>,
  leaseMs: number,
  before?: GenerationRow,
): Promise<GenerationRow | null> {
  const now = new Date();
  return data.generations
    .findOneAndUpdate(
      filter,
      {
        $set: {
          state: 'running',
          lease_until: new Date(now.getTime() + leaseMs),
          started_at: before?.started_at ?? now,
          progress: null,
          preview_key: null,
          'calls.under_way': false,
        },
        $inc: { fence: 1, revision: 1, 'calls.lost': before?.calls.under_way ? 1 : 0 },
      },
      { returnDocument: 'after' },
    )
    .lean();
}

/** Fields of a running generation that its attempt may change. */
export type RunningChange = Partial<Pick<GenerationRow, 'progress' | 'preview_key'>>;

/**
 * Changes a running generation if the attempt still has it.
 * @returns the row after it, or null: the attempt has lost it, to a cancel or to a later attempt, and must stop
 */
export async function updateRunning(
  data: Data,
  attempt: Attempt,
  change: RunningChange,
): Promise<GenerationRow | null> {
  return data.generations
    .findOneAndUpdate(mine(attempt), { $set: change, $inc: { revision: 1 } }, { returnDocument: 'after' })
    .lean();
}

/**
 * Notes, before the provider is called, that it is: if the worker dies from here on, a call may have been lost.
 * @param previewsExpected how many previews the provider is asked for
 * @returns the row after it, or null as with {@link updateRunning}
 */
export async function beginCall(
  data: Data,
  attempt: Attempt,
  previewsExpected: number,
): Promise<GenerationRow | null> {
  const progress = { stage: 'sending', previews: 0, previews_expected: previewsExpected } as const;
  return data.generations
    .findOneAndUpdate(
      mine(attempt),
      { $set: { 'calls.under_way': true, progress }, $inc: { revision: 1, 'calls.started': 1 } },
      { returnDocument: 'after' },
    )
    .lean();
}

/**
 * Gives up an attempt whose call gave no image. It takes the next fence with it, so that nothing which this attempt
 * has still under way (a renewal, a preview) can write any more.
 * @param delayMs before then no other attempt may begin, whichever job asks
 * @param serverErrors 1 when the provider answered with a server error
 * @returns the row after it, or null as with {@link updateRunning}
 */
export async function handBackGeneration(
  data: Data,
  attempt: Attempt,
  delayMs: number,
  serverErrors: 0 | 1,
): Promise<GenerationRow | null> {
  return data.generations
    .findOneAndUpdate(
      mine(attempt),
      {
        $set: {
          lease_until: new Date(Date.now() + delayMs),
          progress: { stage: 'waiting', previews: 0, previews_expected: 0 },
          preview_key: null,
          'calls.under_way': false,
        },
        $inc: { fence: 1, revision: 1, 'calls.server_errors': serverErrors },
      },
      { returnDocument: 'after' },
    )
    .lean();
}

const mine = ({ generationId, fence }: Attempt): QueryFilter<GenerationRow> => ({
  _id: generationId,
  state: 'running',
  fence,
});

/** Renews an attempt's lease, which no seller needs to see. @returns false when the attempt has lost the generation */
export async function renewLease(data: Data, attempt: Attempt, leaseMs: number): Promise<boolean> {
  const renewed = await data.generations.updateOne(mine(attempt), {
    $set: { lease_until: new Date(Date.now() + leaseMs) },
  });
  return renewed.matchedCount === 1;
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
  data: Data,
  attempt: Attempt,
  decision: Decision,
): Promise<GenerationRow | null> {
  return end(data, { _id: attempt.generationId, fence: attempt.fence }, decision.state, decision);
}

/** Ends a seller's own generation that has not ended. @returns the row after it, or null when there is none such */
export async function cancelGeneration(
  data: Data,
  profile: string,
  id: string,
): Promise<GenerationRow | null> {
  return end(data, { _id: id, profile, admitted_at: { $ne: null } }, 'cancelled', {});
}

async function end(
  data: Data,
  filter: QueryFilter<GenerationRow>,
  state: GenerationState,
  fields: Partial<GenerationRow>,
): Promise<GenerationRow | null> {
  return data.generations
    .findOneAndUpdate(
      { ...filter, state: { $in: statesBefore(state) } },
      {
        $set: {
          ...fields,
          state,
          ended_at: new Date(),
          lease_until: null,
          progress: null,
          preview_key: null,
          'calls.under_way': false,
          settlement_due: true,
        },
        $inc: { revision: 1 },
      },
      { returnDocument: 'after' },
    )
    .lean();
}
