import type { QueryFilter } from 'mongoose';
import { endedStates, type GenerationState, hasEnded, statesBefore } from '#contract';
import type { Db } from '#shared/data/db.ts';
import { modelsOf } from '#shared/data/models.ts';
import { type GenerationRow, type ShownGeneration, shownFields } from './schema.ts';

/** What a request to generate brings; its photos come with {@link enqueueGeneration}, the rest starts at its defaults. */
export type NewGeneration = Pick<
  GenerationRow,
  '_id' | 'profile' | 'idempotency_key' | 'fingerprint' | 'prompt' | 'product_name' | 'count'
> &
  Required<Pick<GenerationRow, 'quality'>>;

/**
 * Writes the row of a request; nobody but that request sees it before {@link enqueueGeneration}.
 * @throws MongoDB's duplicate key error when the seller used the idempotency key before
 */
export async function insertGeneration(db: Db, generation: NewGeneration): Promise<GenerationRow> {
  const row = await modelsOf(db).generations.create({ ...generation, created_at: new Date() });
  return row.toObject();
}

/**
 * Lets a generation whose photos are stored and whose hold is placed into the queue.
 * @param admission its photos, and its priority (see `queuePriority`)
 * @returns the row, or null when it is gone: the request took so long that the reconciler gave it up
 */
export async function enqueueGeneration(
  db: Db,
  id: string,
  admission: Pick<GenerationRow, 'photos' | 'priority'>,
): Promise<GenerationRow | null> {
  return modelsOf(db)
    .generations.findOneAndUpdate(
      { _id: id, admitted_at: null },
      { $set: { ...admission, admitted_at: new Date() }, $inc: { revision: 1 } },
      { returnDocument: 'after' },
    )
    .lean();
}

/** Removes the row of a request that was refused. Rows that were admitted stay. @returns whether it was removed */
export async function removeUnadmitted(db: Db, id: string): Promise<boolean> {
  return (await modelsOf(db).generations.deleteOne({ _id: id, admitted_at: null })).deletedCount === 1;
}

/** @returns the row if it was let into the queue */
export async function findAdmitted(db: Db, id: string): Promise<GenerationRow | null> {
  return modelsOf(db)
    .generations.findOne({ _id: id, admitted_at: { $ne: null } })
    .lean();
}

/** @returns the row under a seller's idempotency key, admitted or not */
export async function findByIdempotencyKey(
  db: Db,
  sellerId: string,
  key: string,
): Promise<GenerationRow | null> {
  return modelsOf(db).generations.findOne({ profile: sellerId, idempotency_key: key }).lean();
}

/** @returns the seller's own generation, or null: another seller's is as absent as one that never was */
export async function findGeneration(db: Db, sellerId: string, id: string): Promise<GenerationRow | null> {
  return modelsOf(db)
    .generations.findOne({ _id: id, profile: sellerId, admitted_at: { $ne: null } })
    .lean();
}

/**
 * A page of a seller's generations, newest first.
 * @param before the last row of the page before
 */
export async function listGenerations(
  db: Db,
  sellerId: string,
  limit: number,
  before?: { created_at: Date; _id: string },
): Promise<ShownGeneration[]> {
  const older: QueryFilter<GenerationRow> = before
    ? {
        created_at: { $lte: before.created_at },
        $or: [{ created_at: { $lt: before.created_at } }, { _id: { $lt: before._id } }],
      }
    : {};
  return modelsOf(db)
    .generations.find({ profile: sellerId, admitted_at: { $ne: null }, ...older })
    .select(shownFields)
    .sort({ created_at: -1, _id: -1 })
    .limit(limit)
    .lean();
}

/** What a cancel came to; `refused`: a preview is on show, and the seller has not agreed that it uses the image. */
export type Cancel =
  | { outcome: 'cancelled'; row: GenerationRow }
  | { outcome: 'refused' | 'ended' | 'absent' };

/**
 * Cancels a seller's own generation: free while no preview is on show, else it uses the image. Each way is one
 * compare-and-set on state and preview, so that a preview, a success and a cancel at one moment have one outcome.
 * @param agreed whether the seller agreed that the image is used if a preview is on show
 */
export async function cancelGeneration(
  db: Db,
  sellerId: string,
  id: string,
  agreed: boolean,
): Promise<Cancel> {
  const own = { _id: id, profile: sellerId, admitted_at: { $ne: null } };
  for (;;) {
    const free = await endGeneration(db, { ...own, preview_key: null }, 'cancelled', {});
    if (free) return { outcome: 'cancelled', row: free };
    const current = await findGeneration(db, sellerId, id);
    if (!current) return { outcome: 'absent' };
    if (hasEnded(current.state)) return { outcome: 'ended' };
    if (current.preview_key === null) continue;
    if (!agreed) return { outcome: 'refused' };
    const used = await endGeneration(db, { ...own, preview_key: { $ne: null } }, 'cancelled', {
      charged: true,
    });
    if (used) return { outcome: 'cancelled', row: used };
    // In between its attempt gave up and the preview went, or it ended: the next round sees which.
  }
}

/**
 * Ends a generation of an account that is given up, whatever is on show; free, since the whole balance goes.
 * @returns the row after it, or null when it had ended
 */
export async function withdrawGeneration(
  db: Db,
  sellerId: string,
  id: string,
): Promise<GenerationRow | null> {
  return endGeneration(db, { _id: id, profile: sellerId, admitted_at: { $ne: null } }, 'cancelled', {});
}

/** Whether a generation has ended; one that is gone has. */
export async function isOver(db: Db, id: string): Promise<boolean> {
  return !(await modelsOf(db).generations.exists({ _id: id, state: { $nin: endedStates } }));
}

/** Records that hold, ledger, mail and announcement have followed the end of a generation. */
export async function clearSettlementDue(db: Db, id: string): Promise<void> {
  await modelsOf(db).generations.updateOne({ _id: id }, { $unset: { settlement_due: 1 } });
}

/** Records that the storage has no previews of a generation any more. */
export async function notePreviewsRemoved(db: Db, id: string): Promise<void> {
  await modelsOf(db).generations.updateOne({ _id: id }, { $unset: { previews_left: 1 } });
}

/** @returns ids of generations that ended before a moment and whose previews may still be in the storage */
export async function findWithPreviewsLeft(db: Db, endedBefore: Date, most: number): Promise<string[]> {
  const rows = await modelsOf(db)
    .generations.find({ previews_left: true, ended_at: { $lt: endedBefore } })
    .select({ _id: 1 })
    .limit(most)
    .lean();
  return rows.map(({ _id }) => _id);
}

/**
 * Ends a generation if it has not ended and still fits: the compare-and-set behind every decision.
 * @returns the row after it, or null
 */
export async function endGeneration(
  db: Db,
  filter: QueryFilter<GenerationRow>,
  state: GenerationState,
  fields: Partial<GenerationRow>,
): Promise<GenerationRow | null> {
  return modelsOf(db)
    .generations.findOneAndUpdate(
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
