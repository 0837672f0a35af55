import type { Collection, Db, Document } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databaseName, openTarget, type Target } from './target.ts';

let target: Target;
let db: Db;
let things: Collection;

beforeAll(async () => {
  target = await openTarget();
  db = target.client.db(databaseName('indexes'));
  things = db.collection('things');
});
beforeEach(async () => {
  await things.drop();
});
afterAll(async () => {
  await db.dropDatabase();
  await target.close();
});

/** The innermost stage of the plan for a filter, its index, and how many documents were examined. */
async function planOf(filter: Document, options: { sort?: Document; hint?: Document | string } = {}) {
  let cursor = things.find(filter);
  if (options.sort) cursor = cursor.sort(options.sort as never);
  if (options.hint) cursor = cursor.hint(options.hint as never);
  const { queryPlanner, executionStats } = await cursor.explain('executionStats');
  const stages: string[] = [];
  let stage = queryPlanner.winningPlan.queryPlan ?? queryPlanner.winningPlan;
  for (; stage; stage = stage.inputStage) {
    // MongoDB 8 has a separate stage for the fastest lookups of a single document.
    const express = stage.stage === 'EXPRESS_IXSCAN' && stage.keyPattern === '{ _id: 1 }';
    stages.push(express ? 'IDHACK' : stage.stage, stage.indexName);
  }
  return { stages, examined: executionStats.totalDocsExamined, returned: executionStats.nReturned };
}

describe('plans', () => {
  beforeEach(async () => {
    await things.insertMany(
      Array.from({ length: 500 }, (_, n) => ({
        _id: n as never,
        n,
        mod: n % 10,
        name: `name${n % 50}`,
        tags: [n % 7, `t${n}`],
        when: new Date(n),
      })),
    );
    await things.createIndexes([
      { key: { n: 1 } },
      { key: { mod: 1, name: -1 } },
      { key: { tags: 1 } },
      { key: { when: -1 }, partialFilterExpression: { n: { $gte: 100 } } },
      { key: { rare: 1 }, sparse: true },
    ]);
  });

  const PLANS: [string, Document, { sort?: Document }, string, number][] = [
    ['one document by _id', { _id: 7 }, {}, 'IDHACK', 1],
    ['a range of _id', { _id: { $gte: 10, $lt: 13 } }, {}, '_id_', 3],
    ['several _id', { _id: { $in: [1, 5, 9999] } }, {}, '_id_', 2],
    ['equality', { n: 40 }, {}, 'n_1', 1],
    ['a range', { n: { $gt: 10, $lte: 14 } }, {}, 'n_1', 4],
    ['a list', { n: { $in: [3, 5, 3] } }, {}, 'n_1', 2],
    ['two fields of a compound index', { mod: 3, name: 'name3' }, {}, 'mod_1_name_-1', 10],
    [
      'a range on the second field, which is descending',
      { mod: 3, name: { $gt: 'name3' } },
      {},
      'mod_1_name_-1',
      20,
    ],
    ['the first field of a compound index', { mod: 4 }, {}, 'mod_1_name_-1', 50],
    ['an element of an array', { tags: 't33' }, {}, 'tags_1', 1],
    ['a partial index', { when: new Date(200), n: { $gte: 150 } }, {}, 'when_-1', 1],
    ['a sparse index', { rare: { $gt: 5 } }, {}, 'rare_1', 0],
    ['either of two', { $or: [{ n: 5 }, { _id: 6 }] }, {}, 'OR', 2],
  ];
  it.each(PLANS)('%s', async (_name, filter, options, index, examined) => {
    const plan = await planOf(filter, options);
    expect(plan.stages).toContain(index);
    expect(plan.stages).not.toContain('COLLSCAN');
    expect(plan.examined).toBe(examined);
  });

  it('reads everything where no index helps, and where the client asks for it', async () => {
    expect((await planOf({ nothing: 1 })).stages).toContain('COLLSCAN');
    expect(await planOf({ n: 40 }, { hint: { $natural: 1 } })).toMatchObject({ examined: 500, returned: 1 });
    // The partial index does not contain values below 100.
    expect((await planOf({ when: new Date(50) })).stages).not.toContain('when_-1');
  });

  it('takes the order from an index', async () => {
    expect((await planOf({ n: { $gte: 490 } }, { sort: { n: -1 } })).stages).not.toContain('SORT');
    expect((await planOf({ mod: 3 }, { sort: { name: 1 } })).stages).not.toContain('SORT');
    expect((await planOf({ mod: 3 }, { sort: { name: 1, n: 1 } })).stages).toContain('SORT');
    const found = await things.find({ mod: 3 }, { sort: { name: 1 }, limit: 2 }).toArray();
    expect(found.map(({ name }) => name)).toEqual(['name13', 'name13']);
  });

  it('obeys a hint and refuses one that is not there', async () => {
    expect((await planOf({ n: 40, mod: 0 }, { hint: 'mod_1_name_-1' })).stages).toContain('mod_1_name_-1');
    expect((await planOf({ n: 40 }, { hint: { n: 1 } })).examined).toBe(1);
    await expect(things.find({}, { hint: 'nothing' }).toArray()).rejects.toMatchObject({ code: 2 });
    await expect(things.updateOne({}, { $set: { a: 1 } }, { hint: 'nothing' })).rejects.toMatchObject({
      code: 2,
    });
  });

  it('stays within the keys that min and max give', async () => {
    const within = things
      .find({}, { hint: { n: 1 } })
      .min({ n: 5 })
      .max({ n: 8 });
    expect((await within.toArray()).map(({ n }) => n)).toEqual([5, 6, 7]);
    await expect(things.find({}).min({ n: 5 }).toArray()).rejects.toMatchObject({ code: 51173 });
    const other = things.find({}, { hint: { n: 1 } }).min({ mod: 5 });
    await expect(other.toArray()).rejects.toMatchObject({ code: 51174 });
  });

  it('follows changes of the documents', async () => {
    await things.updateOne({ n: 40 }, { $set: { n: 1000 } });
    await things.deleteOne({ n: 41 });
    expect(await things.countDocuments({ n: { $in: [40, 41] } })).toBe(0);
    expect((await things.findOne({ n: 1000 }))!._id).toBe(40);
    await things.updateMany({ n: { $gte: 490, $lt: 1000 } }, { $inc: { n: 1000 } });
    expect(await things.countDocuments({ n: { $gte: 1490 } })).toBe(10);
  });
});

