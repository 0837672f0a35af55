import type { QueryFilter, UpdateQuery } from 'mongoose';
import { batchStates, limits } from '#contract';
import type { Db } from '#shared/data/db.ts';
import { removeRow } from '#shared/data/remove-row.ts';
import { isTestSeller } from '#shared/data/test-seller.ts';
import { traceToStore } from '#shared/platform/trace.ts';
import { photosOf, upsertBatchParts } from './items.ts';
import {
  type BatchItemRow,
  type BatchRow,
  batches,
  batchItems,
  batchPhotos,
  type DeletedBatchRow,
  deletedBatches,
} from './schema.ts';

/* Statements on batches. Each change of state is a compare-and-set. */

/** Those that sellers see. */
const visible = { state: { $ne: 'receiving' } } as const satisfies QueryFilter<BatchRow>;

/**
 * Inserts a batch in state `receiving`; its rows and photos follow.
 * @throws MongoDB's duplicate key error when the seller has a batch under this key
 */
export async function insertBatch(
  db: Db,
  batch: Pick<
    BatchRow,
    '_id' | 'profile' | 'key' | 'fingerprint' | 'name' | 'api_key' | 'project' | 'rows' | 'images' | 'bytes'
  >,
): Promise<BatchRow> {
  const row = { ...batch, state: 'receiving', created_at: new Date() } as const;
  return (await batches(db).create(row)).toObject();
}

/** Lets the seller see a batch whose rows and photos are inserted. @returns it; null when upkeep has removed it */
export function acceptBatch(db: Db, id: string): Promise<BatchRow | null> {
  return change(db, { _id: id, state: 'receiving' }, { $set: { state: 'uploading' } });
}

/** @returns a seller's batch under a key of a client, in any state, or null */
export function findBatchByKey(db: Db, sellerId: string, key: string): Promise<BatchRow | null> {
  return batches(db).findOne({ profile: sellerId, key }).lean();
}

/** @returns what is left of a seller's deleted batch under a key of a program, or null */
export function findDeletedBatch(db: Db, sellerId: string, key: string): Promise<DeletedBatchRow | null> {
  return deletedBatches(db).findOne({ profile: sellerId, key }).lean();
}

/** @returns a seller's own batch; null when there is none */
export function findBatch(db: Db, sellerId: string, id: string): Promise<BatchRow | null> {
  // By the driver, as lists are (`readShown`).
  return batches(db).collection.findOne<BatchRow>({ _id: id as never, profile: sellerId, ...visible });
}

/** @returns a batch of any seller, or null */
export function findAnyBatch(db: Db, id: string): Promise<BatchRow | null> {
  return batches(db).findById(id).lean();
}

/** @returns the batches of sellers that run or are paused */
export function findUnendedBatchesOf(db: Db, sellerIds: readonly string[]): Promise<BatchRow[]> {
  return batches(db)
    .find({ profile: { $in: [...sellerIds] }, state: { $in: ['running', 'paused'] } })
    .lean();
}

/** @returns all batches of a seller, newest first */
export function listBatches(db: Db, sellerId: string): Promise<BatchRow[]> {
  return batches(db)
    .find({ profile: sellerId, ...visible })
    .sort({ created_at: -1, _id: -1 })
    .lean();
}

/** @returns how many batches a seller has, with those whose request is still under way */
export function countBatches(db: Db, sellerId: string): Promise<number> {
  return batches(db).countDocuments({ profile: sellerId });
}

/** @returns the bytes of a seller's batches that are not started, with those whose request is still under way */
export async function sumUnstartedBytes(db: Db, sellerId: string): Promise<number> {
  const [sum] = await batches(db).aggregate<{ bytes: number }>([
    { $match: { profile: sellerId, state: { $in: ['receiving', 'uploading'] } } },
    { $group: { _id: null, bytes: { $sum: '$bytes' } } },
  ]);
  return sum?.bytes ?? 0;
}

/**
 * Counts bytes for a batch that is not started, before they are stored.
 * @param bytes below 0 for bytes that are not stored after all
 * @returns false when it was started, or is gone
 */
export async function countBytes(db: Db, id: string, bytes: number): Promise<boolean> {
  return (await change(db, { _id: id, state: 'uploading' }, { $inc: { bytes } })) !== null;
}

