/** Databases as an older version left them, for the tests of migrations. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type RunningServer, startServer } from '#server/server.ts';
import { connectDb } from '#shared/data/connect.ts';
import type { Db } from '#shared/data/db.ts';
import { migrations } from '#shared/data/migrations/index.ts';
import { connectionOf } from '#shared/data/models.ts';
import { type Config, loadConfig } from '#shared/platform/config.ts';
import type { GivenSettings } from '#shared/platform/settings.ts';
import { writeFirstRelease } from '#tests/support/first-release.ts';
import { frequentUpkeep, type TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { startWorker } from '#worker/worker.ts';

/** A database with a queue and a storage folder of its own. */
export interface OldDatabase {
  /** Settings with which a server or a worker uses it. */
  settings: GivenSettings;
  config: Config;
  db: Db;
  /** Opens another connection to it. @param options of MongoDB's connection string */
  connect(options?: Readonly<Record<string, string>>): Promise<Db>;
  /** Starts a server on it. */
  startServer(): Promise<RunningServer>;
  /** Starts a worker on it. */
  startWorker(): Promise<void>;
}

type Cleanup = () => Promise<void>;

/**
 * `test` with the fixture `newDatabase`, which makes a database as the first release left it. After the test the
 * programs on it are closed and it is dropped.
 */
export const test = testWithStack({ workers: 0 }).extend('newDatabase', async ({ stack }, { onCleanup }) => {
  const cleanups: Cleanup[] = [];
  onCleanup(async () => {
    await Promise.all(cleanups.map((cleanup) => cleanup()));
  });
  return () => firstReleaseDatabase(stack, cleanups);
});

async function firstReleaseDatabase(stack: TestStack, cleanups: Cleanup[]): Promise<OldDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  const url = new URL(stack.config.mongodbUrl);
  url.pathname = `/${name}`;
  const folder = await mkdtemp(join(tmpdir(), 'packshot-test-'));
  const settings = {
    MONGODB_URL: url.href,
    QUEUE_NAME: name,
    STORAGE_URL: pathToFileURL(folder).href,
    ...frequentUpkeep,
  };
  const config = loadConfig({ ...stack.settings, ...settings });
  await writeFirstRelease(config);
  const running: { close(): Promise<void> }[] = [];
  const keep = <Running extends { close(): Promise<void> }>(started: Running): Running => {
    running.push(started);
    return started;
  };
  const connect: OldDatabase['connect'] = async (options = {}) => {
    const withOptions = new URL(url);
    for (const [option, value] of Object.entries(options)) withOptions.searchParams.set(option, value);
    return keep(await connectDb(withOptions.href));
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
    config,
    db,
    connect,
    startServer: async () => keep(await startServer({ ...config, port: 0 })),
    startWorker: async () => void keep(await startWorker(config)),
  };
}

/** The names of all migrations. */
export const names = migrations.map(({ name }) => name);

/** @returns the names of the migrations that a database has had */
export async function executed(db: Db): Promise<string[]> {
  const rows = await connectionOf(db).db!.collection('migrations').find().sort({ _id: 1 }).toArray();
  return rows.map(({ _id }) => String(_id));
}

/** A log that discards its lines. */
export const noLog = { info() {} };
