import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Config } from './config.ts';

/** Photos, previews and images, by key. Keys are made by Packshot alone, never from a name that a seller sent. */
export interface Storage {
  /** Stores bytes under a key: readers see all of them or none. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Stores a finished file of the storage's `incoming` folder under a key: it is moved, so none of it is read. */
  putFile(key: string, path: string): Promise<void>;
  /** @returns the bytes, or undefined when there is nothing under the key */
  get(key: string): Promise<Buffer | undefined>;
  has(key: string): Promise<boolean>;
  /** @returns a stream and its length in bytes, or undefined when there is nothing under the key */
  open(key: string): Promise<{ stream: Readable; bytes: number } | undefined>;
  /** Removes everything of one generation. */
  removeGeneration(generationId: string): Promise<void>;
}

const folderOf = (generationId: string) => `generations/${generationId}`;

/** The one place that says where a generation's files lie. */
export const storageKeys = {
  photo: (generationId: string, index: number) => `${folderOf(generationId)}/photo-${index}.png`,
  /** The attempt's number keeps a worker that was thought dead from writing over its successor's file. */
  preview: (generationId: string, fence: number, index: number) =>
    `${folderOf(generationId)}/preview-${fence}-${index}.png`,
  image: (generationId: string, fence: number) => `${folderOf(generationId)}/image-${fence}.png`,
  thumbnail: (key: string) => `${key}.thumbnail.webp`,
};

/** Opens the storage that the configuration names: a folder that every server and worker sees. */
export function createStorage(config: Pick<Config, 'storageFolder'>): Storage {
  const pathOf = (key: string) => join(config.storageFolder, key);
  return {
    async put(key, bytes) {
      const path = pathOf(key);
      // A rename within one folder is atomic, a write is not: a process that dies half-way leaves no half image.
      const unfinished = `${path}.${randomUUID()}.unfinished`;
      await inFolder(path, () => writeFile(unfinished, bytes));
      await rename(unfinished, path);
    },
    putFile: (key, path) => inFolder(pathOf(key), () => rename(path, pathOf(key))),
    get: (key) => orUndefined(readFile(pathOf(key))),
    async has(key) {
      return (await orUndefined(access(pathOf(key)).then(() => true))) ?? false;
    },
    async open(key) {
      const found = await orUndefined(stat(pathOf(key)));
      return found && { stream: createReadStream(pathOf(key)), bytes: found.size };
    },
    async removeGeneration(generationId) {
      await rm(pathOf(folderOf(generationId)), { recursive: true, force: true });
    },
  };
}

/** Does what puts a file at a path; the first file of a generation makes its folder. */
async function inFolder(path: string, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (!isMissing(error)) throw error;
    await mkdir(dirname(path), { recursive: true });
    await step();
  }
}

async function orUndefined<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