/** @returns at most `limit` batches that run and do not wait for the next day, the oldest first */
export function findRunningBatches(db: Db, limit: number): Promise<BatchRow[]> {
  return batches(db)
    .find({ state: 'running', $or: [{ waits_until: null }, { waits_until: { $lte: new Date() } }] })
    .sort({ created_at: 1 })
    .limit(limit)
    .lean();
}

/** Records until when the next images of a batch wait. @param until null when they no longer do */
export async function waitUntil(db: Db, id: string, until: Date | null): Promise<void> {
  await batches(db).updateOne(
    { _id: id },
    until ? { $set: { waits_until: until } } : { $unset: { waits_until: 1 } },
  );
}

/** @returns at most `limit` batches in a state that were created before a moment */
export function findBatchesIn(
  db: Db,
  state: 'receiving' | 'uploading',
  createdBefore: Date,
  limit: number,
): Promise<BatchRow[]> {
  return batches(db)
    .find({ state, created_at: { $lt: createdBefore } })
    .limit(limit)
    .lean();
}

/**
 * Starts a batch whose images are on hold.
 * @param rows as it was read
 * @returns it; null when it was started or removed before, or rows were added
 */
export function startBatch(db: Db, { _id, rows }: Pick<BatchRow, '_id' | 'rows'>): Promise<BatchRow | null> {
  return change(
    db,
    { _id, rows, state: 'uploading', adding: null },
    { $set: { state: 'running', round: 1, started_at: new Date(), trace: traceToStore() } },
  );
}

/**
 * Decides that rows are added to a batch that is not started; `finishAddition` does the rest.
 * @param batch as it was read
 * @returns it; null when it was started or removed, or other rows were added meanwhile
 */
export function beginAddition(
  db: Db,
  { _id, rows }: Pick<BatchRow, '_id' | 'rows'>,
  items: readonly BatchItemRow[],
): Promise<BatchRow | null> {
  return change(db, { _id, rows, state: 'uploading', adding: null }, { $set: { adding: [...items] } });
}

/**
 * Stores the rows of an addition that was decided, if there is one, and counts them. Idempotent, also when several processes do
 * it at once.
 * @returns the batch without an addition; null when it was removed
 */
export async function finishAddition(db: Db, batch: BatchRow): Promise<BatchRow | null> {
  const { _id: id, rows, adding } = batch;
  if (!adding) return batch;
  await upsertBatchParts(db, adding, photosOf(adding));
  const images = adding.reduce((sum, { takes }) => sum + takes, 0);
  const finished = await change(
    db,
    { _id: id, rows, state: 'uploading', adding: { $ne: null } },
    { $inc: { rows: adding.length, images }, $unset: { adding: 1 } },
  );
  if (finished) return finished;
  const now = await findAnyBatch(db, id);
  if (now && now.state !== 'receiving') return finishAddition(db, now);
  // Removed meanwhile, perhaps before its new parts were there.
  await removeParts(db, [id]);
  return null;
}

/** Stores the network that a batch is started or continued from. @param network its hash; undefined for none */
export async function recordBatchNetwork(db: Db, id: string, network: string | undefined): Promise<void> {
  await batches(db).updateOne(
    { _id: id },
    network === undefined ? { $unset: { network: 1 } } : { $set: { network } },
  );
}

/**
 * Pauses a running batch.
 * @param because the reason, if it is not the seller's wish; a batch that is paused gets it, too
 */
export function pauseBatch(db: Db, id: string, because?: string): Promise<BatchRow | null> {
  const states = because === undefined ? (['running'] as const) : (['running', 'paused'] as const);
  return change(
    db,
    { _id: id, state: { $in: [...states] }, cancelled_at: null },
    { $set: { state: 'paused', ...(because !== undefined && { paused_because: because }) } },
  );
}

/** Continues a paused batch. @returns it; null when it is not paused */
export function resumeBatch(db: Db, id: string): Promise<BatchRow | null> {
  return change(
    db,
    { _id: id, state: 'paused' },
    { $set: { state: 'running' }, $unset: { paused_because: 1 } },
  );
}

/** Cancels the rest of a batch. It runs until what is under way has ended. @returns it; null when it does not run */
export function cancelBatch(db: Db, id: string): Promise<BatchRow | null> {
  return change(
    db,
    { _id: id, state: { $in: ['running', 'paused'] } },
    { $set: { state: 'running', cancelled_at: new Date() }, $unset: { paused_because: 1 } },
  );
}

/**
 * Ends a running batch of which nothing is left to do.
 * @param round as it was read
 * @param outcome what became of its images
 * @param at when it ended
 */
