import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { onDisk, StorageError } from './storage-error.ts';

/** Whether a file or folder does not exist. */
export const isMissing = (error: unknown) => error instanceof StorageError && error.code === 'ENOENT';

/**
 * Removes the files of a folder that were last written before a time. @returns how many
 * @throws StorageError
 */
export async function sweepFolder(folder: string, before: Date): Promise<number> {
  let swept = 0;
  for (const name of (await unlessMissing(folder, () => readdir(folder))) ?? []) {
    const path = join(folder, name);
    const entry = await unlessMissing(path, () => stat(path));
    if (!entry || entry.mtime >= before) continue;
    await onDisk(path, () => rm(path, { recursive: true, force: true }));
    swept += 1;
  }
  return swept;
}

async function unlessMissing<Value>(path: string, read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await onDisk(path, read);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
