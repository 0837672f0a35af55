import type { Db } from '#shared/data/db.ts';
import type { StorageLocation } from '#shared/platform/storage-url.ts';
import { markerInFolder } from './folder-marker.ts';
import { openFolderStorage } from './folder-storage.ts';
import type { Storage } from './storage.ts';
import { type MarkerPlace, openStorageMarker } from './storage-marker.ts';

// The modules of S3 are loaded only where they are used: they take a tenth of a second.

/**
 * Opens a storage. Nothing is read yet.
 * @param db the database that the storage must belong to; without it that is not checked
 */
export async function openStorage(location: StorageLocation, db?: Db): Promise<Storage> {
  const marker = db && openStorageMarker(await openMarkerPlace(location), db);
  if (location.kind === 'file') return openFolderStorage(location.folder, marker);
  const [{ openS3Access }, { openPresigned }, { openS3Storage }] = await Promise.all([
    import('./s3-access.ts'),
    import('./s3-presigned.ts'),
    import('./s3-storage.ts'),
  ]);
  const access = openS3Access(location);
  return openS3Storage(access, await openPresigned(access, location), marker);
}

/** Where the marker of a storage is. Nothing is read yet. */
export async function openMarkerPlace(location: StorageLocation): Promise<MarkerPlace> {
  if (location.kind === 'file') return markerInFolder(location.folder);
  const [{ openS3Access }, { markerInBucket }] = await Promise.all([
    import('./s3-access.ts'),
    import('./s3-marker.ts'),
  ]);
  return markerInBucket(openS3Access(location));
}
