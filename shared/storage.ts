import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import type { Config } from './config.ts';

/** Photos, previews and images, by key. Keys are made by Packshot alone, never from a name that a seller sent. */
export interface Storage {
  /** Stores bytes under a key: readers see all of them or none. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** @returns the bytes, or undefined when there is nothing under the key */
  get(key: string): Promise<Buffer | undefined>;
  has(key: string): Promise<boolean>;
  /** @returns a stream and its length in bytes, or undefined when there is nothing under the key */
  open(key: string): Promise<{ stream: Readable; bytes: number } | undefined>;
  /** Removes everything of one generation. */
  removeGeneration(generationId: string): Promise<void>;
}

/** The one place that says where a generation's files lie. */
export const storageKeys = {
  folder: (generationId: string) => `generations/${generationId}/`,
  photo: (generationId: string, index: number) => `generations/${generationId}/photo-${index}.png`,
  /** The attempt's number keeps a worker that was thought dead from writing over its successor's file. */
  preview: (generationId: string, fence: number, index: number) =>
    `generations/${generationId}/preview-${fence}-${index}.png`,
  image: (generationId: string, fence: number) => `generations/${generationId}/image-${fence}.png`,
  thumbnail: (key: string) => `${key}.thumbnail.webp`,
};

/** Opens the storage that the configuration names: a folder that every server and worker sees. */
export function createStorage(config: Pick<Config, 'storageFolder'>): Storage {
  const disk = new Disk(new FSDriver({ location: config.storageFolder, visibility: 'private' }));
  return {
    async put(key, bytes) {
      // A rename within one folder is atomic, a write is not: a process that dies half-way leaves no half image.
      const unfinished = `${key}.${randomUUID()}.unfinished`;
      await disk.put(unfinished, bytes);
      await disk.move(unfinished, key);
    },
    async get(key) {
      try {
        return Buffer.from(await disk.getBytes(key));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    has: (key) => disk.exists(key),
    async open(key) {
      try {
        const { contentLength } = await disk.getMetaData(key);
        return { stream: await disk.getStream(key), bytes: contentLength };
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async removeGeneration(generationId) {
      await disk.deleteAll(storageKeys.folder(generationId));
    },
  };
}

function isMissing(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && cause.code === 'ENOENT') return true;
  }
  return false;
}
