/** `npm run backup` and `npm run restore`: what sellers have is there again, on an empty database and an empty storage. */
import { randomUUID } from 'node:crypto';
import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { paths } from '#contract';
import { audit } from '#scripts/audit/audit.ts';
import { backUp } from '#scripts/backup/backup.ts';
import { restore } from '#scripts/restore/restore.ts';
import type { MarkedStorage } from '#scripts/storage-copy/copy.ts';
import { startServer } from '#server/server.ts';
import { connectionOf } from '#shared/data/collection.ts';
import { modelsOf } from '#shared/data/collections.ts';
import { connectDb } from '#shared/data/connect.ts';
import type { Db } from '#shared/data/db.ts';
import { indexDifferences } from '#shared/data/indexes.ts';
import { assertMigrated } from '#shared/data/migrations/migrate.ts';
import { loadConfig } from '#shared/platform/config.ts';
import { markerInFolder } from '#shared/storage/folder-marker.ts';
import { openFolderStorage } from '#shared/storage/folder-storage.ts';
import { storageKeys } from '#shared/storage/storage.ts';
import { eventually } from '#tests/support/harness.ts';
import { newDatabases } from '#tests/support/new-databases.ts';
import { newFolder } from '#tests/support/new-folder.ts';
import { frequentUpkeep } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { startWorker } from '#worker/worker.ts';

const test = testWithStack({ workers: 0, settings: frequentUpkeep }).extend(
  'newDb',
  async ({ stack }, { onCleanup }) => newDatabases(stack.config.mongodbUrl, onCleanup),
);

const markedStorage = (folder: string): MarkedStorage => ({
  storage: openFolderStorage(folder),
  marker: markerInFolder(folder),
});

const quiet = () => {};

