import type { QueryFilter } from 'mongoose';
import { type GenerationState, statesBefore } from '../contract/index.ts';
import type { Data } from './connect.ts';
import type { GenerationRow } from './generation.ts';

/** What a request to generate brings; its photos come with {@link admitGeneration}, the rest starts at its defaults. */
export type NewGeneration = Pick<
  GenerationRow,
  '_id' | 'profile' | 'idempotency_key' | 'fingerprint' | 'prompt' | 'product_name' | 'count'
> &
  Required<Pick<GenerationRow, 'quality'>>;

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

/** Ends a seller's own generation that has not ended. @returns the row after it, or null when there is none such */
export async function cancelGeneration(
  data: Data,
  profile: string,
  id: string,
): Promise<GenerationRow | null> {
  return endGeneration(data, { _id: id, profile, admitted_at: { $ne: null } }, 'cancelled', {});
}

/**
 * Ends a generation if it has not ended and still fits: the compare-and-set behind every decision.
 * @returns the row after it, or null
 */
export async function endGeneration(
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
