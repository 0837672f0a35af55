import type { Collection, Document } from 'mongodb';
import { describe, expect } from 'vitest';
import { testWithThings } from './target.ts';

const it = testWithThings();

describe('unique indexes', () => {
  it('reject a duplicate, and name the key', async ({ things }) => {
    await things.createIndex({ email: 1 }, { unique: true });
    await things.insertOne({ _id: 1 as never, email: 'a@b' });
    const error = await things.insertOne({ _id: 2 as never, email: 'a@b' }).catch((cause) => cause);
    expect(error).toMatchObject({ code: 11000, keyPattern: { email: 1 }, keyValue: { email: 'a@b' } });
    expect(error.message).toBe(
      `E11000 duplicate key error collection: ${things.namespace} index: email_1 dup key: { email: "a@b" }`,
    );
    await things.insertOne({ _id: 2 as never, email: 'c@d' });
    await expect(things.updateOne({ _id: 2 as never }, { $set: { email: 'a@b' } })).rejects.toMatchObject({
      code: 11000,
    });
    await expect(
      things.findOneAndUpdate({ _id: 9 as never }, { $set: { email: 'a@b' } }, { upsert: true }),
    ).rejects.toMatchObject({
      code: 11000,
      keyValue: { email: 'a@b' },
    });
    await expect(things.insertOne({ _id: 1 as never, email: 'x' })).rejects.toMatchObject({
      code: 11000,
      keyPattern: { _id: 1 },
      keyValue: { _id: 1 },
    });
    expect(await things.countDocuments()).toBe(2);
  });

  it('treat a missing field as null unless they are sparse or partial', async ({ things }) => {
    await things.createIndex({ a: 1 }, { unique: true });
    await things.insertOne({ b: 1 });
    await expect(things.insertOne({ b: 2 })).rejects.toMatchObject({ code: 11000 });
    await things.dropIndexes();
    await things.createIndex({ a: 1 }, { unique: true, sparse: true });
    await things.insertMany([{ b: 2 }, { b: 3 }]);
    await things.dropIndexes();
    await things.createIndex({ a: 1 }, { unique: true, partialFilterExpression: { open: true } });
    await things.insertMany([
      { a: 1, open: false },
      { a: 1, open: false },
      { a: 1, open: true },
    ]);
    await expect(things.insertOne({ a: 1, open: true })).rejects.toMatchObject({ code: 11000 });
    await expect(things.updateOne({ open: false }, { $set: { open: true } })).rejects.toMatchObject({
      code: 11000,
    });
  });

  it('hold a document if it has any of their fields, when they are sparse and have several', async ({
    things,
  }) => {
    await things.createIndex({ a: 1, b: 1 }, { unique: true, sparse: true });
    await things.insertMany([{ c: 1 }, { c: 2 }, { b: 1 }]);
    await expect(things.insertOne({ b: 1 })).rejects.toMatchObject({
      code: 11000,
      keyValue: { a: null, b: 1 },
    });
  });

  it('apply to compound keys and array elements, but not within one document', async ({ things }) => {
    await things.createIndex({ a: 1, b: 1 }, { unique: true });
    await things.createIndex({ tags: 1 }, { unique: true, sparse: true });
    await things.insertMany([
      { a: 1, b: 1, tags: ['x', 'x'] },
      { a: 1, b: 2 },
    ]);
    await expect(things.insertOne({ a: 1, b: 2 })).rejects.toMatchObject({ code: 11000 });
    await expect(things.insertOne({ a: 3, tags: ['y', 'x'] })).rejects.toMatchObject({ code: 11000 });
  });

  it('cannot be created on documents that violate them', async ({ things }) => {
    await things.insertMany([{ a: 1 }, { a: 1 }]);
    await expect(things.createIndex({ a: 1 }, { unique: true })).rejects.toMatchObject({ code: 11000 });
    expect(await things.indexes()).toHaveLength(1);
    await things.insertOne({ a: 1 });
  });
});

