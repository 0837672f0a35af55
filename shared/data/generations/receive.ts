import type { QueryFilter } from 'mongoose';
import { insertRow, updateRow } from '#shared/data/collection.ts';
import type { Db } from '#shared/data/db.ts';
import { type GenerationRow, generations } from './schema.ts';
import { searchFieldsOf } from './search-fields.ts';

/* Statements on generations in state `receiving`: rows of requests that are still under way, or whose process died. */

/** What a request brings; its photos come with {@link enqueueGeneration}, the rest starts at its defaults. */
export type NewGeneration = Pick<
  GenerationRow,
  | '_id'
  | 'profile'
  | 'idempotency_key'
  | 'fingerprint'
  | 'prompt'
  | 'product_name'
  | 'count'
  | 'quality'
  | 'photos_show'
  | 'options'
  | 'photo_set'
  | 'set'
  | 'created_at'
  | 'project'
  | 'sku'
  | 'asin'
  | 'remake_of'
  | 'parent'
  | 'root'
  | 'change'
  | 'batch'
  | 'network'
  | 'api_key'
>;

/**
 * Inserts the row of a request, in state `receiving`.
 * @throws MongoDB's duplicate key error when the seller used the idempotency key before
 */
export async function insertGeneration(
  db: Db,
  generation: NewGeneration & Pick<GenerationRow, 'trace'>,
): Promise<GenerationRow> {
  const row: GenerationRow = {
    ...generation,
    ...searchFieldsOf(generation),
    ...asReceived,
    calls: { started: 0, under_way: false, lost: 0, server_errors: 0 },
    photos: [],
  };
  await insertRow(generations(db), row);
  return row;
}

/** What every row begins with. */
const asReceived = {
  state: 'receiving',
  revision: 0,
  fence: 0,
  priority: 0,
  queued_at: null,
  lease_until: null,
  progress: null,
  preview_key: null,
  image: null,
  failure: null,
  provider: null,
  started_at: null,
  ended_at: null,
} as const satisfies Partial<GenerationRow>;

/** @returns the row under a seller's idempotency key, in any state */
export async function findByIdempotencyKey(
  db: Db,
  sellerId: string,
  key: string,
): Promise<GenerationRow | null> {
  return generations(db).findOne({ profile: sellerId, idempotency_key: key }).lean();
}

/**
 * Moves a generation from `receiving` to `queued`, once its photos are stored and its hold is placed.
 * @param received its photos, its priority (see `queuePriority`), and the balance and day of its hold
 * @returns the row after it; null when upkeep has removed it, because the request took too long
 */
export async function enqueueGeneration(
  db: Db,
  id: string,
  received: Pick<GenerationRow, 'photos' | 'priority' | 'held_on' | 'counted_on'>,
): Promise<GenerationRow | null> {
  return updateRow(
    generations(db),
    { _id: id, state: 'receiving' },
    { $set: { ...received, state: 'queued', queued_at: new Date() }, $inc: { revision: 1 } },
  );
}

/** Removes the row of a request that failed, unless it was enqueued. @returns whether it was removed */
export async function removeReceiving(db: Db, id: string): Promise<boolean> {
  return (await generations(db).deleteOne({ _id: id, state: 'receiving' })).deletedCount === 1;
}

/** @returns at most `limit` rows in `receiving` that were inserted before a moment; the first ones of sets come first */
export async function findReceivingSince(db: Db, before: Date, limit: number): Promise<GenerationRow[]> {
  return generations(db)
    .find({ state: 'receiving', created_at: { $lt: before } })
    .sort({ 'set.index': 1 })
    .limit(limit)
    .lean();
}

/* Statements on sets: the generations of one request, and the photos that they share. */

/** @returns the takes of sets, in any state, by their index */
export function findTakes(db: Db, setIds: readonly string[]): Promise<GenerationRow[]> {
  const ids = { $in: [...setIds] };
  // The photos of a set have its id, and that is what the index is on.
  return generations(db).find({ photo_set: ids, 'set.id': ids }).sort({ 'set.index': 1 }).lean();
}

const usesFiles = {
  'deletion.stage': { $nin: ['purging', 'purged'] },
} as const satisfies QueryFilter<GenerationRow>;

/** Whether any generation, in any state, refers to the photos of a set. Deleted ones do until they are purged. */
export async function isPhotoSetUsed(db: Db, photoSetId: string): Promise<boolean> {
  return (await generations(db).exists({ photo_set: photoSetId, ...usesFiles })) !== null;
}

/** @returns the keys of those photos of a set that generations have, in any state */
export function listPhotoKeys(db: Db, photoSetId: string): Promise<string[]> {
  return generations(db).distinct('photos.key', { photo_set: photoSetId, ...usesFiles });
}

/**
 * Records in a generation which one makes it again. The first one stays.
 * @returns the row after it; null when it was recorded before
 */
export async function setRemadeBy(db: Db, id: string, remakeId: string): Promise<GenerationRow | null> {
  return generations(db)
    .findOneAndUpdate(
      { _id: id, remade_by: { $exists: false } },
      { $set: { remade_by: remakeId }, $inc: { revision: 1 } },
      { returnDocument: 'after' },
    )
    .lean();
}
