import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, mkdir, readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Config } from './config.ts';
import { onDisk, StorageError } from './storage-error.ts';
import type { StorageMarker } from './storage-marker.ts';

/** A part of a file: its first and its last byte, counted from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Photos, previews and images, by key. Keys are made by Packshot alone, never from a name that a seller sent.
 * Everything throws StorageError when the folder fails.
 */
export interface Storage {
  /** Stores bytes under a key: readers see all of them or none. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Stores a finished file of the storage's `incoming` folder under a key: it is moved, so none of it is read. */
  putFile(key: string, path: string): Promise<void>;
  /** @returns the bytes, or undefined when there is nothing under the key */
  get(key: string): Promise<Buffer | undefined>;
  has(key: string): Promise<boolean>;
  /** The file under a key, whether or not it is there: for a process that is to read it by itself. */
  pathOf(key: string): string;
  /** @returns the length in bytes, or undefined when there is nothing under the key */
  sizeOf(key: string): Promise<number | undefined>;
  /**
   * @param range the part that is wanted; all of it unless given
   * @returns a stream of the part and the length of the whole in bytes, or undefined when there is nothing under the key
   */
  open(key: string, range?: ByteRange): Promise<{ stream: Readable; bytes: number } | undefined>;
  /** Removes the previews of one generation, of all its attempts. */
  removePreviews(generationId: string): Promise<void>;
  /** Removes everything of one generation. */
  removeGeneration(generationId: string): Promise<void>;
  /**
   * Makes sure that something can be stored, by looking at the folder once a second at most.
   * @param bytes what must be free
   * @throws StorageError when the folder is the wrong one, cannot be written or has less room
   */
  checkRoom(bytes: number): Promise<void>;
  /** Removes unfinished files that were last written before: of uploads and of `put`. @returns how many */
  sweepIncoming(before: Date): Promise<number>;
}

const folderOf = (generationId: string) => `generations/${generationId}`;

const previewPrefix = 'preview-';

/** The one place that says where a generation's files lie. */
export const storageKeys = {
  photo: (generationId: string, index: number) => `${folderOf(generationId)}/photo-${index}.png`,
  /** The attempt's number keeps a worker that was thought dead from writing over its successor's file. */
  preview: (generationId: string, fence: number, index: number) =>
    `${folderOf(generationId)}/${previewPrefix}${fence}-${index}.webp`,
  image: (generationId: string, fence: number) => `${folderOf(generationId)}/image-${fence}.png`,
  thumbnail: (key: string) => `${key}.thumbnail.webp`,
};

/** Where files lie until they are finished: uploads, and what `put` writes. What a crash leaves there is swept. */
export const incomingFolder = (storageFolder: string) => join(storageFolder, 'incoming');

/**
 * Opens the storage that the configuration names: a folder that every server and worker sees.
 * @param marker tells the folder from another one: nothing is then said to be absent, or made anew, in a wrong folder
 */
export function createStorage(
  { storageFolder }: Pick<Config, 'storageFolder'>,
  marker?: StorageMarker,
): Storage {
  const pathOf = (key: string) => join(storageFolder, key);
  const newPath = () => join(incomingFolder(storageFolder), `${randomUUID()}.unfinished`);

  /** Does what puts a file at a path; the first file of a folder makes it. */
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
    // Once more: the right folder may have come back only now.
    return onDisk(path, read).catch((error) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
  }

  /** @returns how many bytes are free, after something was written */
  async function look(): Promise<number> {
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
  const freeBytes = oncePer(lookEveryMs, look);

  return {
    pathOf,
    async put(key, bytes) {
      // A rename is atomic, a write is not: a process that dies half-way leaves no half image.
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
    async removePreviews(generationId) {
      const folder = pathOf(folderOf(generationId));
      const names = (await orUndefined(folder, () => readdir(folder))) ?? [];
      for (const name of names.filter((each) => each.startsWith(previewPrefix))) {
        await onDisk(folder, () => rm(join(folder, name), { force: true }));
      }
    },
    async removeGeneration(generationId) {
      const folder = pathOf(folderOf(generationId));
      await marker?.check();
      await onDisk(folder, () => rm(folder, { recursive: true, force: true }));
    },
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

/** A block: less may find room where nothing else would. */
const probeBytes = 4_096;
const lookEveryMs = 1_000;

/** Has a task run once in a while however often it is asked for; whoever asks meanwhile gets its latest outcome. */
function oncePer<Value>(pauseMs: number, task: () => Promise<Value>): () => Promise<Value> {
  let latest: Promise<Value> | undefined;
  let until = 0;
  return () => {
    if (latest && Date.now() < until) return latest;
    // One at a time: a folder that does not answer would otherwise take up a thread for each that asks.
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
