/** Backups on a schedule: complete or not there, one at a time, and told when they fail. */
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { addBackup, listBackups, nextBackupAt, type Series } from '#scripts/backup/series.ts';
import { restore } from '#scripts/restore/restore.ts';
import type { MarkedStorage } from '#scripts/storage-copy/copy.ts';
import { withLock } from '#shared/data/locks.ts';
import { findBackupResult } from '#shared/data/operator/backup-results.ts';
import { markerInFolder } from '#shared/storage/folder-marker.ts';
import { openFolderStorage } from '#shared/storage/folder-storage.ts';
import { storageKeys } from '#shared/storage/storage.ts';
import { missingBackup } from '#shared/watch/missing-backup.ts';
import { newDatabases } from '#tests/support/new-databases.ts';
import { newFolder } from '#tests/support/new-folder.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ workers: 0 }).extend('newDb', async ({ stack }, { onCleanup }) =>
  newDatabases(stack.config.mongodbUrl, onCleanup),
);

const markedStorage = (folder: string): MarkedStorage => ({
  storage: openFolderStorage(folder),
  marker: markerInFolder(folder),
});

const quiet = () => {};
const image = storageKeys.image('a', 1);

/** A storage with an image, and a series of backups. */
async function setUp() {
  const folder = await newFolder();
  const storage = markedStorage(join(folder, 'storage'));
  await storage.storage.put(image, Buffer.from('an image'));
  await storage.marker.create('the marker');
  const series: Series = { folder: join(folder, 'backups'), keep: 2, everyHours: 24 };
  return { folder, storage, series };
}

/** Makes a backup in another second than the one before, whose name it would have. */
async function addLater(...given: Parameters<typeof addBackup>): Promise<string> {
  const [, , { folder }] = given;
  const [before] = (await listBackups(folder)).slice(-1);
  const second = () => new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  await expect.poll(() => before === `${second()}Z`).toBe(false);
  await addBackup(...given);
  return (await listBackups(folder)).at(-1)!;
}

test('a series keeps the newest backups, which share the files that are the same', async ({ newDb }) => {
  const { db } = await newDb();
  const { storage, series } = await setUp();
  const first = await addLater(db, storage, series, quiet);
  const second = await addLater(db, storage, series, quiet);
  const fileOf = (name: string) => join(series.folder, name, 'storage', image);
  expect((await stat(fileOf(second))).ino).toBe((await stat(fileOf(first))).ino);
  // Of the same length: only the bytes tell.
  await storage.storage.put(image, Buffer.from('an imagE'));
  const third = await addLater(db, storage, series, quiet);
  expect(await readdir(series.folder)).toEqual([second, third]);
  expect(await readFile(fileOf(second), 'utf8')).toBe('an image');
  expect(await readFile(fileOf(third), 'utf8')).toBe('an imagE');

  const made = await findBackupResult(db);
  expect(made).toMatchObject({ every_hours: 24, failure: null, ended_at: expect.any(Date) });
  expect(missingBackup(made, new Date())).toBeUndefined();
  // A process that is started again makes none before it is due.
  const due = (await nextBackupAt(series)).getTime();
  expect(due).toBeGreaterThan(Date.now() + 23 * 3_600_000);
  expect((await nextBackupAt({ ...series, folder: join(series.folder, 'none') })).getTime()).toBe(0);

  const { db: restored } = await newDb();
  await restore(
    restored,
    markedStorage(join(series.folder, '../restored')),
    join(series.folder, third),
    quiet,
  );
  expect((await findBackupResult(restored))?.every_hours).toBe(24);
});

test('a backup that fails takes nothing away and is told; what a killed one left is removed by the next', async ({
  newDb,
}) => {
  const { db } = await newDb();
  const { folder, storage, series } = await setUp();
  const good = await addLater(db, storage, { ...series, keep: 1 }, quiet);
  await mkdir(join(series.folder, 'unfinished-2026-01-01T00-00-00Z'));
  await writeFile(join(series.folder, 'unfinished-2026-01-01T00-00-00Z', 'half'), 'half');
  const notMounted = markedStorage(join(folder, 'not-mounted'));
  await expect(addLater(db, notMounted, { ...series, keep: 1 }, quiet)).rejects.toThrow('has no marker');
  expect(await listBackups(series.folder)).toEqual([good]);
  const failed = await findBackupResult(db);
  expect(missingBackup(failed, new Date())).toMatch(
    /^The last backup failed: .*has no marker.*complete backup ended at/,
  );

  const next = await addLater(db, storage, { ...series, keep: 1 }, quiet);
  expect(await readdir(series.folder)).toEqual([next]);
  expect((await findBackupResult(db))?.failure).toBeNull();

  // Without a schedule nothing is expected.
  await addLater(db, storage, { ...series, everyHours: undefined }, quiet);
  expect(await findBackupResult(db)).toBeNull();
});

test('a second backup at the same time is refused, and is no failure', async ({ newDb }) => {
  const { db } = await newDb();
  const { storage, series } = await setUp();
  await withLock(db, 'backup', { leaseMs: 30_000 }, async () => {
    await expect(addBackup(db, storage, series, quiet)).rejects.toThrow('another backup is being made');
  });
  expect(await listBackups(series.folder)).toEqual([]);
  expect((await findBackupResult(db))?.failure).toBeNull();
});
