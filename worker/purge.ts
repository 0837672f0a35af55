import { beginPurge, findToPurge, recordPurged } from '#shared/data/generations/library.ts';
import { findTakes } from '#shared/data/generations/receive.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { forgetInNotification } from '#shared/generations/notifications.ts';
import { removeUnusedPhotoSet } from '#shared/generations/photo-sets.ts';
import type { WorkerContext } from './context.ts';
import { forEachIsolated } from './run-steps.ts';

/**
 * Removes the texts and files of generations that sellers deleted, once that can no longer be undone. The rows stay as
 * tombstones (docs/decisions/0045-deleted-generations-leave-a-tombstone.md). After a crash the next round continues.
 * @param ages only those that were deleted before the first and ended before the second: the attempt of one that was
 *   just cancelled may still write a file
 * @param limit how many are looked at
 * @returns how many were purged
 */
export async function purgeDeleted(
  context: WorkerContext,
  { deletedBefore, endedBefore }: { deletedBefore: Date; endedBefore: Date },
  limit: number,
): Promise<number> {
  const { db, storage, log } = context;
  return forEachIsolated(
    await findToPurge(db, deletedBefore, limit),
    1,
    async (row) => {
      if (!row.ended_at || row.ended_at >= endedBefore || (await hasWaitingTakes(context, row))) return false;
      // The texts go first: from then on nothing refers to the photos through this row.
      if (!(await beginPurge(db, row, deletedBefore))) return false;
      await forgetInNotification(db, row);
      await storage.removeGeneration(row._id);
      await removeUnusedPhotoSet(context, row.photo_set);
      await recordPurged(db, row._id);
      return true;
    },
    (error, { _id }) => log.error({ err: error, generation: _id }, 'a deleted generation was not purged'),
  );
}

/** Whether takes of its set are still to be enqueued, after a crash: they get their photos from this row. */
async function hasWaitingTakes({ db }: WorkerContext, row: GenerationRow): Promise<boolean> {
  const { id, index, size } = row.set;
  if (index > 0 || size === 1) return false;
  return (await findTakes(db, [id])).some(({ state }) => state === 'receiving');
}
