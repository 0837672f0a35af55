import { type Document, MongoClient } from 'mongodb';
import { describe, expect } from 'vitest';
import { manyDocuments, testWithSharedThings } from './target.ts';

const it = testWithSharedThings(manyDocuments);

describe('managing collections', () => {
  it('creates, lists, renames and drops', async ({ target, db }) => {
    const made = target.client.db(`${db.databaseName}_admin`);
    await made.createCollection('a');
    await expect(made.createCollection('a', { capped: true, size: 1000 })).rejects.toMatchObject({
      code: 48,
    });
    await made.collection('b').insertOne({ x: 1 });
    await expect(made.renameCollection('a', 'b')).rejects.toMatchObject({ code: 48 });
    await made.renameCollection('b', 'c');
    expect((await made.listCollections().toArray()).map(({ name }) => name).sort()).toEqual(['a', 'c']);
    expect(await made.listCollections({ name: 'c' }).toArray()).toMatchObject([
      { name: 'c', type: 'collection', idIndex: { name: '_id_' } },
    ]);
    expect((await made.admin().listDatabases()).databases.map(({ name }) => name)).toContain(
      made.databaseName,
    );
    expect(await made.stats()).toMatchObject({ collections: 2, objects: 1 });
    expect(await made.command({ collStats: 'c' })).toMatchObject({ count: 1, nindexes: 1 });
    await expect(made.collection('missing').rename('other')).rejects.toMatchObject({ code: 26 });
    await expect(made.createCollection('bad$name')).rejects.toMatchObject({ code: 73 });
    await made.dropDatabase();
    expect(await made.listCollections().toArray()).toEqual([]);
  });

  it('returns counts and sizes with $collStats', async ({ db, things }) => {
    const stats = (options: Document, name = 'things') =>
      db
        .collection(name)
        .aggregate([{ $collStats: options }])
        .toArray();
    const [counted] = await stats({ count: {} });
    expect(counted).toMatchObject({ ns: things.namespace, count: await things.countDocuments() });
    expect(counted).not.toHaveProperty('storageStats');
    const [measured] = await stats({ storageStats: {} });
    expect(measured!.storageStats).toMatchObject({ count: counted!.count, capped: false, nindexes: 1 });
    expect(measured!.storageStats.size).toBeGreaterThan(0);
    await expect(stats({ count: {} }, 'missing')).rejects.toMatchObject({ code: 26 });
  });

  it('rejects collections with unsupported options', async ({ target, db, skip }) => {
    if (!target.own) skip('MongoDB has these kinds of collections');
    for (const options of [
      { capped: true, size: 4096 },
      { timeseries: { timeField: 'at' } },
      { clusteredIndex: { key: { _id: 1 }, unique: true } },
    ]) {
      await expect(db.createCollection('special', options)).rejects.toMatchObject({ code: 72 });
    }
    expect(await db.listCollections({ name: 'special' }).toArray()).toEqual([]);
  });

  it('replies to hello and reports server information', async ({ target }) => {
    const admin = target.client.db('admin');
    expect(await admin.command({ hello: 1 })).toMatchObject({
      isWritablePrimary: true,
      maxBsonObjectSize: 16777216,
      ok: 1,
    });
    expect(await admin.command({ ping: 1 })).toMatchObject({ ok: 1 });
    expect((await admin.command({ buildInfo: 1 })).versionArray[0]).toBeGreaterThanOrEqual(8);
    expect(await admin.command({ connectionStatus: 1 })).toHaveProperty('authInfo');
    expect((await admin.command({ serverStatus: 1 })).connections.current).toBeGreaterThan(0);
  });
});

describe('fail points', () => {
  it('make a command fail as configured', async ({ target, db, things, skip }) => {
    if (!target.own) skip('a production MongoDB has no fail points');
    const admin = target.client.db('admin');
    const plan = (data: Document) =>
      admin.command({ configureFailPoint: 'failCommand', mode: { times: 1 }, data });
    await plan({ failCommands: ['count'], errorCode: 8 });
    await expect(things.estimatedDocumentCount()).rejects.toMatchObject({ code: 8 });
    await plan({ failCommands: ['insert'], writeConcernError: { code: 91, errmsg: 'shutting down' } });
    await expect(things.insertOne({ _id: 'concern' as never })).rejects.toMatchObject({ code: 91 });
    expect(await things.countDocuments({ _id: 'concern' as never })).toBe(1);
    await plan({ failCommands: ['distinct'], closeConnection: true });
    const impatient = await new MongoClient(target.url, { retryReads: false }).connect();
    await expect(impatient.db(db.databaseName).collection('things').distinct('n')).rejects.toThrow(
      /connection/,
    );
    await impatient.close();
  });
});