export function endBatch(
  db: Db,
  { _id, round }: Pick<BatchRow, '_id' | 'round'>,
  outcome: NonNullable<BatchRow['outcome']>,
  at: Date,
): Promise<BatchRow | null> {
  return change(
    db,
    { _id, round, state: 'running' },
    { $set: { state: 'ended', ended_at: at, outcome }, $unset: { network: 1 } },
  );
}

/**
 * Lets an ended batch run again, for images that are on hold; `finishRestart` does the rest.
 * @param round as it was read
 * @returns it; null when other images were made again meanwhile, or it was removed
 */
export function restartBatch(
  db: Db,
  { _id, round }: Pick<BatchRow, '_id' | 'round'>,
  again: NonNullable<BatchRow['again']>,
): Promise<BatchRow | null> {
  const now = new Date();
  return change(
    db,
    { _id, round, state: 'ended' },
    {
      $set: { state: 'running', ended_at: null, restarted_at: now, again, trace: traceToStore() },
      $inc: { round: 1 },
      $unset: { cancelled_at: 1, outcome: 1, files: 1 },
    },
  );
}

/** Records that the images which a restart makes again are in the rows. */
export async function endRestart(db: Db, { _id, round }: Pick<BatchRow, '_id' | 'round'>): Promise<void> {
  await change(db, { _id, round, again: { $ne: null } }, { $unset: { again: 1 } });
}

function change(
  db: Db,
  filter: QueryFilter<BatchRow>,
  update: UpdateQuery<BatchRow>,
): Promise<BatchRow | null> {
  return batches(db).findOneAndUpdate(filter, update, { returnDocument: 'after' }).lean();
}

/**
 * Removes a batch that does not run, with its rows and its list of photos; its images and files stay. One that a program made and
 * that was started leaves a tombstone.
 * @returns false when it runs, or is gone
 */
export async function removeBatch(db: Db, id: string): Promise<boolean> {
  const still = { _id: id, state: { $nin: ['running', 'paused'] } } as const;
  const row = await batches(db).findOne(still).lean();
  if (!row) return false;
  // The batch goes last: after a crash, its parts are found by it. In between no seller sees it.
  const closed = await change(db, { ...still, state: row.state }, { $set: { state: 'receiving' } });
  if (!closed) return false;
  await removeParts(db, [id]);
  if (row.api_key && row.round > 0) await insertTombstone(db, row);
  await removeRow(batches(db), { _id: id });
  return true;
}

/** Inserts the tombstone of a batch. Idempotent. */
async function insertTombstone(db: Db, { _id, profile, key, fingerprint }: BatchRow): Promise<void> {
  const now = new Date();
  const remove_at = isTestSeller(profile) ? new Date(now.getTime() + limits.testDays * 86_400_000) : null;
  await deletedBatches(db).updateOne(
    { profile, key },
    { $setOnInsert: { _id, fingerprint, deleted_at: now, remove_at } },
    { upsert: true },
  );
}

/** Removes rows and lists of photos of batches. */
async function removeParts(db: Db, ids: readonly string[]): Promise<void> {
  await batchItems(db).deleteMany({ batch: { $in: [...ids] } });
  await batchPhotos(db).deleteMany({ batch: { $in: [...ids] } });
}

/** @returns ids of all batches of a seller, in any state */
export async function findBatchIdsOf(db: Db, sellerId: string): Promise<string[]> {
  const rows = await batches(db).find({ profile: sellerId }).select({ _id: 1 }).lean();
  return rows.map(({ _id }) => _id);
}

/** @returns batches of all sellers that were made before a moment, in any state, at most `limit` */
export function findBatchesBefore(
  db: Db,
  before: Date,
  limit: number,
): Promise<Pick<BatchRow, '_id' | 'profile'>[]> {
  return (
    batches(db)
      // An index has the states first.
      .find({ state: { $in: ['receiving', ...batchStates] }, created_at: { $lt: before } })
      .limit(limit)
      .select({ profile: 1 })
      .lean()
  );
}

/** Removes batches in any state, with their rows and lists of photos. */
export async function removeBatchesById(db: Db, ids: readonly string[]): Promise<void> {
  await removeParts(db, ids);
  await batches(db).deleteMany({ _id: { $in: [...ids] } });
}

/** Removes all batches of a seller whose files are removed. */
export async function removeBatchesOf(db: Db, sellerId: string): Promise<void> {
  await removeBatchesById(db, await findBatchIdsOf(db, sellerId));
}
