import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, mkdir, readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Config } from './config.ts';
import { onDisk, StorageError } from './storage-error.ts';
import type { StorageMarker } from './storage-marker.ts';

/** A range of bytes: the first and the last one, counted from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Photos, previews and images by key. Keys never contain names that a seller sent.
 * All methods throw StorageError when the folder fails.
 */
export interface Storage {
  /** Stores bytes under a key, atomically. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Moves a finished file from the `incoming` folder to a key. */
  putFile(key: string, path: string): Promise<void>;
  /** @returns the bytes, or undefined if the key does not exist */
  get(key: string): Promise<Buffer | undefined>;
  has(key: string): Promise<boolean>;
  /** The path of a key, for another process that reads the file. It may not exist. */
  pathOf(key: string): string;
  /** @returns the length in bytes, or undefined if the key does not exist */
  sizeOf(key: string): Promise<number | undefined>;
  /**
   * @param range of the stream; the whole file by default
   * @returns a stream and the length of the whole file in bytes, or undefined if the key does not exist
   */
  open(key: string, range?: ByteRange): Promise<{ stream: Readable; bytes: number } | undefined>;
  /** Removes the previews of one generation, of all its attempts. */
  removePreviews(generationId: string): Promise<void>;
  /** Removes the edited images of one generation and their thumbnails. */
  removeEdited(generationId: string): Promise<void>;
  /** Removes everything of one generation, except photos that it shares with others. */
  removeGeneration(generationId: string): Promise<void>;
  /** Removes the photos of a set. */
  removePhotoSet(photoSetId: string): Promise<void>;
  /** Removes the files of a look. */
  removeLook(lookId: string): Promise<void>;
  /**
   * Checks that files can be stored. The folder is checked at most once a second.
   * @param bytes that must be free
   * @throws StorageError when the folder is the wrong one, cannot be written or has less space
   */
  checkRoom(bytes: number): Promise<void>;
  /** Removes unfinished files of uploads and of `put` that were last written before a time. @returns how many */
  sweepIncoming(before: Date): Promise<number>;
}

const folderOf = (generationId: string) => `generations/${generationId}`;
const photoFolderOf = (photoSetId: string) => `photo-sets/${photoSetId}`;
const lookFolderOf = (lookId: string) => `looks/${lookId}`;

const previewPrefix = 'preview-';
const editedPrefix = 'edited-';

/** The keys of the files of generations, of the photos of sets, and of the pictures of looks. */
export const storageKeys = {
  photo: (photoSetId: string, index: number) => `${photoFolderOf(photoSetId)}/photo-${index}.png`,
  /** A photo of a batch: the photos of a batch are one set, which has its id. */
  batchPhoto: (batchId: string, sha256: string) => `${photoFolderOf(batchId)}/${sha256}.png`,
  /** The fence keeps a worker that has lost its lease from overwriting the file of its successor. */
  preview: (generationId: string, fence: number, index: number) =>
    `${folderOf(generationId)}/${previewPrefix}${fence}-${index}.webp`,
  image: (generationId: string, fence: number) => `${folderOf(generationId)}/image-${fence}.png`,
  /** A generation's own copy of the image that it changes, and the mask of the change. */
  changed: (generationId: string) => `${folderOf(generationId)}/changed.png`,
  mask: (generationId: string) => `${folderOf(generationId)}/mask.png`,
  edited: (generationId: string, version: number) =>
    `${folderOf(generationId)}/${editedPrefix}${version}.png`,
  lookPicture: (lookId: string) => `${lookFolderOf(lookId)}/picture.webp`,
  thumbnail: (key: string) => `${key}.thumbnail.webp`,
};

/** The folder of unfinished files: uploads, and files that `put` writes. */
export const incomingFolder = (storageFolder: string) => join(storageFolder, 'incoming');

/**
 * Opens the storage folder, which all servers and workers share.
 * @param marker checked before a file is reported as missing or a folder is created
 */
