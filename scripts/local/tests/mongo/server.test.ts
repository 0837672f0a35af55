import { expect } from 'vitest';
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
