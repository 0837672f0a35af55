import type { StoredPhoto } from '#shared/data/generations/schema.ts';
import type { Storage, StoredPhotoFormat } from '#shared/storage/storage.ts';

/** A normalised photo in a file that is not stored yet. */
export interface NormalisedFile extends Omit<StoredPhoto, 'key'> {
  path: string;
  format: StoredPhotoFormat;
}

/**
 * Moves normalised photos into the storage.
 * @param keyOf the key of a photo by its index, from 0, and its format
 */
export async function storePhotos(
  storage: Storage,
  files: readonly NormalisedFile[],
  keyOf: (index: number, format: StoredPhotoFormat) => string,
): Promise<StoredPhoto[]> {
  const photos: StoredPhoto[] = [];
  for (const [index, { path, format, ...photo }] of files.entries()) {
    const key = keyOf(index, format);
    await storage.putFile(key, path);
    photos.push({ key, ...photo });
  }
  return photos;
}
