import { MongoClient } from 'mongodb';
import { expect } from 'vitest';
import { startMongoServer } from '../../mongo/server.ts';
import { testWithTarget as it } from './target.ts';

it('creates, lists and drops collections', async ({ target, db }) => {
  const made = target.client.db(`${db.databaseName}_made`);
  await made.createCollection('a');
  await made.collection('b').insertOne({ x: 1 });
  expect((await made.listCollections().toArray()).map(({ name }) => name).sort()).toEqual(['a', 'b']);
  expect(await made.listCollections({ name: 'b' }).toArray()).toMatchObject([
    { name: 'b', type: 'collection', idIndex: { name: '_id_' } },
  ]);
  await expect(made.createCollection('bad$name')).rejects.toMatchObject({ code: 73 });
  await made.collection('a').drop();
  expect((await made.collections()).map(({ collectionName }) => collectionName)).toEqual(['b']);
  await made.dropDatabase();
  expect(await made.listCollections().toArray()).toEqual([]);
});

it('replies to hello', async ({ target }) => {
  const admin = target.client.db('admin');
  const expected = { isWritablePrimary: true, maxBsonObjectSize: 16777216, ok: 1 };
  expect(await admin.command({ hello: 1 })).toMatchObject(expected);
});

it('says which version it is', async ({ target }) => {
  const info = await target.client.db('admin').command({ buildInfo: 1 });
  expect(info).toMatchObject({ version: expect.stringMatching(/^\d+\.\d+\.\d+/), ok: 1 });
  expect(info.versionArray.slice(0, 3).join('.')).toBe(info.version.split('-')[0]);
});

it('can be a MongoDB before 6.0, whose partial indexes take neither $in nor $or', async ({
  onTestFinished,
}) => {
  const server = await startMongoServer({ port: 0, version: '5.0.31' });
  const client = await new MongoClient(server.url).connect();
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  const db = client.db('old');
  expect(await db.command({ hello: 1 })).toMatchObject({ maxWireVersion: 13 });
  expect(await db.command({ buildInfo: 1 })).toMatchObject({
    version: '5.0.31',
    versionArray: [5, 0, 31, 0],
  });
  const things = db.collection('things');
  for (const partialFilterExpression of [{ a: { $in: [1, 2] } }, { $or: [{ a: 1 }, { a: 2 }] }]) {
    await expect(things.createIndex({ a: 1 }, { partialFilterExpression })).rejects.toMatchObject({
      code: 67,
    });
  }
  await things.createIndex({ a: 1 }, { partialFilterExpression: { a: { $gt: '' } } });
});
