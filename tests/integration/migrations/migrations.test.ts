import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { paths, type SessionReply } from '#contract';
import { audit } from '#scripts/audit/audit.ts';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { connectDb } from '#shared/data/connect.ts';
import type { Db } from '#shared/data/db.ts';
import { findVisible } from '#shared/data/generations/find.ts';
import { migrations } from '#shared/data/migrations/index.ts';
import { assertMigrated, migrate } from '#shared/data/migrations/migrate.ts';
import type { Database, Migration } from '#shared/data/migrations/migration.ts';
import { type Config, loadConfig } from '#shared/platform/config.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { createStorage } from '#shared/platform/storage.ts';
import { firstRelease, writeFirstRelease } from '#tests/support/first-release.ts';
import { payFor } from '#tests/support/paid.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import { type GivenSettings, startTestStack, type TestStack } from '#tests/support/stack.ts';

let stack: TestStack;
const folders: string[] = [];
const handles: Db[] = [];
beforeAll(async () => {
  stack = await startTestStack({ workers: 0 });
});
afterEach(async () => {
  for (const db of handles.splice(0)) {
    await db.connection.dropDatabase();
    await db.close();
  }
});
afterAll(async () => {
  await stack.close();
  for (const folder of folders) await rm(folder, { recursive: true });
});