describe('managing indexes', () => {
  it('lists them as they were specified', async ({ things }) => {
    await things.createIndex(
      { a: 1, b: -1 },
      { unique: true, partialFilterExpression: { a: { $exists: true } } },
    );
    await things.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
    expect(await things.indexes()).toEqual([
      { v: 2, key: { _id: 1 }, name: '_id_' },
      {
        v: 2,
        key: { a: 1, b: -1 },
        name: 'a_1_b_-1',
        unique: true,
        partialFilterExpression: { a: { $exists: true } },
      },
      { v: 2, key: { at: 1 }, name: 'at_1', expireAfterSeconds: 60 },
    ]);
    await things.dropIndex('at_1');
    expect(await things.indexExists('at_1')).toBe(false);
    await expect(things.dropIndex('at_1')).rejects.toMatchObject({ code: 27 });
    await expect(things.dropIndex('_id_')).rejects.toMatchObject({ code: 72 });
  });

  it('accepts the same index again, and rejects conflicting ones', async ({ things }) => {
    await things.createIndex({ a: 1 });
    expect(await things.createIndex({ a: 1 })).toBe('a_1');
    await expect(things.createIndex({ a: 1 }, { name: 'other' })).rejects.toMatchObject({ code: 85 });
    await expect(things.createIndex({ a: 1 }, { expireAfterSeconds: 5 })).rejects.toMatchObject({ code: 85 });
    await expect(things.createIndex({ b: 1 }, { name: 'a_1' })).rejects.toMatchObject({ code: 86 });
    await expect(things.createIndex({ a: 1 }, { unique: true })).rejects.toMatchObject({ code: 86 });
  });

  it.for<[key: Document, options: Document, code: number]>([
    [{ a: 0 }, {}, 67],
    [{}, {}, 67],
    [{ a: 1, b: 1 }, { expireAfterSeconds: 5 }, 67],
    [{ a: 1 }, { expireAfterSeconds: -1 }, 67],
    [{ a: 1 }, { partialFilterExpression: { a: { $ne: 1 } } }, 67],
    [{ a: 1 }, { partialFilterExpression: { a: 1 }, sparse: true }, 67],
  ])('rejects the key %o with %o', async ([key, options, code], { db }) => {
    await expect(
      db.command({ createIndexes: 'things', indexes: [{ key, name: 'bad', ...options }] }),
    ).rejects.toMatchObject({ code });
  });

  it('rejects a document with two arrays in one index', async ({ things }) => {
    await things.createIndex({ a: 1, b: 1 });
    await things.insertOne({ a: [1, 2], b: 3 });
    await expect(things.insertOne({ a: [1], b: [2] })).rejects.toMatchObject({ code: 171 });
  });

  it('reports an error for a missing collection', async ({ db }) => {
    await expect(db.collection('missing').indexes()).rejects.toMatchObject({ code: 26 });
    await expect(db.collection('missing').dropIndexes()).resolves.toBeDefined();
  });
});

describe('TTL', () => {
  /** Resolves when a collection contains this many documents. */
  const untilCount = (things: Collection, count: number) =>
    expect.poll(() => things.countDocuments()).toBe(count);

  it('removes expired documents only', async ({ target, things, skip }) => {
    if (!target.own) skip('MongoDB looks once a minute; the local server is told to look ten times a second');
    await things.createIndex({ at: 1 }, { expireAfterSeconds: 3600 });
    const old = new Date(Date.now() - 7200_000);
    await things.insertMany([
      { at: old },
      { at: [new Date(), old] },
      { at: new Date() },
      { at: 'never' },
      {},
    ]);
    await untilCount(things, 3);
    await things.createIndex({ end: 1 }, { expireAfterSeconds: 0, partialFilterExpression: { done: true } });
    await things.insertMany([
      { end: old, done: true },
      { end: old, done: false },
    ]);
    await untilCount(things, 4);
  });
});

describe('indexes of arrays', () => {
  it('find what different elements pass by two $elemMatch', async ({ things }) => {
    await things.createIndex({ words: 1 });
    await things.insertMany([{ words: ['blue', 'mug'] }, { words: ['blue', 'lamp'] }, { words: ['mug'] }]);
    const begins = (word: string) => ({ words: { $elemMatch: { $gte: word, $lt: `${word}~` } } });
    const both = { $and: [begins('blue'), begins('mu')] };
    expect(await things.countDocuments(both, { hint: 'words_1' })).toBe(1);
    expect(await things.countDocuments({ $and: both.$and.toReversed() }, { hint: 'words_1' })).toBe(1);
  });
});
