import type { Db } from '#shared/data/db.ts';
import { type FileRemovalRow, forgetFileRemoval, recordFileRemoval } from '#shared/data/file-removals.ts';
import { findInAnyState } from '#shared/data/generations/find.ts';
import type { Log } from '#shared/platform/log.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { logIfStorageFails } from '#shared/storage/storage-error.ts';
import { removeUnusedPhotoSet } from './photo-sets.ts';

/** What removing files needs of the contexts of server and worker. */
interface RemovalContext {
  db: Db;
  storage: Storage;
  log: Log;
}

/** Files by what they belong to. */
type Files = Pick<FileRemovalRow, 'profile' | 'generations' | 'photo_set'>;

/**
 * Removes rows, and then their files. These are recorded before, so that upkeep removes them when this process dies or the storage
 * fails, which is logged.
 * @param removeRows returns false when they stay
 * @returns whether the rows were removed
 */
export async function removeWithFiles(
  context: RemovalContext,
  files: Files,
  removeRows: () => Promise<boolean>,
): Promise<boolean> {
  const { db, log } = context;
  const removal = await recordFileRemoval(db, files);
  if (!(await removeRows())) {
    await forgetFileRemoval(db, removal._id);
    return false;
  }
  await removeFiles(context, removal).catch(logIfStorageFails(log));
  return true;
}

/** Removes files that were recorded, except for those that a row still has. Idempotent. */
export async function removeFiles(
  { db, storage }: Pick<RemovalContext, 'db' | 'storage'>,
  { _id, generations, photo_set: photoSet }: FileRemovalRow,
): Promise<void> {
  for (const id of generations) {
    if (!(await findInAnyState(db, id))) await storage.removeGeneration(id);
  }
  await removeUnusedPhotoSet({ db, storage }, photoSet);
  await forgetFileRemoval(db, _id);
}

/** The files of a batch that is removed; its images stay. */
export const filesOfBatch = ({ _id, profile }: { _id: string; profile: string }): Files => ({
  profile,
  generations: [],
  photo_set: _id,
});
