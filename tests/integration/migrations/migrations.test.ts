import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'vitest';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { connectionOf } from '#shared/data/collection.ts';
import { modelsOf } from '#shared/data/collections.ts';
import type { Db } from '#shared/data/db.ts';
import { createIndexes, indexDifferences, remakeIndexes } from '#shared/data/indexes.ts';
import { migrations } from '#shared/data/migrations/index.ts';
import { assertMigrated, migrate } from '#shared/data/migrations/migrate.ts';
import type { Database, Migration } from '#shared/data/migrations/migration.ts';
import { reportServer, withdrawServer } from '#shared/data/queue/server-reports.ts';
import { reportWorker } from '#shared/data/queue/worker-slots.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { reportRegularly } from '#shared/watch/report-process.ts';
import { limitMs } from '#tests/support/machine.ts';
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
  await migrate(db, noLog, { migrations: [...migrations, { name: '9998-newer', async up() {} }] });
  await expect(startServer(empty)).rejects.toThrow('newer version of Packshot (9998-newer)');
  await expect(startWorker(empty)).rejects.toThrow('newer version of Packshot (9998-newer)');
});

const withRenaming = { migrations: [...migrations, renaming] };

/** Reports a process of the version before {@link renaming}, as it does itself. */
async function reportOlder(db: Db, kind: 'server' | 'worker', id: string, lifeMs = limitMs(60_000)) {
  const now = new Date();
  const report = {
    version: '1.0.0 (f00ba4b)',
    last_migration: names.at(-1)!,
    host: 'box-1',
    pid: 7,
    started_at: now,
    reported_at: now,
    problems: [],
  };
  if (kind === 'server') await reportServer(db, id, { sockets: 0, report }, lifeMs);
  else await reportWorker(db, id, { slots: 1, running: [], report }, lifeMs);
}

test.for(['server', 'worker'] as const)(
  'a migration that changes documents is refused while an older %s runs, which goes on and starts again',
  async (kind, { newDatabase, startServer, startWorker }) => {
    const database = await newDatabase();
    const { db } = database;
    await migrate(db, noLog);
    await reportOlder(db, kind, 'older');
    const said: string[] = [];
    const migrated = migrate(db, { info: (line) => said.push(line) }, withRenaming).catch(
      (error: Error) => error.message,
    );
    await expect.poll(() => said).toEqual([expect.stringContaining('waiting')]);
    await reportOlder(db, kind, 'older');
    expect(await migrated).toBe(
      `stop every server and worker of an older version before ${renaming.name}. Running: the ${kind} with process 7 on box-1 (1.0.0 (f00ba4b))`,
    );
    expect(await executed(db)).toEqual(names);
    await (kind === 'server' ? startServer : startWorker)(database);
  },
);

test('an older process that was killed is waited for until it no longer counts; one that withdrew is not', async ({
  newDatabase,
}) => {
  const { db } = await newDatabase();
  await migrate(db, noLog);
  await reportOlder(db, 'server', 'withdrawn');
  await withdrawServer(db, 'withdrawn');
  await reportOlder(db, 'worker', 'killed');
  const said: string[] = [];
  const migrated = migrate(db, { info: (line) => said.push(line) }, withRenaming);
  await expect.poll(() => said).toEqual([expect.stringMatching(/waiting: whether the worker .* still runs/)]);
  // Its report expires.
  await modelsOf(db).workerSlots.updateOne({ _id: 'killed' }, { until: new Date(0) });
  expect(await migrated).toEqual([renaming.name]);
});

test('an older process that has started since the first look stops the migrations that are left', async ({
  newDatabase,
}) => {
  const { db } = await newDatabase();
  await migrate(db, noLog);
  const first: Migration = { name: '8000-first', up: () => reportOlder(db, 'server', 'late') };
  await expect(migrate(db, noLog, { migrations: [...migrations, first, renaming] })).rejects.toThrow(
    'stop every server and worker of an older version before 9000-renaming. Running: the server with process 7',
  );
  expect(await executed(db)).toEqual([...names, first.name]);
});

