import type { MongoClientBulkWriteError } from 'mongodb';
import { describe, expect } from 'vitest';
import { allOf, testWithThings } from './target.ts';

const it = testWithThings([1, 2, 3].map((n) => ({ _id: n, x: n * 11 })));

describe('bulkWrite of a collection', () => {
  it('runs all kinds of writes and counts them', async ({ things }) => {
    const result = await things.bulkWrite([
      { insertOne: { document: { _id: 4 as never, x: 44 } } },
      { updateOne: { filter: { _id: 1 as never }, update: { $inc: { x: 1 } } } },
      { updateMany: { filter: { x: { $gte: 33 } }, update: { $inc: { x: 1 } } } },
      { replaceOne: { filter: { _id: 9 as never }, replacement: { x: 99 }, upsert: true } },
      { deleteOne: { filter: { _id: 2 as never } } },
      { deleteMany: { filter: { x: 34 } } },
    ]);
    expect(result).toMatchObject({
      insertedCount: 1,
      matchedCount: 3,
      modifiedCount: 3,
      upsertedCount: 1,
      deletedCount: 2,
      upsertedIds: { 3: 9 },
    });
    expect(await allOf(things)).toEqual([
      { _id: 1, x: 12 },
      { _id: 4, x: 45 },
      { _id: 9, x: 99 },
    ]);
  });
});

describe('bulkWrite of a client', () => {
  it('writes to several collections and reports each write', async ({ target, db, things }) => {
    const { namespace } = things;
    const other = `${db.databaseName}.others`;
    const result = await target.client.bulkWrite(
      [
        { namespace, name: 'insertOne', document: { _id: 8, x: 88 } as never },
        { namespace: other, name: 'insertOne', document: { _id: 1 as never } },
        {
          namespace,
          name: 'updateOne',
          filter: { _id: 1 as never },
          update: { $inc: { x: 1 } },
        },
        {
          namespace,
          name: 'updateMany',
          filter: { _id: { $gt: 1 } as never },
          update: [{ $set: { x: '$$v' } }],
        },
        {
          namespace,
          name: 'replaceOne',
          filter: { _id: 4 as never },
          replacement: { x: 44 },
          upsert: true,
        },
        { namespace, name: 'deleteOne', filter: { _id: 3 as never } },
        { namespace: other, name: 'deleteMany', filter: {} },
      ],
      { verboseResults: true, let: { v: 7 } },
    );
    expect(result).toMatchObject({
      insertedCount: 2,
      matchedCount: 4,
      modifiedCount: 4,
      upsertedCount: 1,
      deletedCount: 2,
    });
    expect(result.insertResults?.get(0)).toEqual({ insertedId: 8 });
    expect(result.updateResults?.get(3)).toMatchObject({ matchedCount: 3, modifiedCount: 3 });
    expect(result.updateResults?.get(4)).toMatchObject({ upsertedId: 4 });
    expect(result.deleteResults?.get(6)).toEqual({ deletedCount: 1 });
    expect(await allOf(things)).toEqual([
      { _id: 1, x: 12 },
      { _id: 2, x: 7 },
      { _id: 4, x: 44 },
      { _id: 8, x: 7 },
    ]);
  });

  it('reports which write failed', async ({ target, things }) => {
    const { namespace } = things;
    const models = [
      { namespace, name: 'deleteOne' as const, filter: { _id: 1 as never } },
      {
        namespace,
        name: 'deleteOne' as const,
        filter: { $expr: { $eq: ['$_id', '$$nothing'] } },
      },
      { namespace, name: 'deleteOne' as const, filter: { _id: 3 as never } },
    ];
    const ordered = (await target.client
      .bulkWrite(models, { verboseResults: true })
      .catch((error) => error)) as MongoClientBulkWriteError;
    expect(ordered.writeErrors.get(1)?.code).toBe(17276);
    expect(ordered.partialResult?.deletedCount).toBe(1);
    const unordered = (await target.client
      .bulkWrite(models, { ordered: false })
      .catch((error) => error)) as MongoClientBulkWriteError;
    expect(unordered.partialResult?.deletedCount).toBe(1);
    expect(await allOf(things)).toEqual([{ _id: 2, x: 22 }]);
  });

  it('supports sort for updateOne', async ({ target, things }) => {
    const { namespace } = things;
    const filter = { x: { $gt: 11 } };
    await target.client.bulkWrite([
      {
        namespace,
        name: 'updateOne',
        filter,
        update: { $set: { x: 0 } },
        sort: { x: -1 },
      } as never,
    ]);
    expect(await allOf(things)).toEqual([
      { _id: 1, x: 11 },
      { _id: 2, x: 22 },
      { _id: 3, x: 0 },
    ]);
  });
});
