import type { Db } from '#shared/data/db.ts';
import { type BatchItemRow, type BatchPhotoRow, batchItems, batchPhotos } from './schema.ts';

/* Statements on the rows and photos of batches. */

/** Inserts the rows of a batch in state `receiving`, and their photos. */
export async function insertBatchParts(db: Db, items: readonly BatchItemRow[]): Promise<void> {
  // The request was validated by its schema; validating 2,500 documents again takes longer than all the rest.
  await batchItems(db).insertMany([...items], { lean: true });
  await batchPhotos(db).insertMany(photosOf(items), { lean: true });
}

/** Inserts rows and photos of a batch, those of them that are not there. */
export async function upsertBatchParts(
  db: Db,
  items: readonly BatchItemRow[],
  photos: readonly BatchPhotoRow[],
): Promise<void> {
  const upsert = <Part extends { _id: string }>({ _id, ...part }: Part) => ({
    updateOne: { filter: { _id }, update: { $setOnInsert: part }, upsert: true },
  });
  // As the decision about them was stored, so validated.
  await batchPhotos(db).bulkWrite(photos.map(upsert));
  await batchItems(db).bulkWrite(items.map(upsert));
}

/** @returns the hash of the rows that a request under an idempotency key added to a batch; undefined if none did */
export async function findAddition(db: Db, batchId: string, key: string): Promise<string | undefined> {
  const first = await batchItems(db)
    .findOne({ batch: batchId, 'added.key': key })
    .select({ added: 1 })
    .lean<Pick<BatchItemRow, 'added'>>();
  return first?.added?.fingerprint;
}

/** The photos of rows of one batch, each once and not uploaded yet. */
export function photosOf(items: readonly Pick<BatchItemRow, 'batch' | 'photos'>[]): BatchPhotoRow[] {
  const photos = new Map<string, BatchPhotoRow>();
  for (const { batch, photos: shown } of items) {
    for (const { sha256 } of shown) {
      const _id = batchPhotoId(batch, sha256);
      photos.set(_id, { _id, batch, sha256, stored: null });
    }
  }
  return [...photos.values()];
}

/** @returns the rows of a batch, in their order */
export function listBatchItems(db: Db, batchId: string): Promise<BatchItemRow[]> {
  return batchItems(db).find({ batch: batchId }).sort({ index: 1 }).lean();
}

/** @returns at most `limit` rows of a batch, in their order, from one that is counted from 0 */
export function listBatchItemsFrom(
  db: Db,
  batchId: string,
  from: number,
  limit: number,
): Promise<BatchItemRow[]> {
  // By the driver, as lists are (`readShown`).
  return batchItems(db)
    .collection.find<BatchItemRow>(
      { batch: batchId, index: { $gte: from, $lt: from + limit } },
      { sort: { index: 1 } },
    )
    .toArray();
}

/** @returns the photos of the rows of a batch, in their order */
export function listItemPhotos(db: Db, batchId: string): Promise<Pick<BatchItemRow, 'index' | 'photos'>[]> {
  return batchItems(db)
    .find({ batch: batchId })
    .sort({ index: 1 })
    .select({ _id: 0, index: 1, photos: 1 })
    .lean<Pick<BatchItemRow, 'index' | 'photos'>[]>();
}

/** @returns at most `limit` rows with images that are to be enqueued, in their order */
export function findWaitingItems(db: Db, batchId: string, limit: number): Promise<BatchItemRow[]> {
  return batchItems(db)
    .find({ batch: batchId, waiting: { $gt: 0 } })
    .sort({ index: 1 })
    .limit(limit)
    .lean();
}

/** An image that is to be enqueued. */
export type QueuedTake = BatchItemRow['queue'][number];

/** Takes an image, which was enqueued, off the list of those that wait. Idempotent. */
export async function removeFromItem(db: Db, itemId: string, { take, attempt }: QueuedTake): Promise<void> {
  await batchItems(db).updateOne(
    { _id: itemId, queue: { $elemMatch: { take, attempt } } },
    { $pull: { queue: { take, attempt } }, $inc: { waiting: -1 } },
  );
}

/** Puts an image, of which an attempt failed, on the list of those that wait. Idempotent. */
export async function addToItem(
  db: Db,
  batchId: string,
  index: number,
  { take, attempt }: QueuedTake,
): Promise<void> {
  await batchItems(db).updateOne(
    { batch: batchId, index, queue: { $not: { $elemMatch: { take, attempt } } } },
    { $push: { queue: { take, attempt } }, $inc: { waiting: 1 } },
  );
}

/** Empties the lists of the images that wait. */
export async function clearItems(db: Db, batchId: string): Promise<void> {
  await batchItems(db).updateMany(
    { batch: batchId, waiting: { $gt: 0 } },
    { $set: { queue: [], waiting: 0 } },
  );
}

/** @returns how many images wait, by the ids of their batches; those without any are absent */
export async function countWaiting(db: Db, batchIds: readonly string[]): Promise<Map<string, number>> {
  const sums = await batchItems(db).aggregate<{ _id: string; waiting: number }>([
    { $match: { batch: { $in: [...batchIds] }, waiting: { $gt: 0 } } },
    { $group: { _id: '$batch', waiting: { $sum: '$waiting' } } },
  ]);
  return new Map(sums.map(({ _id, waiting }) => [_id, waiting]));
}

/** The id of a photo of a batch. */
const batchPhotoId = (batchId: string, sha256: string) => `${batchId}-${sha256}`;

/** @returns a photo of a batch; null when none of its rows shows it */
export function findBatchPhoto(db: Db, batchId: string, sha256: string): Promise<BatchPhotoRow | null> {
  return batchPhotos(db).findById(batchPhotoId(batchId, sha256)).lean<BatchPhotoRow>();
}

/** @returns those of the photos of a batch that are uploaded, by their SHA-256 */
export async function findStoredPhotos(
  db: Db,
  batchId: string,
  sha256s: readonly string[],
): Promise<Map<string, NonNullable<BatchPhotoRow['stored']>>> {
  const rows = await batchPhotos(db)
    .find({ _id: { $in: sha256s.map((sha256) => batchPhotoId(batchId, sha256)) } })
    .lean<BatchPhotoRow[]>();
  return new Map(rows.flatMap(({ sha256, stored }) => (stored ? [[sha256, stored] as const] : [])));
}

/** @returns the photos of a batch that are not uploaded yet */
export async function findMissingPhotos(db: Db, batchId: string): Promise<string[]> {
  const rows = await batchPhotos(db)
    .find({ batch: batchId, stored: null })
    .select({ sha256: 1 })
    .lean<BatchPhotoRow[]>();
  return rows.map(({ sha256 }) => sha256);
}

/** @returns how many photos of a batch are not uploaded yet */
export function countMissingPhotos(db: Db, batchId: string): Promise<number> {
  return batchPhotos(db).countDocuments({ batch: batchId, stored: null });
}

/** Records that a photo is stored. @returns false when another request did so before, or the batch is gone */
export async function recordBatchPhoto(
  db: Db,
  batchId: string,
  sha256: string,
  stored: NonNullable<BatchPhotoRow['stored']>,
): Promise<boolean> {
  const { matchedCount } = await batchPhotos(db).updateOne(
    { _id: batchPhotoId(batchId, sha256), stored: null },
    { $set: { stored } },
  );
  return matchedCount > 0;
}
