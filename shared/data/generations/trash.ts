import { changeFiles } from '#shared/data/batches/files.ts';
import type { Db } from '#shared/data/db.ts';
import { findGeneration, findInAnyState } from './find.ts';
import { type GenerationRow, generations } from './schema.ts';

/* Statements on the trash: what sellers deleted and can restore (docs/decisions/0119-a-trash-of-thirty-days.md). */

/** What is in the trash of a seller. */
const inTrashOf = (sellerId: string) => ({ profile: sellerId, 'deletion.stage': 'trashed' as const });

/** The place of a deleted generation in the trash, the one that was deleted last first. */
export interface TrashPlace {
  _id: string;
  at: Date;
}

/** The fields that the trash shows. */
const trashFields = {
  profile: 1,
  project: 1,
  state: 1,
  revision: 1,
  prompt: 1,
  product_name: 1,
  sku: 1,
  photos: 1,
  image: 1,
  deletion: 1,
} as const;
export type TrashedGeneration = Pick<GenerationRow, '_id' | keyof typeof trashFields>;

/**
 * A page of a seller's trash, what was deleted last first.
 * @param before the place of the last one of the previous page
 */
export function listTrash(
  db: Db,
  sellerId: string,
  { limit, before }: { limit: number; before?: TrashPlace | undefined },
): Promise<TrashedGeneration[]> {
  const older = before
    ? {
        'deletion.at': { $lte: before.at },
        $or: [{ 'deletion.at': { $lt: before.at } }, { _id: { $lt: before._id } }],
      }
    : {};
  return generations(db)
    .find({ ...inTrashOf(sellerId), ...older })
    .select(trashFields)
    .sort({ 'deletion.at': -1, _id: -1 })
    .limit(limit)
    .hint('trash')
    .lean<TrashedGeneration[]>();
}

/** How much is in a trash. `bytes`: of its images, and of the photos of sets of which nothing is anywhere else. */
export interface TrashSize {
  images: number;
  bytes: number;
}

/** @returns how much is in the trash of a seller */
export async function sizeOfTrash(db: Db, sellerId: string): Promise<TrashSize> {
  const groups = await generations(db).aggregate<{
    _id: { set: string };
    images: number;
    imageBytes: number;
    photoBytes: number;
  }>([
    { $match: inTrashOf(sellerId) },
    {
      $group: {
        // Takes of a set have the same photos; rows of a batch, which is one set, have their own.
        _id: { set: '$photo_set', photos: '$photos.key' },
        images: { $sum: 1 },
        imageBytes: { $sum: '$image.bytes' },
        photoBytes: { $first: { $sum: '$photos.bytes' } },
      },
    },
  ]);
  const sets = groups.map(({ _id }) => _id.set);
  const used = new Set(
    await generations(db).distinct('photo_set', { photo_set: { $in: sets }, deletion: null }),
  );
  return groups.reduce(
    (size, { _id, images, imageBytes, photoBytes }) => ({
      images: size.images + images,
      bytes: size.bytes + imageBytes + (used.has(_id.set) ? 0 : photoBytes),
    }),
    { images: 0, bytes: 0 },
  );
}

/** @returns a seller's own generation in the trash; null when there is none */
export function findTrashed(db: Db, sellerId: string, id: string): Promise<GenerationRow | null> {
  return generations(db)
    .findOne({ _id: id, ...inTrashOf(sellerId) })
    .lean();
}

/** Outcome of restoring. A generation that is not deleted counts as `restored`. */
export type Restoration = { outcome: 'restored'; row: GenerationRow } | { outcome: 'late' | 'absent' };

/**
 * Restores a seller's own generation from the trash, to the project that it was in; if that was deleted since, to the default
 * project, into which everything in it was moved.
 * @param deletedSince one that was deleted earlier stays deleted
 */
export async function restoreGeneration(
  db: Db,
  sellerId: string,
  id: string,
  deletedSince: Date,
): Promise<Restoration> {
  const restore = (which: { batch?: null }) =>
    generations(db)
      .findOneAndUpdate(
        { _id: id, ...inTrashOf(sellerId), 'deletion.at': { $gte: deletedSince }, ...which },
        { $unset: { deletion: 1 }, $inc: { revision: 1 } },
        { returnDocument: 'after' },
      )
      .lean<GenerationRow>();
  let row = await restore({ batch: null });
  const batch = row ? undefined : (await findTrashed(db, sellerId, id))?.batch;
  if (batch) row = await changeFiles(db, batch.id, () => restore({}));
  if (row) return { outcome: 'restored', row };
  const current = await findGeneration(db, sellerId, id);
  if (current) return { outcome: 'restored', row: current };
  const deleted = await findInAnyState(db, id);
  return { outcome: deleted?.profile === sellerId && deleted.deletion ? 'late' : 'absent' };
}

/** The update after which nothing is restored any more. */
const deletedForEver = { $set: { 'deletion.stage': 'final' as const }, $inc: { revision: 1 } };

/**
 * Deletes a seller's own generation in the trash for ever: from here on it cannot be restored, and upkeep removes its texts and
 * files.
 * @returns the row after it; `done` if that was asked for before, or its time is over; null when it is not in the trash
 */
export async function deleteForEver(
  db: Db,
  sellerId: string,
  id: string,
): Promise<GenerationRow | 'done' | null> {
  const row = await generations(db)
    .findOneAndUpdate({ _id: id, ...inTrashOf(sellerId) }, deletedForEver, { returnDocument: 'after' })
    .lean();
  if (row) return row;
  const current = await findInAnyState(db, id);
  return current?.profile === sellerId && current.deletion ? 'done' : null;
}

/**
 * Deletes everything for ever that was in the trash of a seller at a moment.
 * @returns how many
 */
export async function emptyTrash(db: Db, sellerId: string, at: Date): Promise<number> {
  const those = { ...inTrashOf(sellerId), 'deletion.at': { $lte: at } };
  return (await generations(db).updateMany(those, deletedForEver)).modifiedCount;
}
