import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'vitest';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { connectionOf } from '#shared/data/collection.ts';
import { modelsOf } from '#shared/data/collections.ts';
import { createIndexes, indexDifferences } from '#shared/data/indexes.ts';
import { migrations } from '#shared/data/migrations/index.ts';
import { assertMigrated, migrate } from '#shared/data/migrations/migrate.ts';
import type { Database } from '#shared/data/migrations/migration.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { executed, names, noLog, renaming, test } from './harness.ts';

test('when servers and workers start at the same time, one migrates and the others wait for it', async ({
  newDatabase,
  startServer,
  startWorker,
}) => {
  const empty = await newDatabase();
  await Promise.all([startServer(empty), startServer(empty), startWorker(empty)]);
  expect(await executed(empty.db)).toEqual(names);

  const other = await newDatabase();
  const runs: string[] = [];
  const counted = [...migrations, renaming].map((migration) => ({
    ...migration,
    async up(database: Database) {
      runs.push(migration.name);
      await migration.up?.(database);
    },
  }));
  const processes = await Promise.all(Array.from({ length: 5 }, () => other.connect()));
  const results = await Promise.all(processes.map((each) => migrate(each, noLog, { migrations: counted })));
  const all = [...names, renaming.name];
  expect(runs).toEqual(all);
  expect(results.filter((result) => result.length > 0)).toEqual([all]);
});

test('after a process is killed while it migrates, the lock is free when its lease expires', async ({
  newDatabase,
}) => {
  const { settings, db } = await newDatabase();
  const child = spawn(
    process.execPath,
    [join(rootFolder, 'tests/support/migrate-and-hang.ts'), settings.MONGODB_URL],
    { env: childEnvironment({}), stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  await once(child, 'message');
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;

  const said: string[] = [];
  const migrated = migrate(db, { info: (line) => said.push(line) });
  await expect.poll(() => said).toEqual([expect.stringContaining('waiting')]);
  expect(await executed(db)).toEqual([]);
  // Its lease expires.
  await modelsOf(db).locks.updateOne({ _id: 'migrations' }, { lease_until: new Date(0) });
  expect(await migrated).toEqual(names);
  expect(await executed(db)).toEqual(names);
});

test('starting on a migrated database only reads', async ({ newDatabase }) => {
  const empty = await newDatabase();
  const db = await empty.connect({ monitorCommands: 'true' });
  await expect(assertMigrated(db)).rejects.toThrow(names[0]);
  expect(await migrate(db, noLog)).toEqual(names);
  const commands: string[] = [];
  connectionOf(db)
    .getClient()
    .on('commandStarted', ({ commandName }) => commands.push(commandName));
  expect(await migrate(db, noLog)).toEqual([]);
  expect(new Set(commands)).toEqual(new Set(['find']));
  await assertMigrated(db);
});

test('a database of a newer version is not changed', async ({ newDatabase, startServer, startWorker }) => {
  const empty = await newDatabase();
  const { db } = empty;
  await migrate(db, noLog, { migrations: [...migrations, { name: '9998-newer' }] });
  await expect(startServer(empty)).rejects.toThrow('newer version of Packshot (9998-newer)');
  await expect(startWorker(empty)).rejects.toThrow('newer version of Packshot (9998-newer)');
});

test('a database of before 1.0.0 is refused with what to do, and not changed', async ({
  newDatabase,
  startServer,
  startWorker,
}) => {
  const old = await newDatabase();
  const collection = connectionOf(old.db).db!.collection<{ _id: string }>('migrations');
  await collection.insertMany([{ _id: '0001-first-release' }, { _id: '0002-field-names' }]);
  for (const start of [startServer, startWorker, ({ db }: typeof old) => assertMigrated(db)]) {
    await expect(start(old)).rejects.toThrow(/before 1\.0\.0.*begin with an empty database/);
  }
  expect(await executed(old.db)).toEqual(['0001-first-release', '0002-field-names']);
});

test('migrations create each index that a schema declares', async ({ newDatabase }) => {
  const { db } = await newDatabase();
  await migrate(db, noLog);
  expect(await indexDifferences(db)).toEqual([]);
});

test('indexes that are missing, differ or are not declared are found, and missing ones are created', async ({
  newDatabase,
}) => {
  const { db } = await newDatabase();
  await migrate(db, noLog);
  const looks = connectionOf(db).collection('looks');
  await looks.dropIndex('deleted_at_1');
  await looks.dropIndex('profile_1_updated_at_-1');
  await looks.createIndex({ profile: 1, updated_at: -1 }, { sparse: true });
  await looks.createIndex({ name: 1 });
  expect(await indexDifferences(db)).toEqual([
    'looks: profile_1_updated_at_-1 differs',
    'looks: deleted_at_1 is missing',
    'looks: name_1 is declared nowhere',
  ]);
  await createIndexes(db, { looks: ['deleted_at_1', 'of_an_older_version'], gone: ['a_1'] });
  expect(await indexDifferences(db)).not.toContain('looks: deleted_at_1 is missing');
});
