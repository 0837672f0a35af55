import type { Document } from 'mongodb';
import { describe, expect } from 'vitest';
import { manyDocuments, testWithSharedThings } from './target.ts';

const it = testWithSharedThings(manyDocuments);

describe('find results', () => {
  it('contain only the fields of the index with returnKey', async ({ db }) => {
    const keyed = db.collection('keyed');
    await keyed.createIndex({ 'a.b': 1, c: -1 });
    await keyed.insertMany([
      { _id: 1 as never, a: { b: 5 }, c: 'x', d: true },
      { _id: 2 as never, a: { b: 6 }, d: true },
    ]);
    const keys = (filter: object, sort = {}) => keyed.find(filter, { sort, returnKey: true }).toArray();
    expect(await keys({}, { _id: -1 })).toEqual([{ _id: 2 }, { _id: 1 }]);
    expect(await keys({ _id: 2 })).toEqual([{ _id: 2 }]);
    expect(await keys({ 'a.b': { $gt: 1 } })).toEqual([
      { 'a.b': 5, c: 'x' },
      { 'a.b': 6, c: null },
    ]);
    expect(await keys({ d: true })).toEqual([{}, {}]);
  });

  it('contain ascending record ids with showRecordId', async ({ things }) => {
    const shown = await things
      .find({ n: { $lt: 2 } }, { showRecordId: true, projection: { n: 1 } })
      .toArray();
    expect(shown.map(({ $recordId, ...rest }) => rest)).toEqual([
      { _id: 0, n: 0 },
      { _id: 1, n: 1 },
    ]);
    expect(shown[0]!.$recordId).toBeLessThan(shown[1]!.$recordId);
  });
});

