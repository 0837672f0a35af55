/** Databases as an older version left them, for the tests of migrations. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inject } from 'vitest';
import { audit } from '#scripts/audit/audit.ts';
import type { Finding } from '#scripts/audit/finding.ts';
import { type RunningServer, startServer } from '#server/server.ts';
import { connectDb } from '#shared/data/connect.ts';
import type { Db } from '#shared/data/db.ts';
import { migrations } from '#shared/data/migrations/index.ts';
import { connectionOf } from '#shared/data/models.ts';
import { loadConfig } from '#shared/platform/config.ts';
import { openStorage } from '#shared/platform/open-storage.ts';
import type { GivenSettings } from '#shared/platform/settings.ts';
import { storageLocationOf } from '#shared/platform/storage-config.ts';
import { writeFirstRelease } from '#tests/support/first-release.ts';
import { frequentUpkeep, type TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { startWorker } from '#worker/worker.ts';

interface Closable {
  close(): Promise<void>;
}

/** A database with a queue and a storage folder of its own. */
export interface OldDatabase {
  /** Settings with which a server or a worker uses it. */
  settings: GivenSettings & { MONGODB_URL: string };
  db: Db;
  /** Opens another connection to it. @param options of MongoDB's connection string */
  connect(options?: Readonly<Record<string, string>>): Promise<Db>;
  /** The findings of `npm run audit`. */
  audit(): Promise<Finding[]>;
  /** Closes something before the database is dropped. @returns the same */
  keep<Running extends Closable>(running: Running): Running;
}

type Cleanup = () => Promise<void>;

/**
 * `test` with the fixture `newDatabase`, which makes a database as the first release left it, and `startServer` and
 * `startWorker`, which start a program on it. After the test the programs are closed and it is dropped. Only a test that
 * starts a program needs a stack.
 */
export const test = testWithStack({ workers: 0 })
  .extend('mongodbUrl', { scope: 'file' }, inject('mongodbUrl'))
  .extend('newDatabase', async ({ mongodbUrl }, { onCleanup }) => {
    const cleanups: Cleanup[] = [];
    onCleanup(async () => void (await Promise.all(cleanups.map((cleanup) => cleanup()))));
    return () => firstReleaseDatabase(mongodbUrl, cleanups);
  })
  .extend('startServer', ({ stack }) => {
    return async (old: OldDatabase): Promise<RunningServer> =>
      old.keep(await startServer({ ...configOf(stack, old), port: 0 }));
  })
  .extend('startWorker', ({ stack }) => {
    return async (old: OldDatabase) => void old.keep(await startWorker(configOf(stack, old)));
  });

const configOf = (stack: TestStack, { settings }: OldDatabase) =>
  loadConfig({ ...stack.settings, ...settings });

async function firstReleaseDatabase(mongodbUrl: string, cleanups: Cleanup[]): Promise<OldDatabase> {
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
  const storage = storageLocationOf(settings);
  await writeFirstRelease({ mongodbUrl: url.href, storage });
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
    audit: async () => audit(db, await openStorage(storage)),
    keep,
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
