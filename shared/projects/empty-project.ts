import type { Db } from '#shared/data/db.ts';
import { deleteGeneration } from '#shared/data/generations/library.ts';
import { findEndedIn, moveAllToDefault } from '#shared/data/generations/projects.ts';
import type { ProjectRow } from '#shared/data/projects.ts';

const batch = 100;

/**
 * Empties a deleted project: deletes its images, or moves them to the default project, as the seller chose. Images that a
 * request added while it was being deleted are moved either way. Idempotent, so that upkeep can repeat it after a crash.
 */
export async function emptyProject(
  db: Db,
  { _id: id, profile: sellerId, deletion }: ProjectRow,
): Promise<void> {
  if (deletion?.images === 'delete') {
    for (;;) {
      const ids = await findEndedIn(db, sellerId, id, deletion.at, batch);
      if (ids.length === 0) break;
      for (const generationId of ids) await deleteGeneration(db, sellerId, generationId);
    }
  }
  await moveAllToDefault(db, sellerId, id);
}
