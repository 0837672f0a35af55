/** What server and worker say when they start and a store cannot be used: its setting, and why. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { startMongoServer } from '#local/mongo/server.ts';
import { connectDb } from '#shared/data/connect.ts';
import { checkQueue, queueWarning } from '#shared/platform/check-queue.ts';
import { openQueue } from '#shared/platform/queue.ts';
import { limitMs } from '#tests/support/machine.ts';
import { findRedis, startRedis } from '#tests/support/redis.ts';

const redisVersion = await findRedis();
const password = randomBytes(8).toString('hex');

/** Its message. @throws when there is no failure */
const failureOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => {
      throw new Error('nothing failed');
    },
    (error: Error) => {
      expect(error.name).toBe('StoreFailure');
      expect(error.message).not.toContain(password);
      return error.message;
    },
  );

/** A server that says one thing to everybody, and ends the connection if it is nothing. */
async function startListener(greeting?: string): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    if (greeting === undefined) socket.destroy();
    else socket.on('data', () => socket.write(greeting));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
}

const mongoUrl = async (credentials = '', options = '', user = true) => {
  const server = await startMongoServer({ port: 0, ...(user && { user: { name: 'packshot', password } }) });
  onTestFinished(() => server.close());
  return `${server.url.replace('mongodb://', `mongodb://${credentials}`)}/packshot?${options}`;
};

test('MongoDB', { timeout: limitMs(60_000) }, async () => {
  const attempts: [url: string, said: RegExp][] = [
    [
      `mongodb://packshot:${password}@127.0.0.1:9/packshot`,
      /^MONGODB_URL: nothing answers at 127\.0\.0\.1:9: /,
    ],
    ['mongodb://db.invalid/packshot', /^MONGODB_URL: the host db\.invalid is not known/],
    [await mongoUrl(`packshot:x${password}@`, 'authSource=admin'), /^MONGODB_URL: it refuses the user name/],
    [await mongoUrl(`packshot:${password}@`), /^MONGODB_URL: it refuses the user name/],
    [await mongoUrl(), /^MONGODB_URL: it asks for a user name and password/],
    [
      await mongoUrl('', 'replicaSet=rs0', false),
      /^MONGODB_URL: no server says that it is the primary of the replica set rs0/,
    ],
    [
      await mongoUrl('', 'tls=true', false),
      /^MONGODB_URL: (?:there is no encrypted connection|it closes the connection)/,
    ],
    [
      `mongodb://127.0.0.1:${await startListener()}/packshot`,
      /^MONGODB_URL: it closes the connection at once/,
    ],
  ];
  const said = await Promise.all(attempts.map(([url]) => failureOf(connectDb(url))));
  for (const [index, [, expected]] of attempts.entries()) expect(said[index]).toMatch(expected);
  const db = await connectDb(await mongoUrl(`packshot:${password}@`, 'authSource=admin'));
  await db.close();
});

test('PostgreSQL', async () => {
  const attempts: [url: string, said: RegExp][] = [
    [`postgres://me:${password}@127.0.0.1:9/queue`, /^QUEUE_URL: nothing answers at 127\.0\.0\.1:9: /],
    ['postgres://db.invalid/queue', /^QUEUE_URL: the host db\.invalid is not known/],
    [`postgres://127.0.0.1:${await startListener()}/queue`, /^QUEUE_URL: it closes the connection at once/],
    [
      `postgres://127.0.0.1:${await startListener('N')}/queue?sslmode=require`,
      /^QUEUE_URL: there is no encrypted connection/,
    ],
  ];
  for (const [url, expected] of attempts) expect(await failureOf(checkQueue(url))).toMatch(expected);
});

test('Redis that is not there', async () => {
  const away = `me:${password}@127.0.0.1:9`;
  expect(await failureOf(checkQueue(`redis://${away}`))).toMatch(
    /^QUEUE_URL: nothing answers at 127\.0\.0\.1:9: /,
  );
  for (const url of [`redis+sentinel://${away}/master`, `redis+cluster://${away}`]) {
    expect(await failureOf(checkQueue(url)), url).toMatch(/^QUEUE_URL: none of the hosts in its URL answers/);
  }
  expect(await failureOf(checkQueue('redis://redis.invalid'))).toMatch(
    /^QUEUE_URL: the host redis\.invalid is/,
  );
});

test.skipIf(!redisVersion)('Redis that refuses', async () => {
  const { url, close } = await startRedis(redisVersion!, { requirepass: password });
  onTestFinished(close);
  const { host } = new URL(url);
  await checkQueue(`redis://:${password}@${host}`);
  expect(await failureOf(checkQueue(`redis://:x${password}@${host}`))).toMatch(
    /^QUEUE_URL: it refuses the user name/,
  );
  expect(await failureOf(checkQueue(url))).toMatch(/^QUEUE_URL: it asks for a user name and password/);
  expect(await failureOf(checkQueue(`redis://:${password}@${host}/99`))).toMatch(
    /^QUEUE_URL: there is no such database/,
  );
  expect(await failureOf(checkQueue(`rediss://:${password}@${host}`))).toMatch(
    /^QUEUE_URL: (?:there is no encrypted connection|there is no answer .* TLS)/,
  );
});

test.skipIf(!redisVersion).for([
  ['noeviction', null],
  ['allkeys-lru', 'Redis has maxmemory-policy allkeys-lru and removes jobs'],
  ['volatile-ttl', 'Redis has maxmemory-policy volatile-ttl and removes jobs'],
] as const)('of a Redis with the policy %s operators read %s', async ([policy, said]) => {
  const { url, close } = await startRedis(redisVersion!, { 'maxmemory-policy': policy });
  const queue = openQueue({ queueUrl: url, queueName: 'policy' });
  await queue.waitUntilReady();
  const warning = await queueWarning(queue, url);
  if (said === null) expect(warning).toBeNull();
  else expect(warning).toContain(said);
  // Refused INFO is no warning.
  const administrator = new Redis(url);
  await administrator.call('ACL', 'SETUSER', 'default', '-info');
  administrator.disconnect();
  expect(await queueWarning(queue, url)).toBeNull();
  await queue.close();
  await close();
});
