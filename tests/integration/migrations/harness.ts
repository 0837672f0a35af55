/** Empty databases, and a migration, for the tests of migrations. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inject } from 'vitest';
import { type RunningServer, startServer } from '#server/server.ts';
import { connectionOf } from '#shared/data/collection.ts';
import { connectDb } from '#shared/data/connect.ts';
import type { Db } from '#shared/data/db.ts';
import { migrations } from '#shared/data/migrations/index.ts';
import type { Migration } from '#shared/data/migrations/migration.ts';
import { loadConfig } from '#shared/platform/config.ts';
import type { GivenSettings } from '#shared/platform/settings.ts';
import { frequentUpkeep, type TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { startWorker } from '#worker/worker.ts';

interface Closable {
  close(): Promise<void>;
}

/** An empty database with a queue and a storage folder of its own. */
export interface EmptyDatabase {
  /** Settings with which a server or a worker uses it. */
  settings: GivenSettings & { MONGODB_URL: string };
  db: Db;
  /** Opens another connection to it. @param options of MongoDB's connection string */
  connect(options?: Readonly<Record<string, string>>): Promise<Db>;
  /** Closes something before the database is dropped. @returns the same */
  keep<Running extends Closable>(running: Running): Running;
}

type Cleanup = () => Promise<void>;

/**
 * `test` with the fixture `newDatabase`, which makes an empty database, and `startServer` and
 * `startWorker`, which start a program on it. After the test the programs are closed and it is dropped. Only a test that
 * starts a program needs a stack.
 */
export const test = testWithStack({ workers: 0 })
  .extend('mongodbUrl', { scope: 'file' }, inject('mongodbUrl'))
  .extend('newDatabase', async ({ mongodbUrl }, { onCleanup }) => {
    const cleanups: Cleanup[] = [];
    onCleanup(async () => void (await Promise.all(cleanups.map((cleanup) => cleanup()))));
    return () => emptyDatabase(mongodbUrl, cleanups);
  })
  .extend('startServer', ({ stack }) => {
    return async (database: EmptyDatabase): Promise<RunningServer> =>
      database.keep(await startServer({ ...configOf(stack, database), port: 0 }));
  })
  .extend('startWorker', ({ stack }) => {
    return async (database: EmptyDatabase) =>
      void database.keep(await startWorker(configOf(stack, database)));
  });

const configOf = (stack: TestStack, { settings }: EmptyDatabase) =>
  loadConfig({ ...stack.settings, ...settings });

async function emptyDatabase(mongodbUrl: string, cleanups: Cleanup[]): Promise<EmptyDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  const url = new URL(mongodbUrl);
  url.pathname = `/${name}`;
  const folder = await mkdtemp(join(tmpdir(), 'packshot-test-'));
  const settings = {
    MONGODB_URL: url.href,
    QUEUE_NAME: name,
    STORAGE_URL: pathToFileURL(folder).href,
    ...frequentUpkeep,
  };
  const running: Closable[] = [];
  const keep = <Running extends Closable>(started: Running): Running => {
    running.push(started);
    return started;
  };
  const db = await connectDb(url.href);
  cleanups.push(async () => {
    await Promise.all(running.map((each) => each.close()));
    await connectionOf(db).dropDatabase();
    await db.close();
    await rm(folder, { recursive: true });
  });
  return {
    settings,
    db,
    async connect(options = {}) {
      const withOptions = new URL(url);
      for (const [option, value] of Object.entries(options)) withOptions.searchParams.set(option, value);
      return keep(await connectDb(withOptions.href));
    },
    keep,
  };
}

/** A migration as a later version may have one: it renames a field and drops the index on its old name. */
export const renaming: Migration = {
  name: '9000-renaming',
  async up(database) {
    const looks = database.collection('looks');
    await looks.updateMany({ title: { $exists: true } }, { $rename: { title: 'name' } });
    await looks.updateMany({ kind: { $exists: false } }, { $set: { kind: 'own' } });
    const indexes = await looks.indexes();
    if (indexes.some(({ name }) => name === 'title_1')) await looks.dropIndex('title_1');
  },
};

/** The names of all migrations. */
export const names = migrations.map(({ name }) => name);

/** @returns the names of the migrations that a database has had */
export async function executed(db: Db): Promise<string[]> {
  const rows = await connectionOf(db)
    .db!.collection('migrations')
    .find({ executed_at: { $exists: true } })
    .sort({ _id: 1 })
    .toArray();
  return rows.map(({ _id }) => String(_id));
}

/** A log that discards its lines. */
export const noLog = { info() {} };
