import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '#shared/data/db.ts';
import { findNewestPhotoKeys } from '#shared/data/generations/find.ts';
import { findStorageMarker, saveStorageMarker } from '#shared/data/storage-folders.ts';
import { StorageError } from './storage-error.ts';

/** Key of the marker, which identifies the storage, unlike the empty mount point of a missing volume. */
export const markerKey = '.packshot-storage';

/** Where the marker of a storage is. Its methods throw StorageError. */
export interface MarkerPlace {
  /** The storage as operators know it, and the marker in it. */
  storage: string;
  marker: string;
  /** What an operator may have forgotten when the storage is the wrong one: a question. */
  question: string;
  /** @returns the marker, or undefined if there is none or it is still empty */
  read(): Promise<string | undefined>;
  /** Writes the marker unless there is one. @returns false if there is one */
  create(marker: string): Promise<boolean>;
  has(key: string): Promise<boolean>;
}

/** Checks that the storage is the one that the database belongs to. */
export interface StorageMarker {
  /**
   * Checks the marker. The first process of an installation writes it.
   * @throws StorageError `WRONG_STORAGE` when it is another storage, such as the mount point of a volume that is not mounted
   */
  check(): Promise<void>;
}

/** Opens the marker of a storage. It is read at the first check. */
export function openStorageMarker(place: MarkerPlace, db: Db): StorageMarker {
  let expected: string | undefined;
  return {
    async check() {
      expected ??= (await findStorageMarker(db)) ?? (await adopt(place, db));
      if ((await place.read()) !== expected) throw wrongStorage(place, expected);
    },
  };
}

/**
 * Assigns the storage to a database that has none yet. The marker is written before the document, so that the next process
 * can finish after a crash between the two.
 */
async function adopt(place: MarkerPlace, db: Db): Promise<string> {
  let marker = await place.read();
  if (marker === undefined) {
    marker = randomUUID();
    if (!(await mayBelong(place, db))) throw wrongStorage(place, marker);
    if (!(await place.create(marker))) marker = await othersMarker(place, marker);
  }
  return saveStorageMarker(db, marker);
}

/** How many of the newest photos are looked for in a storage without a marker. */
const photosToCheck = 20;

/** Whether an installation without a marker may take the storage: it has no photos yet, or some of them are there. */
async function mayBelong(place: MarkerPlace, db: Db): Promise<boolean> {
  const keys = await findNewestPhotoKeys(db, photosToCheck);
  if (keys.length === 0) return true;
  for (const key of keys) if (await place.has(key)) return true;
  return false;
}

/** The marker that another process is writing: its file is empty at first. */
async function othersMarker(place: MarkerPlace, own: string): Promise<string> {
  for (let tries = 0; tries < 20; tries += 1) {
    const marker = await place.read();
    if (marker !== undefined) return marker;
    await wait(50);
  }
  throw wrongStorage(place, own);
}

function wrongStorage(place: MarkerPlace, expected: string): StorageError {
  return new StorageError(
    'WRONG_STORAGE',
    place.storage,
    `the storage ${place.storage} is not the one that the database belongs to: ${place.question} ` +
      `(If it is the right one, write ${expected} into ${place.marker}.)`,
  );
}