describe('cursors', () => {
  it('return 101 documents in the first batch', async ({ db }) => {
    const first = await db.command({ find: 'things' });
    expect(first.cursor.firstBatch).toHaveLength(101);
    const next = await db.command({ getMore: first.cursor.id, collection: 'things', batchSize: 100 });
    expect(next.cursor.nextBatch).toHaveLength(100);
    const last = await db.command({ getMore: first.cursor.id, collection: 'things' });
    expect(last.cursor.nextBatch).toHaveLength(49);
    expect(Number(last.cursor.id)).toBe(0);
    await expect(db.command({ getMore: first.cursor.id, collection: 'things' })).rejects.toMatchObject({
      code: 43,
    });
  });

  it('close at the limit, but not after a batch that is exactly full', async ({ db }) => {
    const limited = await db.command({ find: 'things', limit: 4, batchSize: 5 });
    expect(Number(limited.cursor.id)).toBe(0);
    const full = await db.command({ find: 'things', filter: { n: { $lt: 2 } }, batchSize: 2 });
    expect(Number(full.cursor.id)).not.toBe(0);
    const rest = await db.command({ getMore: full.cursor.id, collection: 'things' });
    expect(rest.cursor.nextBatch).toEqual([]);
    const none = await db.command({ find: 'things', batchSize: 0 });
    expect(none.cursor.firstBatch).toEqual([]);
    const single = await db.command({ find: 'things', batchSize: 2, singleBatch: true });
    expect(Number(single.cursor.id)).toBe(0);
    await db.command({ killCursors: 'things', cursors: [none.cursor.id] });
  });

  it('can be killed', async ({ db }) => {
    const { cursor } = await db.command({ find: 'things', batchSize: 2 });
    const killed = await db.command({ killCursors: 'things', cursors: [cursor.id, 12345] });
    expect(killed.cursorsKilled.map(String)).toEqual([String(cursor.id)]);
    expect(killed.cursorsNotFound.map(String)).toEqual(['12345']);
    await expect(db.command({ getMore: cursor.id, collection: 'things' })).rejects.toMatchObject({
      code: 43,
    });
  });

  it('continue while the collection changes', async ({ db }) => {
    const moving = db.collection('moving');
    await moving.insertMany(Array.from({ length: 100 }, (_, n) => ({ n })));
    const seen: number[] = [];
    for await (const { n } of moving.find({}, { batchSize: 10 })) {
      seen.push(n);
      await moving.updateOne({ n }, { $set: { touched: 'x'.repeat(50) } });
      await moving.deleteOne({ n: n + 20 });
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toContain(99);
    expect(seen).not.toContain(25);
  });

  it('split results that exceed the message size', async ({ db }) => {
    const large = db.collection('large');
    const text = 'x'.repeat(6_000_000);
    for (let n = 0; n < 4; n++) await large.insertOne({ n, text });
    const found = await large.find().toArray();
    expect(found.map((document) => document.text.length)).toEqual([
      6_000_000, 6_000_000, 6_000_000, 6_000_000,
    ]);
    await large.drop();
  });

  it.for<[command: Document, code: number]>([
    [{ find: 'things', limit: -1 }, 51024],
    [{ find: 'things', skip: -1 }, 51024],
    [{ find: 'things', batchSize: -1 }, 51024],
    [{ find: 'things', filter: 5 }, 14],
    [{ find: 'things', foo: 1 }, 40415],
    [{ find: 'things', tailable: true }, 2],
    [{ find: '' }, 73],
    [{ nothing: 1 }, 59],
    [{ aggregate: 'things', pipeline: [] }, 9],
    [{ aggregate: 'things', pipeline: {}, cursor: {} }, 14],
    [{ aggregate: 'things', pipeline: [{ $nothing: 1 }], cursor: {} }, 40324],
    [{ aggregate: 'things', pipeline: [{ $match: {}, $limit: 1 }], cursor: {} }, 40323],
    [{ aggregate: 'things', pipeline: [{ $limit: 0 }], cursor: {} }, 15958],
    [{ aggregate: 'things', pipeline: [{ $out: 'x' }, { $match: {} }], cursor: {} }, 40601],
    [{ find: 'things', readConcern: { level: 'snapshot' } }, 123],
    [{ insert: 'things', documents: [{}], writeConcern: { w: 2 } }, 2],
    [{ find: 'things', txnNumber: 1 }, 20],
  ])('rejects %o', async ([command, code], { db }) => {
    await expect(db.command(command)).rejects.toMatchObject({ code });
  });
});

describe('collation', () => {
  it('applies to filters, sorting, distinct and writes', async ({ db }) => {
    const words = db.collection('words');
    await words.insertMany([
      { w: 'Ping' },
      { w: 'ping' },
      { w: 'pïng' },
      { w: 'pong' },
      { w: '10' },
      { w: '9' },
    ]);
    const collation = { locale: 'en_US', strength: 2 };
    expect(await words.countDocuments({ w: 'PING' }, { collation })).toBe(2);
    expect(await words.countDocuments({ w: 'PING' }, { collation: { locale: 'en', strength: 1 } })).toBe(3);
    expect(await words.distinct('w', { w: /^p/i }, { collation })).toHaveLength(3);
    const sorted = await words
      .find({}, { collation: { locale: 'en', numericOrdering: true }, sort: { w: 1 } })
      .toArray();
    expect(sorted.map(({ w }) => w)).toEqual(['9', '10', 'ping', 'Ping', 'pïng', 'pong']);
    expect(
      (await words.updateMany({ w: 'PONG' }, { $set: { w: 'peng' } }, { collation })).modifiedCount,
    ).toBe(1);
    expect((await words.deleteMany({ w: 'PING' }, { collation })).deletedCount).toBe(2);
    await words.createIndex({ w: 1 }, { unique: true, collation });
    await expect(words.insertOne({ w: 'PENG' })).rejects.toMatchObject({ code: 11000 });
    expect(await words.findOne({ w: 'PENG' }, { collation })).toMatchObject({ w: 'peng' });
    await expect(words.find({}, { collation: { locale: 'not a locale' } }).toArray()).rejects.toMatchObject({
      code: 2,
    });
  });
});