/** Settings with an empty database, queue and folder of their own. */
async function newSettings(): Promise<GivenSettings> {
  const name = `test_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  const url = new URL(stack.config.mongodbUrl);
  url.pathname = `/${name}`;
  const folder = await mkdtemp(join(tmpdir(), 'packshot-test-'));
  folders.push(folder);
  return { MONGODB_URL: url.href, QUEUE_NAME: name, STORAGE_FOLDER: folder };
}

/** A database as the first release left it. */
async function firstReleaseData(): Promise<{ settings: GivenSettings; config: Config; db: Db }> {
  const settings = await newSettings();
  const config = loadConfig({ ...stack.settings, ...settings });
  await writeFirstRelease(config);
  return { settings, config, db: await connect(config.mongodbUrl) };
}

async function connect(mongodbUrl: string): Promise<Db> {
  const db = await connectDb(mongodbUrl);
  handles.push(db);
  return db;
}

const silent = { info() {} };
const names = migrations.map(({ name }) => name);

interface ExecutedMigration {
  _id: string;
  executed_at: Date;
}
const executed = (db: Db) =>
  db.connection.db!.collection<ExecutedMigration>('migrations').find().sort({ _id: 1 }).toArray();

/** All documents, without those about migrations themselves. */
async function allDocuments(db: Db): Promise<Record<string, unknown[]>> {
  const database = db.connection.db!;
  const collections = await database.listCollections().toArray();
  const named = collections.map(({ name }) => name).filter((name) => !['locks', 'migrations'].includes(name));
  return Object.fromEntries(
    await Promise.all(
      named.map(async (name) => [name, await database.collection(name).find().sort({ _id: 1 }).toArray()]),
    ),
  );
}

test('on data of the first release a seller signs in, sees the old images and makes a new one', async () => {
  const { settings, config, db } = await firstReleaseData();
  const { url } = await stack.startServer(settings);
  expect((await executed(db)).map(({ _id }) => _id)).toEqual(names);

  const signIn = await fetch(url + paths.session, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: firstRelease.freelancer, password: firstRelease.password }),
  });
  expect(signIn.status).toBe(200);
  const { token, user } = (await signIn.json()) as SessionReply;
  const request = async (path: string, init: RequestInit = {}) => {
    const reply = await fetch(url + path, { ...init, headers: { authorization: `Bearer ${token}` } });
    return { status: reply.status, body: (await reply.json()) as never };
  };
  expect(await request(paths.generations)).toMatchObject({
    status: 200,
    body: {
      generations: [
        { id: firstRelease.queued, state: 'queued', position: 1 },
        { prompt: 'cancelled', state: 'cancelled', imageUsed: false },
        { prompt: 'Studio Photography Setup: warm', state: 'succeeded', imageUsed: true },
      ],
    },
  });

  // The first release had no billing: its plans were never paid for.
  expect(await request(paths.me)).toMatchObject({ body: { subscription: { status: 'inactive' } } });
  await payFor(db, user.id, 'freelance');
  const form = new FormData();
  form.set('prompt', 'On a wooden table');
  form.set('images', new Blob([new Uint8Array(await samplePhoto())], { type: 'image/png' }), 'photo.png');
  const submitted = await request(paths.generations, { method: 'POST', body: form });
  expect(submitted.status).toBe(202);

  await stack.startWorker(settings);
  const states = async () => {
    const { body } = await request(paths.generations);
    return (body as { generations: { state: string }[] }).generations.map(({ state }) => state);
  };
  await expect
    .poll(states, { timeout: 20_000 })
    .toEqual(['succeeded', 'succeeded', 'cancelled', 'succeeded']);
  await expect.poll(() => audit(db, createStorage(config)), { timeout: 10_000 }).toEqual([]);
  expect(await request(paths.me)).toMatchObject({
    body: { subscription: { status: 'active', generationsLeft: 99 } },
  });
});

test('a request of the first release that died is a generation in `receiving`, which no seller sees', async () => {
  const { settings, db } = await firstReleaseData();
  const generations = db.connection.db!.collection<{ _id: string; [field: string]: unknown }>('generations');
  const queued = (await generations.findOne({ _id: firstRelease.queued }))!;
  const died = '6b02d81d02648ec0deabc081';
  await generations.insertOne({ ...queued, _id: died, idempotency_key: died, admitted_at: null, photos: [] });

  await stack.startServer(settings);
  expect(await db.generations.findById(died).lean()).toMatchObject({ state: 'receiving', queued_at: null });
  expect(await findVisible(db, died)).toBeNull();
  expect(await findVisible(db, firstRelease.queued)).toMatchObject({
    state: 'queued',
    queued_at: queued.admitted_at,
  });
  expect(await generations.countDocuments({ admitted_at: { $exists: true } })).toBe(0);

  await stack.startWorker({ ...settings, UPKEEP_INTERVAL_MS: '100' });
  await expect.poll(() => generations.countDocuments({ _id: died }), { timeout: 10_000 }).toBe(0);
  expect((await db.generations.findById(firstRelease.queued).lean())?.state).not.toBe('receiving');
});

test('of servers and workers that start at once one migrates, and the others wait for it', async () => {
  const { settings, db } = await firstReleaseData();
  await Promise.all([
    stack.startServer(settings),
    stack.startServer(settings),
    stack.startWorker(settings),
    stack.startServerProcess(settings),
  ]);
  expect((await executed(db)).map(({ _id }) => _id)).toEqual(names);

  const other = await firstReleaseData();
  const runs: string[] = [];
  const counted = migrations.map(({ name, up }) => ({
    name,
    async up(database: Database) {
      runs.push(name);
      await up(database);
    },
  }));
  const processes = await Promise.all(Array.from({ length: 5 }, () => connect(other.config.mongodbUrl)));
  const results = await Promise.all(processes.map((each) => migrate(each, silent, { migrations: counted })));
  expect(runs).toEqual(names);
  expect(results.filter((result) => result.length > 0)).toEqual([names]);
});

test('a process that is killed while it migrates leaves the lock for the time of its lease', async () => {
  const { settings, config, db } = await firstReleaseData();
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
  const lock = await db.locks.findById('migrations').lean();
  expect(lock!.lease_until!.getTime()).toBeGreaterThan(Date.now());

  const said: string[] = [];
  await migrate(db, { info: (line) => said.push(line) });
  expect(Date.now()).toBeGreaterThanOrEqual(lock!.lease_until!.getTime());
  expect(said[0]).toContain('waiting');
  expect((await executed(db)).map(({ _id }) => _id)).toEqual(names);
  await stack.startServer(settings);
});

/** A database whose statements fail from one on, after the last that reached it. */
function failingAt(database: Database, last: number, state: { statements: number }): Database {
  return {
    collection: (name: string) =>
      new Proxy(database.collection(name), {
        get: (collection, property: 'updateMany') => {
          const statement = collection[property];
          if (typeof statement !== 'function') return statement;
          return async (...given: unknown[]) => {
            if (state.statements >= last) throw new Error('killed');
            state.statements += 1;
            return (statement as (...all: unknown[]) => Promise<unknown>).apply(collection, given);
          };
        },
      }),
  } as Database;
}

test('migrations that broke off after any statement can be repeated', async () => {
  const whole = await firstReleaseData();
  await migrate(whole.db, silent);
  const expected = withoutTimes(await allDocuments(whole.db));

  for (let last = 0; ; last += 1) {
    const { db } = await firstReleaseData();
    const state = { statements: 0 };
    const failing = migrations.map(
      ({ name, up }): Migration => ({ name, up: (database) => up(failingAt(database, last, state)) }),
    );
    const brokeOff = await migrate(db, silent, { migrations: failing }).then(
      () => false,
      () => true,
    );
    await migrate(db, silent);
    expect(withoutTimes(await allDocuments(db)), `after ${last} statements`).toEqual(expected);
    await db.connection.dropDatabase();
    if (!brokeOff) {
      expect(last).toBeGreaterThan(5);
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

test('a database that is migrated costs one read', async () => {
  const url = new URL((await firstReleaseData()).config.mongodbUrl);
  url.searchParams.set('monitorCommands', 'true');
  const db = await connect(url.href);
  await expect(assertMigrated(db)).rejects.toThrow(names[0]);
  expect(await migrate(db, silent)).toEqual(names);
  const commands: string[] = [];
  db.connection.getClient().on('commandStarted', ({ commandName }) => commands.push(commandName));
  expect(await migrate(db, silent)).toEqual([]);
  expect(commands).toEqual(['find']);
  await assertMigrated(db);
});

test('a database of a newer version is left alone', async () => {
  const { settings, db } = await firstReleaseData();
  await migrate(db, silent, { migrations: [...migrations, { name: '9998-newer', async up() {} }] });
  await expect(stack.startServer(settings)).rejects.toThrow('newer version of Packshot (9998-newer)');
  await expect(stack.startWorker(settings)).rejects.toThrow('newer version of Packshot (9998-newer)');
});
