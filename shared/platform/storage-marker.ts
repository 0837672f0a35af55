import { randomUUID } from 'node:crypto';
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '#shared/data/db.ts';
import { findNewestPhotoKeys } from '#shared/data/generations/find.ts';
import { findStorageMarker, saveStorageMarker } from '#shared/data/storage-folders.ts';
import { onDisk, StorageError } from './storage-error.ts';

/** Name of the file that identifies the storage folder, unlike the empty mount point of a missing volume. */
export const markerName = '.packshot-storage';

/** Checks that the storage folder is the one that the database belongs to. */
export interface StorageMarker {
  /**
   * Checks the folder's marker. The first process of an installation writes it.
   * @throws StorageError `WRONG_FOLDER` when it is another folder, such as the mount point of a volume that is not mounted
   */
  check(): Promise<void>;
}

/** Opens the marker of a storage folder. It is read at the first check. */
export function openStorageMarker(folder: string, db: Db): StorageMarker {
  let expected: string | undefined;
  return {
    async check() {
      expected ??= (await findStorageMarker(db)) ?? (await adopt(folder, db));
      if ((await readMarker(folder)) !== expected) throw wrongFolder(folder, expected);
    },
  };
}

/**
 * Assigns the folder to a database that has none yet. The file is written before the document, so that the next process
 * can finish after a crash between the two.
 */
async function adopt(folder: string, db: Db): Promise<string> {
  let marker = await readMarker(folder);
  if (marker === undefined) {
    marker = randomUUID();
    if (!(await mayBelong(folder, db))) throw wrongFolder(folder, marker);
    marker = await writeMarker(folder, marker);
  }
  return saveStorageMarker(db, marker);
}

/** How many of the newest photos are looked for in a folder without a marker. */
const photosToCheck = 20;

/** Whether an installation without a marker may take the folder: it has no photos yet, or some of its photos are in it. */
async function mayBelong(folder: string, db: Db): Promise<boolean> {
  const keys = await findNewestPhotoKeys(db, photosToCheck);
  if (keys.length === 0) return true;
  for (const key of keys) {
    const found = await access(join(folder, key)).then(
      () => true,
      () => false,
    );
    if (found) return true;
  }
  return false;
}

async function readMarker(folder: string): Promise<string | undefined> {
  const path = join(folder, markerName);
  try {
    return (await onDisk(path, () => readFile(path, 'utf8'))).trim() || undefined;
  } catch (error) {
    if (error instanceof StorageError && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** @returns the folder's marker, which another process may have written first */
async function writeMarker(folder: string, marker: string): Promise<string> {
  const path = join(folder, markerName);
  return onDisk(path, async () => {
    await mkdir(folder, { recursive: true });
    try {
      await writeFile(path, `${marker}\n`, { flag: 'wx' });
      return marker;
    } catch (error) {
      if (alreadyExists(error)) return othersMarker(folder, marker);
      await rm(path, { force: true });
      throw error;
    }
  });
}

/** The marker that another process is writing: its file is empty at first. */
async function othersMarker(folder: string, own: string): Promise<string> {
  for (let tries = 0; tries < 20; tries += 1) {
    const marker = await readMarker(folder);
    if (marker !== undefined) return marker;
    await wait(50);
  }
  throw wrongFolder(folder, own);
}

const alreadyExists = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST';

function wrongFolder(folder: string, expected: string): StorageError {
  const path = join(folder, markerName);
  return new StorageError(
    'WRONG_FOLDER',
    folder,
    `the storage folder ${folder} is not the one that the database belongs to: is the volume mounted? ` +
      `(If it is the right one, write ${expected} into ${path}.)`,
  );
}
