/** What waiting jobs take in the queue's store: memory of Redis, or disk of PostgreSQL. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pLimit from 'p-limit';
import pg from 'pg';
import { freePort } from '#scripts/start/port.ts';
import { type RunningProcess, startProcess } from '#scripts/start/process.ts';
import { newId } from '#shared/data/db.ts';
import { readEnvironment } from '#shared/platform/environment.ts';
import { addJob, openQueue } from '#shared/platform/queue.ts';
import { givenSettings } from '#shared/platform/settings.ts';

/** Jobs that are added at the same time. */
const atOnce = 64;

/**
 * Adds jobs as servers do, and measures how the store grows. The store is that of QUEUE_URL if set, a single Redis or a
 * PostgreSQL; else both in turn: the installed redis-server, and the local service.
 */
export async function benchQueueMemory(jobs: number): Promise<void> {
  const given = givenSettings().QUEUE_URL;
  if (given !== undefined) return measure(given, jobs);
  const folder = await mkdtemp(join(tmpdir(), 'packshot-bench-queue-'));
  const start = (name: string, ...command: string[]) =>
    startProcess({ name, command, env: readEnvironment(), logFolder: join(folder, 'logs') });
  const stores: RunningProcess[] = [];
  try {
    const port = String(await freePort('127.0.0.1', 0));
    stores.push(await start('redis', 'tests/campaigns/support/redis.ts', port, join(folder, 'redis')));
    stores.push(await start('queue', 'scripts/local/main.ts', 'queue', '--data', join(folder, 'queue')));
    for (const { url } of stores) await measure(url!, jobs);
  } finally {
    for (const store of stores) await store.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(url: string, jobs: number): Promise<void> {
  const store = url.startsWith('redis') ? await openRedis(url) : await openPostgres(url);
  const queue = openQueue({ queueUrl: url, queueName: `bench_${newId()}` });
  const add = (index: number) => addJob(queue, { _id: newId(), fence: 0, priority: 1 + (index % 10_000) });
  try {
    await queue.waitUntilReady();
    // Makes the tables and loads the scripts.
    await add(0);
    const before = await store.bytes();
    const began = performance.now();
    await pLimit(atOnce).map(Array(jobs).keys(), add);
    const seconds = (performance.now() - began) / 1_000;
    const grown = (await store.bytes()) - before;
    const perJob = grown / jobs;
    console.log(`${store.what}: ${jobs} waiting jobs with ids and priorities as the server gives them`);
    console.log(
      `    ${(grown / 2 ** 20).toFixed(1)} MB, ${perJob.toFixed(0)} bytes a job, ${((perJob * 1e6) / 2 ** 20).toFixed(0)} MB for a million; added ${(jobs / seconds).toFixed(0)} a second`,
    );
  } finally {
    await queue.obliterate({ force: true });
    await queue.close();
    await store.close();
  }
}

interface Store {
  what: string;
  /** What the store's data takes. */
  bytes(): Promise<number>;
  close(): Promise<void>;
}

async function openRedis(url: string): Promise<Store> {
  const redis = new Redis(url, { maxRetriesPerRequest: null });
  const field = (info: string, name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1];
  return {
    what: `Redis ${field(await redis.info('server'), 'redis_version')}, memory`,
    bytes: async () => Number(field(await redis.info('memory'), 'used_memory')),
    close: async () => redis.disconnect(),
  };
}

async function openPostgres(url: string): Promise<Store> {
  const client = new pg.Client(url);
  await client.connect();
  const ask = async (query: string) =>
    String(Object.values((await client.query<Record<string, unknown>>(query)).rows[0]!)[0]);
  return {
    what: `PostgreSQL ${(await ask('show server_version')).split(' ')[0]}, disk`,
    bytes: async () => Number(await ask('select pg_database_size(current_database())')),
    close: () => client.end(),
  };
}
