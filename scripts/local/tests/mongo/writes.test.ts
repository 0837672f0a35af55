import type { Document, MongoBulkWriteError } from 'mongodb';
import { describe, expect } from 'vitest';
import { allOf, testWithThings } from './target.ts';

const it = testWithThings([1, 2, 3].map((n) => ({ _id: n, x: n * 11 })));

describe('inserts', () => {
  it('keep a null _id, which the Node driver would replace', async ({ db, things }) => {
    await db.command({ insert: 'things', documents: [{ _id: null }] });
    expect(await things.countDocuments({ _id: { $type: 'null' } })).toBe(1);
  });

  it('run in bulk, of all kinds, and count', async ({ things }) => {
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

  it('stop at the first error when ordered, continue when unordered', async ({ things }) => {
    const documents = [{ _id: 4 as never }, { _id: 1 as never }, { _id: 5 as never }];
    const ordered = (await things.insertMany(documents).catch((error) => error)) as MongoBulkWriteError;
    expect(ordered).toMatchObject({ code: 11000, insertedCount: 1 });
    expect(await things.countDocuments()).toBe(4);
    const unordered = (await things
      .insertMany(documents, { ordered: false })
      .catch((error) => error)) as MongoBulkWriteError;
    expect(unordered.insertedCount).toBe(1);
    expect(unordered.writeErrors).toMatchObject([
      { index: 0, code: 11000 },
      { index: 1, code: 11000 },
    ]);
    expect(await things.countDocuments()).toBe(5);
  });

  it.for<[document: Document, code: number]>([
    [{ _id: [1] }, 53],
    [{ _id: /x/ }, 53],
    [{ _id: { $a: 1 } }, 52],
  ])('reject %o', async ([document, code], { things }) => {
    await expect(things.insertOne(document as never)).rejects.toMatchObject({ code });
  });

  it('accept names with dots and dollars, and put _id first', async ({ things }) => {
    await things.insertOne({ z: 1, 'a.b': 1, $c: 1, d: { $e: 1, 'f.g': 2 }, _id: 9 as never });
    const stored = (await things.findOne({ _id: 9 as never }))!;
    expect(stored).toEqual({ _id: 9, z: 1, 'a.b': 1, $c: 1, d: { $e: 1, 'f.g': 2 } });
    expect(Object.keys(stored)).toEqual(['_id', 'z', 'a.b', '$c', 'd']);
  });

  it('generate an _id when the client sends none', async ({ db, things }) => {
    await db.command({ insert: 'things', documents: [{ made: true }] });
    expect((await things.findOne({ made: true }))!._id).toHaveProperty('_bsontype', 'ObjectId');
  });

  it('are rejected without documents', async ({ db }) => {
    await expect(db.command({ insert: 'things', documents: [] })).rejects.toMatchObject({ code: 16 });
  });

  it('are executed without a reply for unacknowledged writes', async ({ things }) => {
    await things.insertOne({ _id: 8 as never }, { writeConcern: { w: 0 } });
    await things.updateOne({ _id: 8 as never }, { $set: { a: 1 } }, { writeConcern: { w: 0 }, hint: '_id_' });
    while ((await things.countDocuments({ a: 1 })) !== 1) await new Promise(setImmediate);
    await things.deleteOne({ _id: 8 as never }, { writeConcern: { w: 0 }, hint: { _id: 1 } });
    while ((await things.countDocuments({ a: 1 })) !== 0) await new Promise(setImmediate);
  });
});

describe('deletes', () => {
  it('remove one document or all', async ({ things }) => {
    expect((await things.deleteOne({ x: { $gt: 11 } })).deletedCount).toBe(1);
    expect(await allOf(things)).toEqual([
      { _id: 1, x: 11 },
      { _id: 3, x: 33 },
    ]);
    expect((await things.deleteMany({ $expr: { $eq: ['$_id', 3] } })).deletedCount).toBe(1);
    expect((await things.deleteMany({})).deletedCount).toBe(1);
  });
});

describe('sessions', () => {
  it('are accepted, but transactions are rejected as by a standalone server', async ({ target, things }) => {
    await target.client.withSession(async (session) => {
      await things.insertOne({ _id: 7 as never }, { session });
      const transaction = session.withTransaction(() => things.insertOne({ _id: 70 as never }, { session }));
      // The driver's message for error code 20 of a standalone server.
      await expect(transaction).rejects.toThrow(/does not support retryable writes/);
    });
    expect(await things.countDocuments({ _id: { $in: [7, 70] } as never })).toBe(1);
  });
});

describe('concurrency', () => {
  it('exactly five of 200 conditional updates succeed', async ({ things }) => {
    await things.insertOne({ _id: 'plan' as never, left: 5, holds: [] });
    const results = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        things.findOneAndUpdate(
          { _id: 'plan' as never, left: { $gt: 0 }, holds: { $ne: n } },
          { $inc: { left: -1 }, $push: { holds: n as never } },
        ),
      ),
    );
    expect(results.filter((result) => result !== null)).toHaveLength(5);
    expect(await things.findOne({ _id: 'plan' as never })).toMatchObject({ left: 0 });
  });

  it('exactly one of 50 inserts of a unique value succeeds', async ({ things }) => {
    await things.createIndex({ code: 1 }, { unique: true, sparse: true });
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, () => things.insertOne({ code: 'x' })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
