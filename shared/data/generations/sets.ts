import type { QueryFilter } from 'mongoose';
import type { Db } from '#shared/data/db.ts';
import { type GenerationRow, generations } from './schema.ts';

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
