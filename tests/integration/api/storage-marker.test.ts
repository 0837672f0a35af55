/** The marker that ties a storage folder to its database. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { connectDb } from '#shared/data/connect.ts';
import { findStorageMarker } from '#shared/data/storage-folders.ts';
import { markerInFolder } from '#shared/storage/folder-marker.ts';
import { storageKeys } from '#shared/storage/storage.ts';
import { markerKey, openStorageMarker } from '#shared/storage/storage-marker.ts';
import { temporaryFolder, testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ workers: 0 })
  .extend('folder', async ({ stack }, { onCleanup }) => {
    await stack.models.storageFolders.deleteMany({});
    await stack.models.generations.deleteMany({});
    return join(await temporaryFolder(stack, onCleanup), 'storage');
  })
  // One connection per process that starts at the same time.
  .extend('connections', { scope: 'file' }, async ({ stack }, { onCleanup }) => {
    const connections = await Promise.all(
      Array.from({ length: 4 }, () => connectDb(stack.config.mongodbUrl)),
    );
    onCleanup(async () => void (await Promise.all(connections.map((each) => each.close()))));
    return connections;
  });

const markerIn = async (path: string) => (await readFile(join(path, markerKey), 'utf8')).trim();
const wrong = { name: 'StorageError', code: 'WRONG_STORAGE' };

test('many processes that start at once on a new installation agree on one marker, and so does a later one', async ({
  stack,
  folder,
  connections,
}) => {
  for (let round = 0; round < 10; round += 1) {
    await stack.models.storageFolders.deleteMany({});
    const path = `${folder}-${round}`;
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        openStorageMarker(markerInFolder(path), connections[index % connections.length]!).check(),
      ),
    );
    await openStorageMarker(markerInFolder(path), stack.db).check();
    expect(await markerIn(path)).toBe(await findStorageMarker(stack.db));
    expect(await readdir(path)).toEqual([markerKey]);
  }
});

test('of two processes that start at once with different folders, one is refused', async ({
  stack,
  folder,
  connections,
}) => {
  const other = `${folder}-other`;
  const outcomes = await Promise.allSettled([
    openStorageMarker(markerInFolder(folder), stack.db).check(),
    openStorageMarker(markerInFolder(other), connections[0]!).check(),
  ]);
  const rejected = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(rejected.map(({ reason }) => reason)).toEqual([expect.objectContaining(wrong)]);
  const belonging = outcomes[0].status === 'fulfilled' ? folder : other;
  expect(await markerIn(belonging)).toBe(await findStorageMarker(stack.db));
});

test('the marker of a process that crashed after writing the file is adopted', async ({ stack, folder }) => {
  await mkdir(folder);
  await writeFile(join(folder, markerKey), 'written-before\n');
  await openStorageMarker(markerInFolder(folder), stack.db).check();
  expect(await findStorageMarker(stack.db)).toBe('written-before');
});

test('an empty folder, the folder of another installation and a missing folder are refused; the operator can correct that', async ({
  stack,
  folder,
}) => {
  const marker = openStorageMarker(markerInFolder(folder), stack.db);
  await marker.check();
  const right = `${folder}-right`;
  await rename(folder, right);
  for (const make of [
    async () => {},
    () => mkdir(folder),
    () => writeFile(join(folder, markerKey), 'of another\n'),
  ]) {
    await make();
    await expect(marker.check()).rejects.toMatchObject(wrong);
    await expect(openStorageMarker(markerInFolder(folder), stack.db).check()).rejects.toMatchObject(wrong);
  }
  const { message } = await openStorageMarker(markerInFolder(folder), stack.db)
    .check()
    .then(
      () => new Error('not refused'),
      (error: Error) => error,
    );
  expect(message).toContain(
    `the storage ${folder} is not the one that the database belongs to: is the volume mounted?`,
  );
  // Following the instruction in the message is enough.
  const [, id, path] = /write (\S+) into (\S+)\.\)$/.exec(message)!;
  await writeFile(path!, id!);
  await marker.check();

  await rm(folder, { recursive: true });
  await rename(right, folder);
  await marker.check();
});

test('an installation without a marker: its folder is adopted, an empty one is not', async ({
  stack,
  folder,
}) => {
  const seller = await stack.seller();
  const { id } = await seller.submit();
  const newest = await seller.submit();
  await stack.models.storageFolders.deleteMany({});
  const own = stack.storageFolder;
  await rm(join(own, markerKey));

  await mkdir(folder);
  await expect(openStorageMarker(markerInFolder(folder), stack.db).check()).rejects.toMatchObject(wrong);
  expect(await readdir(folder)).toEqual([]);
  expect(await findStorageMarker(stack.db)).toBeUndefined();

  // One of the newest photos is enough.
  await rm(join(own, storageKeys.photo(newest.id, 0, 'jpeg')));
  await openStorageMarker(markerInFolder(own), stack.db).check();
  expect(await findStorageMarker(stack.db)).toBe(await markerIn(own));
  await expect(openStorageMarker(markerInFolder(folder), stack.db).check()).rejects.toMatchObject(wrong);
  expect((await seller.generation(id)).state).toBe('queued');
});