test('a process that was not seen ends itself when a newer version has migrated, not when it has added indexes', async ({
  newDatabase,
  startServer,
}) => {
  const database = await newDatabase();
  const { context } = await startServer(database);
  const ended = Promise.withResolvers<string>();
  let reported = 0;
  const reports = reportRegularly(
    context,
    {
      bytes: 0,
      async write() {
        reported += 1;
      },
      async withdraw() {},
    },
    { record() {} },
    { everyMs: 1, end: ({ message }) => ended.resolve(message) },
  );
  await reports.ready;
  await migrate(database.db, noLog, { migrations: [...migrations, { name: '8000-index' }] });
  const before = reported;
  await expect.poll(() => reported).toBeGreaterThan(before + 1);
  // As if the process had hung for longer than its report counts.
  await modelsOf(database.db).serverReports.deleteMany({});
  await migrate(database.db, noLog, { migrations: [...migrations, { name: '8000-index' }, renaming] });
  expect(await ended.promise).toContain(`newer version of Packshot (${renaming.name})`);
  await reports.stop();
  await expect(startServer(database)).rejects.toThrow(renaming.name);
});

test('a database of before 1.0.0 is refused with what to do, and not changed', async ({
  newDatabase,
  startServer,
  startWorker,
}) => {
  const old = await newDatabase();
  const collection = connectionOf(old.db).db!.collection<{ _id: string }>('migrations');
  const executed_at = new Date();
  await collection.insertMany(
    ['0001-first-release', '0002-field-names'].map((_id) => ({ _id, executed_at }) as { _id: string }),
  );
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

  expect(await remakeIndexes(db)).toEqual(['looks: profile_1_updated_at_-1 differs']);
  expect(await indexDifferences(db)).toEqual(['looks: name_1 is declared nowhere']);
});

test('what could be undone is in the trash, and whoever chose when a password expires is still made to change it', async ({
  newDatabase,
}) => {
  const { db } = await newDatabase();
  const { generations, userSettings } = modelsOf(db);
  await generations.collection.insertMany([
    { _id: 'undoable', idempotency_key: '1', deletion: { stage: 'undoable', at: new Date() } },
    { _id: 'purged', idempotency_key: '2', deletion: { stage: 'purged', at: new Date() } },
    { _id: 'kept', idempotency_key: '3' },
  ] as never[]);
  await userSettings.collection.insertMany(
    [0, 30, 90].map((days) => ({ _id: `every ${days}`, password_expiry_days: days })) as never[],
  );
  await migrate(db, noLog);
  const stages = await generations.find().sort({ _id: 1 }).lean();
  expect(stages.map(({ deletion }) => deletion?.stage)).toEqual([undefined, 'purged', 'trashed']);
  const forced = await userSettings.find({ password_change_forced: true }).lean();
  expect(forced.map(({ _id }) => _id)).toEqual(['every 30']);
});

test('who ever had a key or a webhook has events, and what was not made before is counted for a day', async ({
  newDatabase,
}) => {
  const { db } = await newDatabase();
  const { profiles, apiKeys, webhookEndpoints, activities } = modelsOf(db);
  const known = new Date(0);
  await profiles.collection.insertMany([
    ...['none', 'key', 'revoked', 'webhook'].map((_id) => ({ _id })),
    { _id: 'newer', unmade_at: null, events_since: known },
  ] as never[]);
  await apiKeys.collection.insertMany([
    { _id: 'k1', user_id: 'key', hash: '1', slot: 0 },
    { _id: 'k2', user_id: 'newer', hash: '2', slot: 0 },
  ] as never[]);
  await webhookEndpoints.collection.insertOne({ _id: 'w', profile: 'webhook', slot: 0 } as never);
  await activities.collection.insertMany([
    { _id: 'a1', user_id: 'revoked', kind: 'api-key-made', at: known },
    { _id: 'a2', user_id: 'none', kind: 'sign-in', at: known },
  ] as never[]);
  await migrate(db, noLog);
  const rows = await profiles.find().sort({ _id: 1 }).lean();
  expect(
    rows.map(({ _id, events_since: events, webhooks_since: webhooks, unmade_at: unmade }) => [
      _id,
      events !== undefined,
      webhooks !== undefined,
      unmade !== null,
    ]),
  ).toEqual([
    ['key', true, false, true],
    ['newer', true, false, false],
    ['none', false, false, true],
    ['revoked', true, false, true],
    ['webhook', true, true, true],
  ]);
  expect(rows[1]!.events_since).toEqual(known);
});
