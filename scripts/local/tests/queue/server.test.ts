/** The local PostgreSQL: durability, recovery, and that it never outlives its parent. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type QueueServer, startQueueServer } from '../../queue/server.ts';

/** One folder for all tests, because creating a cluster takes the most time. */
let dataFolder: string;
const running: QueueServer[] = [];

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'packshot-test-queue-'));
  await chmod(dataFolder, 0o711);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});
afterAll(() => rm(dataFolder, { recursive: true, force: true }));

async function start(): Promise<QueueServer> {
  const server = await startQueueServer({ dataFolder });
  running.push(server);
  return server;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test('recreates the cluster after an interrupted first start', async () => {
  await mkdir(join(dataFolder, 'cluster.new', 'base'), { recursive: true });
  await writeFile(join(dataFolder, 'cluster.new', 'PG_VERSION'), '18\n');
  await writeFile(join(dataFolder, 'password'), 'of the broken one\n');
  const { url } = await start();
  expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('keeps its data across restarts, even on another port', async () => {
  const first = await start();
  await query(first.url, 'CREATE TABLE kept AS SELECT 7 AS number');
  await first.close();
  const second = await start();
  expect(await query(second.url, 'SELECT number FROM kept')).toEqual([{ number: 7 }]);
});

test('requires the password and opens no Unix socket', async () => {
  const { url } = await start();
  const wrong = new URL(url);
  wrong.password = 'wrong';
  await expect(query(wrong.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  expect(await query(url, 'SHOW unix_socket_directories')).toEqual([{ unix_socket_directories: '' }]);
  expect(await query(url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
});

test('starts despite a stale lock file whose process id another program uses', async () => {
  await (await start()).close();
  await writeFile(join(dataFolder, 'cluster', 'postmaster.pid'), `${process.pid}\n`);
  const { url } = await start();
  expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('moves a cluster of another PostgreSQL version aside', async () => {
  await (await start()).close();
  await writeFile(join(dataFolder, 'cluster', 'PG_VERSION'), '12\n');
  const { url } = await start();
  expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await rename(join(dataFolder, 'cluster-of-postgres-12'), join(dataFolder, 'found'));
});

test('rejects a port in use and a folder in use', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  await expect(startQueueServer({ dataFolder, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  other.close();
  await start();
  await expect(startQueueServer({ dataFolder })).rejects.toThrow(/in use by PostgreSQL, process \d+/);
});

test('ends with its parent process, even when that is killed, and keeps acknowledged writes', async () => {
  const { child, url } = await startAlone();
  await query(url, "SET synchronous_commit = on; CREATE TABLE acknowledged AS SELECT 'yes' AS answer");
  child.kill('SIGKILL');
  const outcome = () =>
    query(url, 'SELECT 1').then(
      () => 'it answers',
      ({ code }) => code,
    );
  await expect.poll(outcome).toBe('ECONNREFUSED');
  const again = await startAlone();
  expect(await query(again.url, 'SELECT answer FROM acknowledged')).toEqual([{ answer: 'yes' }]);
  again.child.kill('SIGTERM');
  expect(await once(again.child, 'exit')).toEqual([0, null]);
  await expect(query(again.url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

/** The server as `npm run local -- queue` starts it. */
async function startAlone(): Promise<{ child: ChildProcess; url: string }> {
  const program = join(import.meta.dirname, '../../main.ts');
  const child = spawn(process.execPath, [program, 'queue', '--data', dataFolder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout!, 'data');
  return { child, url: String(line).trim() };
}