describe('unique indexes', () => {
  it('refuse a second document, and say where', async () => {
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

  it('see a missing field as null, unless they are sparse or partial', async () => {
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

  it('hold for compound keys and for elements of arrays, but not within one document', async () => {
    await things.createIndex({ a: 1, b: 1 }, { unique: true });
    await things.createIndex({ tags: 1 }, { unique: true, sparse: true });
    await things.insertMany([
      { a: 1, b: 1, tags: ['x', 'x'] },
      { a: 1, b: 2 },
    ]);
    await expect(things.insertOne({ a: 1, b: 2 })).rejects.toMatchObject({ code: 11000 });
    await expect(things.insertOne({ a: 3, tags: ['y', 'x'] })).rejects.toMatchObject({ code: 11000 });
  });

  it('cannot be made over documents that do not fit', async () => {
    await things.insertMany([{ a: 1 }, { a: 1 }]);
    await expect(things.createIndex({ a: 1 }, { unique: true })).rejects.toMatchObject({ code: 11000 });
    expect(await things.indexes()).toHaveLength(1);
    await things.insertOne({ a: 1 });
  });
});

describe('managing indexes', () => {
  it('lists them as they were asked for', async () => {
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

  it('takes the same index again, and refuses conflicting ones', async () => {
    await things.createIndex({ a: 1 });
    expect(await things.createIndex({ a: 1 })).toBe('a_1');
    await expect(things.createIndex({ a: 1 }, { name: 'other' })).rejects.toMatchObject({ code: 85 });
    await expect(things.createIndex({ a: 1 }, { expireAfterSeconds: 5 })).rejects.toMatchObject({ code: 85 });
    await expect(things.createIndex({ b: 1 }, { name: 'a_1' })).rejects.toMatchObject({ code: 86 });
    await expect(things.createIndex({ a: 1 }, { unique: true })).rejects.toMatchObject({ code: 86 });
  });

  it.each([
    [{ a: 0 }, {}, 67],
    [{}, {}, 67],
    [{ a: 1, b: 1 }, { expireAfterSeconds: 5 }, 67],
    [{ a: 1 }, { expireAfterSeconds: -1 }, 67],
    [{ a: 1 }, { partialFilterExpression: { a: { $ne: 1 } } }, 67],
    [{ a: 1 }, { partialFilterExpression: { a: 1 }, sparse: true }, 67],
  ])('refuses the key %o with %o', async (key, options, code) => {
    await expect(
      db.command({ createIndexes: 'things', indexes: [{ key, name: 'bad', ...options }] }),
    ).rejects.toMatchObject({ code });
  });

  it('refuses a document with two arrays in one index', async () => {
    await things.createIndex({ a: 1, b: 1 });
    await things.insertOne({ a: [1, 2], b: 3 });
    await expect(things.insertOne({ a: [1], b: [2] })).rejects.toMatchObject({ code: 171 });
  });

  it('lists nothing for a collection that is not there', async () => {
    await expect(db.collection('missing').indexes()).rejects.toMatchObject({ code: 26 });
    await expect(db.collection('missing').dropIndexes()).resolves.toBeDefined();
  });
});

describe('TTL', () => {
  /** Resolves when a collection contains this many documents; the timeout of the test limits the wait. */
  async function untilCount(count: number): Promise<void> {
    while ((await things.countDocuments()) !== count) await new Promise((resolve) => setTimeout(resolve, 50));
  }

  it('removes documents when their time is up, and only those', async (test) => {
    if (!target.own)
      test.skip('MongoDB looks once a minute; the local server is told to look ten times a second');
    await things.createIndex({ at: 1 }, { expireAfterSeconds: 3600 });
    const old = new Date(Date.now() - 7200_000);
    await things.insertMany([
      { at: old },
      { at: [new Date(), old] },
      { at: new Date() },
      { at: 'never' },
      {},
    ]);
    await untilCount(3);
    await things.createIndex({ end: 1 }, { expireAfterSeconds: 0, partialFilterExpression: { done: true } });
    await things.insertMany([
      { end: old, done: true },
      { end: old, done: false },
    ]);
    await untilCount(4);
    await things.deleteOne({ done: false });
    await db.command({ collMod: 'things', index: { keyPattern: { at: 1 }, expireAfterSeconds: 0 } });
    await untilCount(2);
    expect((await things.indexes())[1]).toMatchObject({ expireAfterSeconds: 0 });
  });
});
