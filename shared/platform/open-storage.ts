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
  const { folder } = location;
  return openFolderStorage(folder, db && openStorageMarker(markerInFolder(folder), db));
}
