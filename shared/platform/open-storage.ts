import type { Db } from '#shared/data/db.ts';
import { markerInFolder } from './folder-marker.ts';
import { openFolderStorage } from './folder-storage.ts';
import type { Storage } from './storage.ts';
import { openStorageMarker } from './storage-marker.ts';
import type { StorageLocation } from './storage-url.ts';

/**
 * Opens a storage. Nothing is read yet.
 * @param db the database that the storage must belong to; without it that is not checked
 */
export async function openStorage(location: StorageLocation, db?: Db): Promise<Storage> {
  if (location.kind === 's3') {
    // Loaded only where it is used: the client of S3 takes a tenth of a second.
    const [{ openS3Access }, { markerInBucket }, { openPresigned }, { openS3Storage }] = await Promise.all([
      import('./s3-access.ts'),
      import('./s3-marker.ts'),
      import('./s3-presigned.ts'),
      import('./s3-storage.ts'),
    ]);
    const access = openS3Access(location);
    const presigned = await openPresigned(access, location);
    return openS3Storage(access, presigned, db && openStorageMarker(markerInBucket(access), db));
  }
  const { folder } = location;
  return openFolderStorage(folder, db && openStorageMarker(markerInFolder(folder), db));
}
