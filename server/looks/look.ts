import { type ChangeLook, type LookView, type OwnPresetId, paths } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { insertLook, type LookRow, recordLookPicture } from '#shared/data/looks.ts';
import { AppError } from '#shared/platform/errors.ts';
import { storageKeys } from '#shared/storage/storage.ts';
import { logStorageError, StorageError } from '#shared/storage/storage-error.ts';

/**
 * Saves a look with its small picture. The row goes first: after a crash, the file is found by it.
 * @param picture a WebP. If it cannot be stored, the look has none
 * @throws AppError LOOK_LIMIT
 */
export async function saveLook(
  { db, storage, log }: Pick<ServerContext, 'db' | 'storage' | 'log'>,
  sellerId: string,
  fields: ChangeLook,
  picture: Buffer | undefined,
): Promise<LookRow> {
  const row = await insertLook(db, sellerId, fields);
  if (!row) throw new AppError('LOOK_LIMIT');
  if (!picture) return row;
  try {
    await storage.put(storageKeys.lookPicture(row._id), picture);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    logStorageError(log, error);
    return row;
  }
  await recordLookPicture(db, row._id);
  return { ...row, picture: true };
}

/** What a seller sees of a look. */
export function presentLook(row: LookRow): LookView {
  return {
    id: row._id,
    name: row.name,
    scene: row.scene,
    template: row.template,
    ...row.options,
    numImages: row.num_images,
    // Only ids of this form are ever stored.
    exportPresets: [...((row.own_presets ?? []) as OwnPresetId[]), ...row.export_presets],
    pictureUrl: row.picture ? paths.lookPicture(row._id) : null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
