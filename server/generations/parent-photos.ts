import type { ServerContext } from '#server/http/context.ts';
import { findGeneration } from '#shared/data/generations/find.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { AppError } from '#shared/platform/errors.ts';

/**
 * The photos of a generation, for another row that refers to them. To be read after that row was inserted: before, they may
 * have been removed.
 * @throws AppError NOT_FOUND when they are no longer there
 */
export async function parentPhotos(
  { db }: Pick<ServerContext, 'db'>,
  { _id: id, profile: sellerId, photo_set: photoSet }: GenerationRow,
): Promise<GenerationRow['photos']> {
  const current = await findGeneration(db, sellerId, id);
  if (!current || current.photo_set !== photoSet) throw new AppError('NOT_FOUND');
  return current.photos;
}
