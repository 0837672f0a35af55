/** Signing in, with the official driver. */
import { MongoClient } from 'mongodb';
import { expect, test } from 'vitest';
import { startMongoServer } from '../../mongo/server.ts';

const password = 'p4ss/word@1';

/** A server on which clients have to sign in, and a client of it. */
async function setUp(credentials: string, options = 'authSource=admin') {
  const server = await startMongoServer({ port: 0, user: { name: 'packshot', password } });
  const address = server.url.replace('mongodb://', `mongodb://${credentials}`);
  const client = new MongoClient(`${address}/shop?${options}`);
  return {
    count: () => client.db().collection('things').countDocuments(),
    ping: () => client.db().command({ ping: 1 }),
    close: async () => {
      await client.close();
      await server.close();
    },
  };
}

test('the right password opens every connection of a driver', async () => {
  const { count, close } = await setUp(`packshot:${encodeURIComponent(password)}@`);
  expect(await Promise.all(Array.from({ length: 20 }, count))).toEqual(Array(20).fill(0));
  await close();
});

test.for([
  ['a wrong password', 'packshot:wrong@', 'authSource=admin'],
  ['an unknown user', 'somebody:p4ss@', 'authSource=admin'],
  ['another database than admin', `packshot:${encodeURIComponent(password)}@`, ''],
  [
    'another mechanism',
    `packshot:${encodeURIComponent(password)}@`,
    'authSource=admin&authMechanism=SCRAM-SHA-1',
  ],
])('%s is refused, as by MongoDB', async ([, credentials, options]) => {
  const { count, close } = await setUp(credentials!, options);
  await expect(count()).rejects.toMatchObject({ code: 18, codeName: 'AuthenticationFailed' });
  await close();
});

test('without a password a client may ping and do nothing else', async () => {
  const { count, ping, close } = await setUp('');
  expect(await ping()).toMatchObject({ ok: 1 });
  await expect(count()).rejects.toMatchObject({
    code: 13,
    codeName: 'Unauthorized',
    message: 'Command aggregate requires authentication',
  });
  await close();
});

test('a server without a user refuses everybody who names one', async () => {
  const server = await startMongoServer({ port: 0 });
  const client = new MongoClient(server.url.replace('mongodb://', 'mongodb://packshot:x@'));
  await expect(client.db().collection('things').countDocuments()).rejects.toMatchObject({ code: 18 });
  await client.close();
  await server.close();
});
