import { MongoClient } from 'mongodb';
import { describe, expect } from 'vitest';
import { testWithTarget } from './target.ts';

const it = testWithTarget
  .extend('strict', { scope: 'file' }, async ({ target }, { onCleanup }) => {
    const strict = new MongoClient(target.url, { serverApi: { version: '1', strict: true } });
    onCleanup(() => strict.close());
    return strict.connect();
  })
  .extend('things', { scope: 'file' }, async ({ db, strict }) => {
    const things = strict.db(db.databaseName).collection('things');
    await things.insertOne({ _id: 1 as never, x: 11 });
    return things;
  });

describe('a client that declares the Stable API', () => {
  it('reads and writes', async ({ things }) => {
    await things.updateOne({ _id: 1 as never }, { $inc: { x: 1 } });
    expect(await things.aggregate([{ $match: { x: 12 } }]).toArray()).toHaveLength(1);
    expect(await things.estimatedDocumentCount()).toBe(1);
    expect(await things.indexes()).toHaveLength(1);
  });

  it('cannot use commands, options and stages outside of it', async ({ things, strict }) => {
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

it('rejects unknown versions, and apiStrict without a version', async ({ target }) => {
  const admin = target.client.db('admin');
  await expect(admin.command({ ping: 1, apiVersion: '2' })).rejects.toMatchObject({ code: 322 });
  await expect(admin.command({ ping: 1, apiStrict: true })).rejects.toMatchObject({ code: 72 });
  expect(await admin.command({ ping: 1, apiVersion: '1' })).toMatchObject({ ok: 1 });
});