/** Every document and index of a database, without the reports of processes. */
async function contentsOf(db: Db): Promise<Record<string, unknown>> {
  const database = connectionOf(db).db!;
  const names = (await database.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  const all = await Promise.all(
    names.sort().map(async (name) => {
      const collection = database.collection(name);
      const documents = await collection.find({}, { promoteValues: false }).sort({ _id: 1 }).toArray();
      return [name, { documents, indexes: await collection.indexes() }] as const;
    }),
  );
  return Object.fromEntries(all);
}

test('a backup is restored: images, plans and what waits; nothing is counted twice', async ({
  stack,
  newDb,
  onTestFinished,
}) => {
  const seller = await stack.seller();
  const worker = await stack.startWorker();
  const { id } = await seller.submit();
  const stateOf = async () => (await stack.models.generations.findById(id).lean())?.state;
  await expect.poll(stateOf, eventually).toBe('succeeded');
  await worker.close();
  const { id: waiting } = await seller.submit();
  const folder = await newFolder();
  const backupFolder = join(folder, 'backup');

  const source = await connectDb(stack.config.mongodbUrl);
  const { setName } = await connectionOf(source).db!.command({ hello: 1 });
  if (setName === undefined) {
    await expect(
      backUp(source, markedStorage(stack.storageFolder), join(folder, 'refused'), quiet),
    ).rejects.toThrow(/stop every server and worker.*the server with process \d+/);
    expect(await readdir(folder)).toEqual([]);
  }
  await stack.server.close();
  onTestFinished(() => stack.restartServer());
  const before = await contentsOf(source);
  const manifest = await backUp(source, markedStorage(stack.storageFolder), backupFolder, quiet);
  expect(manifest.storage!.files).toBeGreaterThan(1);
  // mongorestore reads canonical extended JSON only.
  const metadata = await readFile(join(backupFolder, 'database', 'users.metadata.json'), 'utf8');
  expect(metadata).toContain('"two_factor_removal.due_at":{"$gt":{"$date":{"$numberLong":"0"}}}');
  await source.close();

  const { db, url } = await newDb();
  const restoredFolder = join(folder, 'restored');
  await restore(db, markedStorage(restoredFolder), backupFolder, quiet);
  expect(await contentsOf(db)).toEqual(before);
  expect(await indexDifferences(db)).toEqual([]);
  const config = loadConfig({
    ...stack.settings,
    MONGODB_URL: url,
    STORAGE_URL: pathToFileURL(restoredFolder).href,
    QUEUE_NAME: `restored_${randomUUID().slice(0, 8)}`,
    PORT: '0',
  });
  const server = await startServer(config, { site: null });
  const restoredWorker = await startWorker(config);
  try {
    const image = await fetch(`${server.url}${paths.generationImage(id, 'image')}`, {
      headers: { authorization: `Bearer ${seller.token}` },
    });
    expect(image.status).toBe(200);
    const restored = modelsOf(db).generations;
    await expect
      .poll(async () => (await restored.findById(waiting).lean())?.state, eventually)
      .toBe('succeeded');
    await expect.poll(() => audit(db, openFolderStorage(restoredFolder), 'contents'), eventually).toEqual([]);
  } finally {
    await restoredWorker.close();
    await server.close();
  }
});

test('a backup that is incomplete or was changed is refused, and so is a database that has something', async ({
  stack,
  newDb,
}) => {
  const folder = await newFolder();
  const { db: source } = await newDb();
  await connectionOf(source)
    .collection('looks')
    .insertMany([{ name: 'Marble' }, { name: 'Oak' }]);
  const storage = markedStorage(join(folder, 'storage'));
  await storage.storage.put(storageKeys.image('a', 1), Buffer.from('an image'));
  await storage.marker.create('the marker');
  const from = join(folder, 'backup');
  await backUp(source, storage, from, quiet);
  await expect(backUp(source, storage, from, quiet)).rejects.toThrow('is not empty');
  const to = markedStorage(join(folder, 'to'));

  await expect(restore(stack.db, to, from, quiet)).rejects.toThrow(
    /has \d+ collections: restore into an empty/,
  );
  const documents = join(from, 'database', 'looks.bson');
  const bytes = await readFile(documents);
  await appendFile(documents, 'x');
  const { db: empty } = await newDb();
  await expect(restore(empty, to, from, quiet)).rejects.toThrow('looks.bson was changed');
  await rm(documents);
  await expect(restore(empty, to, from, quiet)).rejects.toThrow('looks.bson');
  expect(await contentsOf(empty)).toEqual({});
  await writeFile(documents, bytes);

  // Interrupted while documents are loaded: nothing starts on it, and it can be repeated.
  await writeFile(join(from, 'database', 'looks.metadata.json'), 'broken');
  await expect(restore(empty, to, from, quiet)).rejects.toThrow();
  await expect(assertMigrated(empty)).rejects.toThrow('run `npm run restore` again');
  await writeFile(join(from, 'database', 'looks.metadata.json'), '{"indexes":[]}');
  await restore(empty, to, from, quiet);
  expect(await connectionOf(empty).collection('looks').countDocuments()).toBe(2);
  expect(await readdir(join(folder, 'to'))).toContain('.packshot-storage');

  await rm(join(from, 'backup.json'));
  const { db: other } = await newDb();
  await expect(restore(other, to, from, quiet)).rejects.toThrow('one that was interrupted');
});

test('an account that was deleted after the backup is deleted again', async ({
  stack,
  newDb,
  onTestFinished,
}) => {
  const [erased, kept] = [await stack.seller(), await stack.seller()];
  const source = await connectDb(stack.config.mongodbUrl);
  await stack.server.close();
  onTestFinished(() => stack.restartServer());
  const folder = await newFolder();
  await backUp(source, null, join(folder, 'backup'), quiet);
  await source.close();

  const { db, url } = await newDb();
  const restoredFolder = join(folder, 'restored');
  await restore(db, markedStorage(restoredFolder), join(folder, 'backup'), quiet, [erased.id]);
  const { users, profiles } = modelsOf(db);
  expect(await users.countDocuments({ _id: { $in: [erased.id, kept.id] } })).toBe(1);
  const config = loadConfig({
    ...stack.settings,
    MONGODB_URL: url,
    STORAGE_URL: pathToFileURL(restoredFolder).href,
    QUEUE_NAME: `restored_${randomUUID().slice(0, 8)}`,
  });
  await profiles.updateOne(
    { _id: erased.id },
    { $set: { deletion_asked_at: new Date(Date.now() - 60_000) } },
  );
  const worker = await startWorker(config);
  onTestFinished(() => worker.close());
  await expect.poll(() => profiles.countDocuments({ _id: erased.id }), eventually).toBe(0);
  expect(await profiles.countDocuments({ _id: kept.id })).toBe(1);
});
