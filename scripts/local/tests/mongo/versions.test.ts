import { type Collection, type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseName, openTarget, type Target } from './target.ts';

let target: Target;
let strict: MongoClient;
let db: Db;
let things: Collection;

beforeAll(async () => {
  target = await openTarget();
  strict = await new MongoClient(target.url, { serverApi: { version: '1', strict: true } }).connect();
  db = strict.db(databaseName('versions'));
  things = db.collection('things');
  await things.insertOne({ _id: 1 as never, x: 11 });
});
afterAll(async () => {
  await target.client.db(databaseName('versions')).dropDatabase();
  await strict.close();
  await target.close();
});

describe('a client that declares the Stable API', () => {
  it('reads and writes', async () => {
    await things.updateOne({ _id: 1 as never }, { $inc: { x: 1 } });
    expect(await things.aggregate([{ $match: { x: 12 } }]).toArray()).toHaveLength(1);
    expect(await things.estimatedDocumentCount()).toBe(1);
    expect(await things.indexes()).toHaveLength(1);
  });

  it('cannot use commands, options and stages outside of it', async () => {
    const fault = { code: 323, codeName: 'APIStrictError' };
    await expect(things.distinct('x')).rejects.toMatchObject(fault);
    await expect(things.distinct('x')).rejects.toThrow(/command distinct is not in API Version 1/);
    await expect(things.find({}, { returnKey: true }).toArray()).rejects.toMatchObject(fault);
    await expect(things.aggregate([{ $indexStats: {} }]).toArray()).rejects.toMatchObject(fault);
    await expect(things.aggregate([{ $collStats: { storageStats: {} } }]).toArray()).rejects.toMatchObject(
      fault,
    );
    expect(await things.aggregate([{ $collStats: { count: {} } }]).toArray()).toMatchObject([{ count: 1 }]);
    const sessions = strict.db('admin').aggregate([{ $listLocalSessions: {} }]);
    await expect(sessions.toArray()).rejects.toMatchObject(fault);
  });
});

it('rejects unknown versions, and apiStrict without a version', async () => {
  const admin = target.client.db('admin');
  await expect(admin.command({ ping: 1, apiVersion: '2' })).rejects.toMatchObject({ code: 322 });
  await expect(admin.command({ ping: 1, apiStrict: true })).rejects.toMatchObject({ code: 72 });
  expect(await admin.command({ ping: 1, apiVersion: '1' })).toMatchObject({ ok: 1 });
});
