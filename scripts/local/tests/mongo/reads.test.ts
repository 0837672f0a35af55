import type { Db, Document } from 'mongodb';
import { describe, expect } from 'vitest';
import { manyDocuments, testWithSharedThings } from './target.ts';

const it = testWithSharedThings(manyDocuments);

it('the commands of mongodump and mongorestore count, and make collections with the index on _id', async ({
  db,
}) => {
  expect(await db.command({ count: 'things' })).toMatchObject({ n: 250, ok: 1 });
  expect(await db.command({ count: 'things', query: { n: { $lt: 9 } }, skip: 2, limit: 5 })).toMatchObject({
    n: 5,
  });
  expect(await db.command({ count: 'nowhere' })).toMatchObject({ n: 0 });
  const idIndex = { v: 2, key: { _id: 1 }, name: '_id_' };
  expect(await db.command({ create: 'made', idIndex })).toMatchObject({ ok: 1 });
  const insert = { insert: 'made', documents: [{ n: 1 }], bypassEmptyTsReplacement: true };
  expect(await db.command(insert)).toMatchObject({ n: 1, ok: 1 });
  const indexes = [{ key: { n: 1 }, name: 'n_1', ns: 'test.made' }];
  expect(await db.command({ createIndexes: 'made', indexes, ignoreUnknownIndexOptions: true })).toMatchObject(
    { ok: 1 },
  );
});

/** Runs a command whose answer has its ids as they are: the driver makes numbers of small ones, which are no ids any more. */
const withLongs = (db: Db, command: Document) => db.command(command, { promoteLongs: false });

describe('cursors', () => {
  it('return 101 documents in the first batch', async ({ db }) => {
    const first = await withLongs(db, { find: 'things' });
    expect(first.cursor.firstBatch).toHaveLength(101);
    const next = await withLongs(db, { getMore: first.cursor.id, collection: 'things', batchSize: 100 });
    expect(next.cursor.nextBatch).toHaveLength(100);
    const last = await withLongs(db, { getMore: first.cursor.id, collection: 'things' });
    expect(last.cursor.nextBatch).toHaveLength(49);
    expect(Number(last.cursor.id)).toBe(0);
    await expect(withLongs(db, { getMore: first.cursor.id, collection: 'things' })).rejects.toMatchObject({
      code: 43,
    });
  });

  it('close at the limit, but not after a batch that is exactly full', async ({ db }) => {
    const limited = await withLongs(db, { find: 'things', limit: 4, batchSize: 5 });
    expect(Number(limited.cursor.id)).toBe(0);
    const full = await withLongs(db, { find: 'things', filter: { n: { $lt: 2 } }, batchSize: 2 });
    expect(Number(full.cursor.id)).not.toBe(0);
    const rest = await withLongs(db, { getMore: full.cursor.id, collection: 'things' });
    expect(rest.cursor.nextBatch).toEqual([]);
    const none = await withLongs(db, { find: 'things', batchSize: 0 });
    expect(none.cursor.firstBatch).toEqual([]);
    const single = await withLongs(db, { find: 'things', batchSize: 2, singleBatch: true });
    expect(Number(single.cursor.id)).toBe(0);
    await db.command({ killCursors: 'things', cursors: [none.cursor.id] });
  });

  it('can be killed', async ({ db }) => {
    const { cursor } = await withLongs(db, { find: 'things', batchSize: 2 });
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
    [{ find: '' }, 73],
    [{ nothing: 1 }, 59],
    [{ aggregate: 'things', pipeline: [] }, 9],
    [{ aggregate: 'things', pipeline: {}, cursor: {} }, 14],
    [{ aggregate: 'things', pipeline: [{ $nothing: 1 }], cursor: {} }, 40324],
    [{ aggregate: 'things', pipeline: [{ $match: {}, $limit: 1 }], cursor: {} }, 40323],
    [{ aggregate: 'things', pipeline: [{ $limit: 0 }], cursor: {} }, 15958],
    [{ find: 'things', readConcern: { level: 'snapshot' } }, 123],
    [{ insert: 'things', documents: [{}], writeConcern: { w: 2 } }, 2],
    [{ find: 'things', txnNumber: 1 }, 20],
  ])('rejects %o', async ([command, code], { db }) => {
    await expect(db.command(command)).rejects.toMatchObject({ code });
  });
});
