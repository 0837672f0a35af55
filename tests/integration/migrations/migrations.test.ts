import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'vitest';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { migrations } from '#shared/data/migrations/index.ts';
import { assertMigrated, migrate } from '#shared/data/migrations/migrate.ts';
import type { Database, Migration } from '#shared/data/migrations/migration.ts';
import { connectionOf, modelsOf } from '#shared/data/models.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { executed, names, noLog, type OldDatabase, test } from './harness.ts';

/** All documents except those of the migrations themselves. */
async function allDocuments({ db }: OldDatabase): Promise<Record<string, unknown[]>> {
  const database = connectionOf(db).db!;
  const collections = await database.listCollections().toArray();
  const names = collections.map(({ name }) => name).filter((name) => !['locks', 'migrations'].includes(name));
  return Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name, await database.collection(name).find().sort({ _id: 1 }).toArray()]),
    ),
  );
}

test('when servers and workers start at the same time, one migrates and the others wait for it', async ({
  stack,
  newDatabase,
}) => {
  const old = await newDatabase();
  const [child] = await Promise.all([
    stack.startServerProcess(old.settings),
    old.startServer(),
    old.startServer(),
    old.startWorker(),
  ]);
  expect(await executed(old.db)).toEqual(names);
  await child.kill();

  const other = await newDatabase();
  const runs: string[] = [];
  const counted = migrations.map(({ name, up }) => ({
    name,
    async up(database: Database) {
      runs.push(name);
      await up(database);
    },
  }));
  const processes = await Promise.all(Array.from({ length: 5 }, () => other.connect()));
  const results = await Promise.all(processes.map((each) => migrate(each, noLog, { migrations: counted })));
  expect(runs).toEqual(names);
  expect(results.filter((result) => result.length > 0)).toEqual([names]);
});

test('after a process is killed while it migrates, the lock is free when its lease expires', async ({
  newDatabase,
}) => {
  const { config, db, startServer } = await newDatabase();
  const leaseMs = 2_000;
  const child = spawn(
    process.execPath,
    [join(rootFolder, 'tests/support/migrate-and-hang.ts'), config.mongodbUrl, String(leaseMs)],
    { env: childEnvironment({}), stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  await once(child, 'message');
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
  const lock = await modelsOf(db).locks.findById('migrations').lean();
  expect(lock!.lease_until!.getTime()).toBeGreaterThan(Date.now());

  const said: string[] = [];
  await migrate(db, { info: (line) => said.push(line) });
  expect(Date.now()).toBeGreaterThanOrEqual(lock!.lease_until!.getTime());
  expect(said[0]).toContain('waiting');
  expect(await executed(db)).toEqual(names);
  await startServer();
});

/** A database of which only the first `last` statements succeed. @param state statements: how many it has executed */
function failingAt(database: Database, last: number, state: { statements: number }): Database {
  return {
    listCollections: (filter: object) => database.listCollections(filter),
    collection: (name: string) =>
      new Proxy(database.collection(name), {
        get: (collection, property: 'updateMany') => {
          const statement = collection[property];
          if (typeof statement !== 'function') return statement;
          const execute = (...given: unknown[]) => {
            if (state.statements >= last) throw new Error('killed');
            state.statements += 1;
            return (statement as (...all: unknown[]) => unknown).apply(collection, given);
          };
          // Returns a cursor, all others a promise.
          if ((property as string) === 'find') return execute;
          return async (...given: unknown[]) => execute(...given);
        },
      }),
  } as Database;
}

test('migrations that were interrupted after any statement can be repeated', async ({ newDatabase }) => {
  const whole = await newDatabase();
  await migrate(whole.db, noLog);
  const expected = withoutTimes(await allDocuments(whole));

  for (let last = 0; ; last += 1) {
    const old = await newDatabase();
    const { db } = old;
    const state = { statements: 0 };
    const failing = migrations.map(
      ({ up, ...rest }): Migration => ({ ...rest, up: (database) => up(failingAt(database, last, state)) }),
    );
    const interrupted = await migrate(db, noLog, { migrations: failing }).then(
      () => false,
      () => true,
    );
    await migrate(db, noLog);
    expect(withoutTimes(await allDocuments(old)), `after ${last} statements`).toEqual(expected);
    await connectionOf(db).dropDatabase();
    if (!interrupted) {
      expect(last).toBeGreaterThan(15);
      break;
    }
  }
});

/** Documents without the time of the migration. */
function withoutTimes(documents: Record<string, unknown[]>): unknown {
  return JSON.parse(
    JSON.stringify(documents, (key, value) => (key === 'password_changed_at' ? undefined : value)),
  );
}

test('starting on a migrated database costs one read', async ({ newDatabase }) => {
  const old = await newDatabase();
  const db = await old.connect({ monitorCommands: 'true' });
  await expect(assertMigrated(db)).rejects.toThrow(names[0]);
  expect(await migrate(db, noLog)).toEqual(names);
  const commands: string[] = [];
  connectionOf(db)
    .getClient()
    .on('commandStarted', ({ commandName }) => commands.push(commandName));
  expect(await migrate(db, noLog)).toEqual([]);
  expect(commands).toEqual(['find']);
  await assertMigrated(db);
});

test('a database of a newer version is not changed', async ({ newDatabase }) => {
  const { db, startServer, startWorker } = await newDatabase();
  await migrate(db, noLog, { migrations: [...migrations, { name: '9998-newer', async up() {} }] });
  await expect(startServer()).rejects.toThrow('newer version of Packshot (9998-newer)');
  await expect(startWorker()).rejects.toThrow('newer version of Packshot (9998-newer)');
});
