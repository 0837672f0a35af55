import { findAnyBatch } from '#shared/data/batches/batches.ts';
import type { Db } from '#shared/data/db.ts';
import { isPhotoSetUsed, listPhotoKeys } from '#shared/data/generations/receive.ts';
import type { Storage } from '#shared/storage/storage.ts';

/**
 * Removes those photos of a batch that none of its generations has, because they were cancelled before they began. To be
 * called when nothing of it is left to do. Idempotent.
 */
export async function removeUnusedPhotos(
  { db, storage }: { db: Db; storage: Storage },
  batchId: string,
): Promise<void> {
  await storage.removePhotoSet(batchId, new Set(await listPhotoKeys(db, batchId)));
}

/**
 * Removes the photos of a set once no generation refers to them. To be called after a row was removed, or its purge has
 * begun.
 *
 * Whoever inserts a row that refers to the photos of another generation must read that generation again afterwards: if
 * it no longer refers to them, they may be gone. Then one of the two sees the other, whatever the order.
 * @returns whether nothing refers to them any more
 */
export async function removeUnusedPhotoSet(
  { db, storage }: { db: Db; storage: Storage },
  photoSetId: string,
): Promise<boolean> {
  if (await isPhotoSetUsed(db, photoSetId)) return false;
  // The photos of a batch are one set, which has its id.
  if (await findAnyBatch(db, photoSetId)) return false;
  await storage.removePhotoSet(photoSetId);
  return true;
}
