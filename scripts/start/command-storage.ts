import { join } from 'node:path';
import type { MarkedStorage } from '#scripts/storage-copy/copy.ts';
import type { Db } from '#shared/data/db.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { givenSettings } from '#shared/platform/settings.ts';
import { storageLocationOf } from '#shared/platform/storage-config.ts';
import { openMarkerPlace, openStorage } from '#shared/storage/open-storage.ts';
import { startStorageUrl } from './storage.ts';

/**
 * Opens the storage of STORAGE_URL if it is set, else that of `npm start`.
 * @param db the database that it must belong to; without it that is not checked
 */
export async function openCommandStorage(db?: Db): Promise<MarkedStorage> {
  const given = givenSettings();
  const url = given.STORAGE_URL ?? startStorageUrl(join(rootFolder, '.data'));
  const location = storageLocationOf(given, url);
  return { storage: await openStorage(location, db), marker: await openMarkerPlace(location) };
}
