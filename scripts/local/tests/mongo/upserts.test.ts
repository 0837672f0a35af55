import { Binary, Double, Int32, Long } from 'mongodb';
import { describe, expect } from 'vitest';
import { testWithThings } from './target.ts';

const it = testWithThings();

/** The same collection, read with the exact types of its numbers. */
const int = (value: number) => new Int32(value);
const double = (value: number) => new Double(value);
const long = (value: string) => Long.fromString(value);

describe('upserts', () => {
  it('builds the document from the equality conditions of the filter', async ({ things }) => {
    const result = await things.updateOne(
      { _id: 5 as never, 'a.b': 1, n: { $gt: 3 }, $and: [{ c: { $eq: 2 } }] },
      { $set: { d: 4 }, $setOnInsert: { e: 5 } },
      { upsert: true },
    );
    expect(result).toMatchObject({ matchedCount: 0, modifiedCount: 0, upsertedCount: 1 });
    const stored = (await things.findOne({}))!;
    expect(stored).toEqual({ _id: 5, a: { b: 1 }, c: 2, d: 4, e: 5 });
    await things.updateOne({ _id: 5 as never }, { $setOnInsert: { e: 6 } }, { upsert: true });
    expect(await things.countDocuments({ e: 5 })).toBe(1);
  });

  it('replaces with the _id of the filter, or generates one', async ({ things }) => {
    expect((await things.replaceOne({ _id: 4 as never }, { x: 1 }, { upsert: true })).upsertedId).toBe(4);
    const made = await things.replaceOne({ x: 9 }, { y: 1 }, { upsert: true });
    expect(made.upsertedId).not.toBeNull();
    expect(await things.countDocuments({ x: 9 })).toBe(0);
  });

  it('accepts null as an _id', async ({ things }) => {
    await things.updateOne({ _id: null as never }, { $unset: { a: '' } }, { upsert: true });
    expect(await things.countDocuments({ _id: { $type: 'null' } as never })).toBe(1);
  });

  it('runs a pipeline on the document that it builds', async ({ things }) => {
    await things.updateOne({ _id: 1 as never, a: 2 }, [{ $set: { b: { $add: ['$a', 1] } } }], {
      upsert: true,
    });
    expect(await things.findOne({})).toEqual({ _id: 1, a: 2, b: 3 });
  });
});

describe('replacement and pipelines', () => {
  it('keeps _id first and the order of the replacement', async ({ things }) => {
    await things.insertOne({ _id: 1 as never, a: 1 });
    await things.replaceOne({ a: 1 }, { z: 1, b: 2 });
    expect(Object.keys((await things.findOne())!)).toEqual(['_id', 'z', 'b']);
  });

  it('stores names with dots and dollars unchanged', async ({ things }) => {
    await things.insertOne({ _id: 1 as never, foo: {} });
    await things.replaceOne({}, { 'a.b': 1, c: { $d: 1 } });
    expect(await things.findOne({})).toEqual({ _id: 1, 'a.b': 1, c: { $d: 1 } });
  });

  it('updates with a pipeline, and keeps the types of unchanged fields', async ({ things, exact }) => {
    await things.insertOne({
      _id: 1 as never,
      d: double(1),
      l: long('5'),
      t: { u: { v: int(1) } },
      bin: new Binary(Buffer.from('x')),
    });
    await things.updateOne({}, [{ $set: { n: { $add: [1, 2] } } }]);
    expect(await exact.findOne()).toEqual({
      _id: int(1),
      d: double(1),
      l: long('5'),
      t: { u: { v: int(1) } },
      bin: new Binary(Buffer.from('x')),
      n: int(3),
    });
    await things.updateOne({}, [{ $set: { foo: '$t.u' } }, { $unset: ['t', 'bin', 'd'] }]);
    expect(await things.findOne({})).toEqual({ _id: 1, l: 5, n: 3, foo: { v: 1 } });
  });

  it('sorts before it selects the first', async ({ things }) => {
    await things.insertMany([
      { _id: 1 as never, n: 1 },
      { _id: 2 as never, n: 2 },
    ]);
    await things.updateOne({}, { $set: { hit: true } }, { sort: { n: -1 } });
    expect((await things.findOne({ hit: true }))!._id).toBe(2);
  });
});

describe('findAndModify', () => {
  it.beforeEach(async ({ things }) => {
    await things.insertMany([
      { _id: 1 as never, n: 1, l: [1, 2] },
      { _id: 2 as never, n: 2 },
    ]);
  });

  it('returns the document before or after the change', async ({ things }) => {
    expect(await things.findOneAndUpdate({ n: 1 }, { $inc: { n: 10 } })).toMatchObject({ n: 1 });
    expect(
      await things.findOneAndUpdate({ n: 11 }, { $inc: { n: 10 } }, { returnDocument: 'after' }),
    ).toMatchObject({ n: 21 });
    expect(
      await things.findOneAndReplace({ _id: 2 as never }, { x: 1 }, { returnDocument: 'after' }),
    ).toEqual({ _id: 2, x: 1 });
    expect(await things.findOneAndDelete({}, { sort: { _id: -1 }, projection: { _id: 0 } })).toEqual({
      x: 1,
    });
    expect(await things.findOneAndUpdate({ n: 99 }, { $set: { n: 1 } })).toBeNull();
    expect(
      await things.findOneAndUpdate(
        { _id: 7 as never },
        { $set: { n: 1 } },
        { upsert: true, returnDocument: 'after' },
      ),
    ).toEqual({ _id: 7, n: 1 });
  });

  it('reports lastErrorObject', async ({ things }) => {
    const result = await things.findOneAndUpdate(
      { _id: 8 as never },
      { $set: { n: 1 } },
      { upsert: true, includeResultMetadata: true },
    );
    expect(result).toMatchObject({
      value: null,
      lastErrorObject: { n: 1, updatedExisting: false, upserted: 8 },
    });
    const removed = await things.findOneAndDelete({ _id: 8 as never }, { includeResultMetadata: true });
    expect(removed?.lastErrorObject).toEqual({ n: 1 });
  });
});
