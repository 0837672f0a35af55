import type { GenerationState } from '#contract';
import { type BatchFiles, changeFiles } from '#shared/data/batches/files.ts';
import type { Db } from '#shared/data/db.ts';
import { type GenerationRow, generations } from './schema.ts';

/* Statements on the generations of batches. One that was replaced by another attempt is not counted any more. */

const current = { 'batch.replaced': { $ne: true } } as const;

/** What is counted as under way: also those whose request is not complete yet. */
const unended = ['receiving', 'queued', 'running'] as const;

/** @returns how many images of a batch are under way */
export function countUnendedIn(db: Db, batchId: string): Promise<number> {
  return generations(db).countDocuments({ 'batch.id': batchId, state: { $in: [...unended] } });
}

/** @returns the images of a batch that are queued or running */
export function findUnendedIn(db: Db, batchId: string): Promise<GenerationRow[]> {
  return generations(db)
    .find({ 'batch.id': batchId, state: { $in: ['queued', 'running'] } })
    .lean();
}

/** How many images of a batch are in a state. */
export interface BatchStateCount {
  batch: string;
  state: GenerationState;
  count: number;
}

/** @returns how many images of batches are in which state; deleted ones are counted as they ended */
export async function countStatesIn(db: Db, batchIds: readonly string[]): Promise<BatchStateCount[]> {
  const counts = await generations(db).aggregate<{
    _id: { batch: string; state: GenerationState };
    count: number;
  }>([
    { $match: { 'batch.id': { $in: [...batchIds] }, ...current } },
    { $group: { _id: { batch: '$batch.id', state: '$state' }, count: { $sum: 1 } } },
  ]);
  return counts.map(({ _id, count }) => ({ ..._id, count }));
}

/** The fields of a generation that a batch shows. */
export const batchFields = {
  batch: 1,
  state: 1,
  image: 1,
  failure: 1,
  match: 1,
  deletion: 1,
  edits: 1,
} as const satisfies Partial<Record<keyof GenerationRow, 1>>;

/** What a batch shows of a generation. */
export type BatchGeneration = Pick<GenerationRow, '_id' | keyof typeof batchFields>;

/** @returns the images of rows of a batch, in no particular order @param rows from the first to before the last one, from 0 */
export function listImagesIn(
  db: Db,
  batchId: string,
  rows: { from: number; to: number },
): Promise<BatchGeneration[]> {
  // By the driver, as lists are (`readShown`).
  return generations(db)
    .collection.find<BatchGeneration>(
      { 'batch.id': batchId, 'batch.row': { $gte: rows.from, $lt: rows.to }, ...current },
      { projection: batchFields },
    )
    .toArray();
}

/** An attempt to make an image of a batch. */
type BatchAttempt = Pick<GenerationRow, '_id' | 'batch' | 'state' | 'failure' | 'deletion'>;

/** @returns every attempt of the images of a batch, in any state, also those that were replaced by another one */
export function listAllIn(db: Db, batchId: string): Promise<BatchAttempt[]> {
  return generations(db)
    .find({ 'batch.id': batchId })
    .select({ _id: 1, batch: 1, state: 1, failure: 1, deletion: 1 })
    .lean<BatchAttempt[]>();
}

/** The place of an image in its batch, which all attempts to make it have. */
export const placeOf = ({ row, take }: { row: number; take: number }) => `${row} ${take}`;

/** @returns the attempts of each image of a batch by its place, the last ones first */
export async function attemptsByPlace(db: Db, batchId: string): Promise<Map<string, BatchAttempt[]>> {
  // Sorted here, because no index has this order.
  const attempts = (await listAllIn(db, batchId)).toSorted(
    (one, other) => other.batch!.attempt - one.batch!.attempt,
  );
  return Map.groupBy(attempts, ({ batch }) => placeOf(batch!));
}

/** @returns the failed images of a batch that were not made again */
export function findFailedIn(db: Db, batchId: string): Promise<GenerationRow[]> {
  return generations(db)
    .find({ 'batch.id': batchId, state: 'failed', deletion: null, ...current })
    .lean();
}

/** @returns the ended images of a batch among some, without those that were made again */
export function findEndedIn(db: Db, batchId: string, ids: readonly string[]): Promise<GenerationRow[]> {
  return generations(db)
    .find({ _id: { $in: [...ids] }, 'batch.id': batchId, state: { $nin: [...unended] }, ...current })
    .lean();
}

/** Records that an image of a batch is made again. */
export async function markReplaced(db: Db, id: string): Promise<void> {
  await generations(db).updateOne(
    { _id: id },
    { $set: { 'batch.replaced': true }, $unset: { 'batch.again_failure': 1 } },
  );
}

/** Lets an image of a batch count again, in the place of another attempt. @param failure why that gave no image */
export async function putBack(db: Db, id: string, attemptId: string | undefined, failure: string) {
  await generations(db).updateOne(
    { _id: id },
    { $unset: { 'batch.replaced': 1 }, $set: { 'batch.again_failure': failure } },
  );
  if (attemptId !== undefined) {
    await generations(db).updateOne({ _id: attemptId }, { $set: { 'batch.replaced': true } });
  }
}

/**
 * Records whether the seller approved finished images of a batch. Those that have no image are left as they are.
 * @returns one of the images; null if that was known of all
 */
export async function saveApproval(
  db: Db,
  batchId: string,
  ids: readonly string[],
  approved: boolean,
): Promise<GenerationRow | null> {
  const images = { _id: { $in: [...ids] }, 'batch.id': batchId, state: 'succeeded', ...current } as const;
  const { modifiedCount } = await changeFiles(db, batchId, async () =>
    generations(db).updateMany(
      images,
      approved ? { $set: { 'batch.approved': true } } : { $unset: { 'batch.approved': 1 } },
    ),
  );
  return modifiedCount === 0 ? null : generations(db).findOne(images).lean();
}

/** @returns how many files a batch has now */
export async function countFilesIn(db: Db, batchId: string): Promise<BatchFiles> {
  const counts = await generations(db).aggregate<{ _id: true | null; count: number }>([
    { $match: { 'batch.id': batchId, state: 'succeeded', deletion: null, ...current } },
    { $group: { _id: '$batch.approved', count: { $sum: 1 } } },
  ]);
  return {
    available: counts.reduce((sum, { count }) => sum + count, 0),
    approved: counts.find(({ _id: isApproved }) => isApproved)?.count ?? 0,
  };
}