export function createStorage(
  { storageFolder }: Pick<Config, 'storageFolder'>,
  marker?: StorageMarker,
): Storage {
  const pathOf = (key: string) => join(storageFolder, key);
  const newPath = () => join(incomingFolder(storageFolder), `${randomUUID()}.unfinished`);

  /** Runs a step that creates a file, and creates its folder first if it is missing. */
  async function inFolder(path: string, step: () => Promise<void>): Promise<void> {
    try {
      await onDisk(path, step);
    } catch (error) {
      if (!isMissing(error)) throw error;
      await marker?.check();
      await onDisk(path, async () => {
        await mkdir(dirname(path), { recursive: true });
        await step();
      });
    }
  }

  async function orUndefined<Value>(path: string, read: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await onDisk(path, read);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    if (!marker) return undefined;
    await marker.check();
    // Again: the volume may have been mounted in between.
    return onDisk(path, read).catch((error) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
  }

  /** Removes the files of a generation whose names begin with a prefix. */
  async function removeNamed(generationId: string, prefix: string): Promise<void> {
    const folder = pathOf(folderOf(generationId));
    const names = (await orUndefined(folder, () => readdir(folder))) ?? [];
    for (const name of names.filter((each) => each.startsWith(prefix))) {
      await onDisk(folder, () => rm(join(folder, name), { force: true }));
    }
  }

  async function removeFolder(key: string): Promise<void> {
    const folder = pathOf(key);
    await marker?.check();
    await onDisk(folder, () => rm(folder, { recursive: true, force: true }));
  }

  /** Writes a file as a test. @returns the free bytes */
  async function probe(): Promise<number> {
    await marker?.check();
    const path = newPath();
    try {
      await inFolder(path, () => writeFile(path, Buffer.alloc(probeBytes)));
    } finally {
      await rm(path, { force: true }).catch(() => {});
    }
    const { bavail, bsize } = await onDisk(storageFolder, () => statfs(storageFolder));
    return bavail * bsize;
  }
  const freeBytes = oncePer(probeEveryMs, probe);

  return {
    pathOf,
    async put(key, bytes) {
      // A rename is atomic, a write is not.
      const unfinished = newPath();
      try {
        await inFolder(unfinished, () => writeFile(unfinished, bytes));
        await inFolder(pathOf(key), () => rename(unfinished, pathOf(key)));
      } catch (error) {
        await rm(unfinished, { force: true }).catch(() => {});
        throw error;
      }
    },
    putFile: (key, path) => inFolder(pathOf(key), () => rename(path, pathOf(key))),
    get: (key) => orUndefined(pathOf(key), () => readFile(pathOf(key))),
    async has(key) {
      return (await orUndefined(pathOf(key), () => access(pathOf(key)).then(() => true))) ?? false;
    },
    async sizeOf(key) {
      return (await orUndefined(pathOf(key), () => stat(pathOf(key))))?.size;
    },
    async open(key, range) {
      const found = await orUndefined(pathOf(key), () => stat(pathOf(key)));
      return found && { stream: createReadStream(pathOf(key), range), bytes: found.size };
    },
    removePreviews: (generationId) => removeNamed(generationId, previewPrefix),
    removeEdited: (generationId) => removeNamed(generationId, editedPrefix),
    removeGeneration: (generationId) => removeFolder(folderOf(generationId)),
    removePhotoSet: (photoSetId) => removeFolder(photoFolderOf(photoSetId)),
    removeLook: (lookId) => removeFolder(lookFolderOf(lookId)),
    async checkRoom(bytes) {
      const free = await freeBytes();
      if (free >= bytes) return;
      const megabytes = (count: number) => `${Math.floor(count / 2 ** 20)} MB`;
      throw new StorageError(
        'NO_ROOM',
        storageFolder,
        `${storageFolder} has ${megabytes(free)} left; ${megabytes(bytes)} are to stay free`,
      );
    },
    async sweepIncoming(before) {
      const folder = incomingFolder(storageFolder);
      let swept = 0;
      for (const name of (await orUndefined(folder, () => readdir(folder))) ?? []) {
        const path = join(folder, name);
        const entry = await orUndefined(path, () => stat(path));
        if (!entry || entry.mtime >= before) continue;
        await onDisk(path, () => rm(path, { recursive: true, force: true }));
        swept += 1;
      }
      return swept;
    },
  };
}

/** One block: a smaller file may fit where no other file would. */
const probeBytes = 4_096;
const probeEveryMs = 1_000;

/** Runs a task at most once per `pauseMs`. Calls in between get its latest result. */
function oncePer<Value>(pauseMs: number, task: () => Promise<Value>): () => Promise<Value> {
  let latest: Promise<Value> | undefined;
  let until = 0;
  return () => {
    if (latest && Date.now() < until) return latest;
    // One at a time: a folder that does not answer would otherwise block a thread per call.
    until = Number.POSITIVE_INFINITY;
    const ended = () => {
      until = Date.now() + pauseMs;
    };
    latest = task();
    latest.then(ended, ended);
    return latest;
  };
}

const isMissing = (error: unknown) => error instanceof StorageError && error.code === 'ENOENT';
