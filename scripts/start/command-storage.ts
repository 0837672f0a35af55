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
export function openCommandStorage(db?: Db): Promise<MarkedStorage> {
  return openMarkedStorage(
    'STORAGE_URL',
    givenSettings().STORAGE_URL ?? startStorageUrl(join(rootFolder, '.data')),
    db,
  );
}

/**
 * Opens a storage, with the credentials of the settings.
 * @param name what errors call its address
 * @param url as in STORAGE_URL
 * @param db as of {@link openCommandStorage}
 */
export async function openMarkedStorage(name: string, url: string, db?: Db): Promise<MarkedStorage> {
  const location = storageLocationOf(givenSettings(), url, name);
  return { storage: await openStorage(location, db), marker: await openMarkerPlace(location) };
}
