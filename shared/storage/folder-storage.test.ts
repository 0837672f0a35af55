import { existsSync, readlinkSync } from 'node:fs';
import { access, type FileHandle, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { newFolder } from '#tests/support/new-folder.ts';
import { describeStorage } from '#tests/support/storage-contract.ts';
import { openFolderStorage } from './folder-storage.ts';
import { type Storage, storageKeys } from './storage.ts';
import { StorageError } from './storage-error.ts';
import type { StorageMarker } from './storage-marker.ts';

let folder: string;
let storage: Storage;
beforeEach(async () => {
  folder = await newFolder();
  storage = openFolderStorage(folder);
});

const key = storageKeys.image('1', 1);
const bytes = Buffer.from('an image');

describeStorage('a folder', async () => storage);

test('a stored file can be read, and no unfinished file remains', async () => {
  await storage.put(key, bytes);
  expect(await storage.get(key)).toEqual(bytes);
  expect(await readdir(join(folder, 'generations', '1'))).toEqual(['image-1.png']);
  expect(await readdir(join(folder, 'incoming'))).toEqual([]);
});

test('a file that cannot be stored throws StorageError and leaves nothing', async () => {
  // A folder with the name of the file makes the rename fail, for any user.
  await mkdir(join(folder, key, 'taken'), { recursive: true });
  await expect(storage.put(key, bytes)).rejects.toMatchObject({ name: 'StorageError', code: 'EISDIR' });
  expect(await readdir(join(folder, 'generations', '1'))).toEqual(['image-1.png']);
  expect(await readdir(join(folder, 'incoming'))).toEqual([]);
});

test('a file that cannot be read throws StorageError and is not reported as missing', async () => {
  await writeFile(join(folder, 'generations'), '');
  await expect(storage.get(key)).rejects.toMatchObject({ name: 'StorageError', code: 'ENOTDIR' });
  await rm(join(folder, 'generations'));
  expect(await storage.get(key)).toBeUndefined();
  expect(await storage.has(key)).toBe(false);
});

/** Watches what is flushed. @returns the paths in the folder that were, each with whether the key was there; and a way to make it fail */
async function watchFlushes(watched: string) {
  const handle = await open(folder);
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const flushed: [path: string, isStored: boolean][] = [];
  const failure: { code?: string } = {};
  const sync = prototype.sync;
  const spy = vi.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
    const path = relative(folder, readlinkSync(`/proc/self/fd/${this.fd}`));
    flushed.push([path.replace(/^incoming\/.+/, 'a work path'), existsSync(join(folder, watched))]);
    if (failure.code) throw Object.assign(new Error(failure.code), { code: failure.code, syscall: 'fsync' });
    return sync.call(this);
  });
  onTestFinished(() => spy.mockRestore());
  return { flushed, failure };
}

test('a file is on the disk before it has its key, and its key before anyone is told; a preview need not be', async () => {
  const { flushed } = await watchFlushes(key);
  const ways = [
    () => storage.put(key, bytes),
    () => storage.putStream(key, () => Readable.from([bytes]), bytes.length),
    async () => {
      const path = storage.newWorkPath();
      await writeFile(path, bytes);
      await storage.putFile(key, path);
    },
  ];
  await storage.put(storageKeys.preview('0', 1, 0, 'jpeg'), bytes);
  // The folders that it made.
  expect(flushed.splice(0)).toEqual([
    ['', false],
    ['generations', false],
    ['', false],
  ]);
  await storage.put(storageKeys.preview('0', 1, 1, 'jpeg'), bytes);
  expect(flushed).toEqual([]);
  for (const way of ways) {
    await way();
    expect(flushed.splice(0)).toEqual([
      ['a work path', false],
      ['generations', false],
      ['generations/1', true],
    ]);
    await storage.removeGeneration('1');
  }
});

test('what the disk does not take is not stored; a file system that flushes nothing is used all the same', async () => {
  const { failure } = await watchFlushes(key);
  failure.code = 'EIO';
  await expect(storage.put(key, bytes)).rejects.toMatchObject({ name: 'StorageError', code: 'EIO' });
  expect(await storage.has(key)).toBe(false);
  failure.code = 'EINVAL';
  await storage.put(key, bytes);
  expect(await storage.get(key)).toEqual(bytes);
});

test('free space is measured in the folder itself', async () => {
  await storage.checkRoom(1);
  expect(await readdir(join(folder, 'incoming'))).toEqual([]);
  await expect(storage.checkRoom(Number.MAX_SAFE_INTEGER)).rejects.toMatchObject({ code: 'NO_ROOM' });
});

test('files that a volume still has when it goes away meanwhile are not reported as removed', async () => {
  const [volume, away] = [join(folder, 'volume'), join(folder, 'away')];
  const marker: StorageMarker = {
    async check() {
      await access(join(volume, 'marker')).catch(() => {
        throw new StorageError('WRONG_STORAGE', volume, 'the volume is not mounted');
      });
    },
  };
  const onVolume = openFolderStorage(volume, marker);
  await mkdir(join(volume, 'generations', '1'), { recursive: true });
  await writeFile(join(volume, 'marker'), '');
  const count = 500;
  for (let index = 0; index < count; index += 1) {
    await writeFile(join(volume, storageKeys.preview('1', 1, index, 'jpeg')), '');
  }
  const names = (root: string) => readdir(join(root, 'generations', '1')).catch(() => []);
  const removal = onVolume.removeAttempts('1', undefined);
  removal.catch(() => {});
  while ((await names(volume)).length === count);
  await rename(volume, away);
  expect(await names(away)).not.toEqual([]);
  await expect(removal).rejects.toMatchObject({ code: 'WRONG_STORAGE' });
  await rename(away, volume);
  await onVolume.removeAttempts('1', undefined);
  expect(await names(volume)).toEqual([]);
});
