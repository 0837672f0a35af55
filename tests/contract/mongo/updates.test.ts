import { Binary, type Collection, Decimal128, type Document, Double, Int32, Long, Timestamp } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databaseName, openTarget, type Target } from './target.ts';

let target: Target;
let things: Collection;
/** The same collection, read with the exact types of its numbers. */
let exact: Collection;

beforeAll(async () => {
  target = await openTarget();
  things = target.client.db(databaseName('updates')).collection('things');
  exact = target.client.db(databaseName('updates')).collection('things', { promoteValues: false });
});
beforeEach(async () => {
  await things.deleteMany({});
});
afterAll(async () => {
  await target.client.db(databaseName('updates')).dropDatabase();
  await target.close();
});

const int = (value: number) => new Int32(value);
const double = (value: number) => new Double(value);
const long = (value: string) => Long.fromString(value);

/** A document without `_id`, an update, and what becomes of the document. Numbers are exact in their types. */
const UPDATES: [string, Document, Document, Document][] = [
  ['$set', { a: int(1) }, { $set: { a: int(2), 'b.c': int(3) } }, { a: int(2), b: { c: int(3) } }],
  [
    '$set makes new fields in the order of their names',
    {},
    { $set: { b: int(1), a: int(2) } },
    { a: int(2), b: int(1) },
  ],
  ['$set into an array', { a: [int(1)] }, { $set: { 'a.2': int(3) } }, { a: [int(1), null, int(3)] }],
  ['$unset', { a: int(1), b: int(2) }, { $unset: { a: '' } }, { b: int(2) }],
  [
    '$unset of an element leaves null',
    { a: [int(1), int(2)] },
    { $unset: { 'a.0': '' } },
    { a: [null, int(2)] },
  ],
  ['$inc keeps int', { a: int(1) }, { $inc: { a: int(2) } }, { a: int(3) }],
  ['$inc grows into long', { a: int(2147483647) }, { $inc: { a: int(1) } }, { a: long('2147483648') }],
  [
    '$inc of a long',
    { a: long('9007199254740993') },
    { $inc: { a: int(1) } },
    { a: long('9007199254740994') },
  ],
  ['$inc by a double', { a: int(1) }, { $inc: { a: double(0.5) } }, { a: double(1.5) }],
  ['$inc of a double by an int', { a: double(1) }, { $inc: { a: int(1) } }, { a: double(2) }],
  [
    '$inc by a decimal',
    { a: int(1) },
    { $inc: { a: Decimal128.fromString('0.1') } },
    { a: Decimal128.fromString('1.1') },
  ],
  ['$inc of nothing', {}, { $inc: { a: long('5') } }, { a: long('5') }],
  ['$mul', { a: int(3) }, { $mul: { a: int(4) } }, { a: int(12) }],
  ['$mul of nothing', {}, { $mul: { a: double(4) } }, { a: double(0) }],
  [
    '$min and $max',
    { a: int(5), b: int(5) },
    { $min: { a: int(3) }, $max: { b: int(9) } },
    { a: int(3), b: int(9) },
  ],
  ['$max compares types in their order', { a: int(5) }, { $max: { a: 'text' } }, { a: 'text' }],
  ['$rename', { a: int(1), c: int(2) }, { $rename: { a: 'b.d' } }, { c: int(2), b: { d: int(1) } }],
  ['$rename of nothing', { c: int(2) }, { $rename: { a: 'b' } }, { c: int(2) }],
  [
    '$bit',
    { a: int(13), b: long('1') },
    { $bit: { a: { and: int(10) }, b: { or: int(6) } } },
    { a: int(8), b: long('7') },
  ],
  ['$push', { a: [int(1)] }, { $push: { a: int(2) } }, { a: [int(1), int(2)] }],
  ['$push makes an array', {}, { $push: { 'a.b': int(2) } }, { a: { b: [int(2)] } }],
  [
    '$push $each $slice',
    { a: [int(1)] },
    { $push: { a: { $each: [int(2), int(3)], $slice: -2 } } },
    { a: [int(2), int(3)] },
  ],
  [
    '$push $sort',
    { a: [int(3)] },
    { $push: { a: { $each: [int(1), int(2)], $sort: -1 } } },
    { a: [int(3), int(2), int(1)] },
  ],
  [
    '$push $sort by a field, then $slice',
    { a: [{ s: int(2) }] },
    { $push: { a: { $each: [{ s: int(3) }, { s: int(1) }], $sort: { s: 1 }, $slice: 2 } } },
    { a: [{ s: int(1) }, { s: int(2) }] },
  ],
  [
    '$push $position',
    { a: [int(1), int(4)] },
    { $push: { a: { $each: [int(2)], $position: 1 } } },
    { a: [int(1), int(2), int(4)] },
  ],
  [
    '$push $position from the end',
    { a: [int(1), int(4)] },
    { $push: { a: { $each: [int(3)], $position: -1 } } },
    { a: [int(1), int(3), int(4)] },
  ],
  [
    '$addToSet',
    { a: [int(1)] },
    { $addToSet: { a: { $each: [double(1), int(2), int(2)] } } },
    { a: [int(1), int(2)] },
  ],
  [
    '$addToSet of a document',
    { a: [{ x: int(1), y: int(2) }] },
    { $addToSet: { a: { x: int(1), y: int(2) } } },
    { a: [{ x: int(1), y: int(2) }] },
  ],
  ['$pop', { a: [int(1), int(2)] }, { $pop: { a: 1 } }, { a: [int(1)] }],
  ['$pop from the front', { a: [int(1), int(2)] }, { $pop: { a: -1 } }, { a: [int(2)] }],
  ['$pull of a value', { a: [int(1), double(1), int(2)] }, { $pull: { a: int(1) } }, { a: [int(2)] }],
  ['$pull by a condition', { a: [int(1), int(5), 'x'] }, { $pull: { a: { $gte: 2 } } }, { a: [int(1), 'x'] }],
  [
    '$pull of documents',
    {
      a: [
        { k: 'p', n: int(1) },
        { k: 'q', n: int(1) },
      ],
    },
    { $pull: { a: { k: 'p' } } },
    { a: [{ k: 'q', n: int(1) }] },
  ],
  ['$pull by a pattern', { a: ['cat', 'dog'] }, { $pull: { a: /^c/ } }, { a: ['dog'] }],
  ['$pullAll', { a: [int(1), int(2), int(1)] }, { $pullAll: { a: [int(1)] } }, { a: [int(2)] }],
  ['$[]', { a: [int(1), int(2)] }, { $inc: { 'a.$[]': int(10) } }, { a: [int(11), int(12)] }],
  [
    '$[] below documents',
    { a: [{ n: [int(1)] }, { n: [int(2), int(3)] }] },
    { $inc: { 'a.$[].n.$[]': int(1) } },
    { a: [{ n: [int(2)] }, { n: [int(3), int(4)] }] },
  ],
  [
    'numeric names keep their place',
    { 10: int(1), 2: int(2), b: int(3) },
    { $set: { b: int(4) } },
    { 10: int(1), 2: int(2), b: int(4) },
  ],
  ['an empty $set', { a: int(1) }, { $set: {} }, { a: int(1) }],
];

describe('operators', () => {
  it.each(UPDATES)('%s', async (_name, before, update, after) => {
    await things.insertOne({ _id: 1 as never, ...before });
    const result = await things.updateOne({ _id: 1 as never }, update);
    expect(result.matchedCount).toBe(1);
    const { _id, ...rest } = (await exact.findOne())!;
    expect(_id).toEqual(int(1));
    expect(rest).toEqual(after);
    expect(Object.keys(rest)).toEqual(Object.keys(after));
  });

  it('counts an update that changes nothing as no modification', async () => {
    await things.insertOne({ _id: 1 as never, a: 1, list: [1] });
    const updates: Document[] = [
      { $set: { a: 1 } },
      { $unset: { z: 1 } },
      { $addToSet: { list: 1 } },
      { $max: { a: 0 } },
      { $pull: { list: 9 } },
    ];
    for (const update of updates) {
      expect(await things.updateOne({ _id: 1 as never }, update)).toMatchObject({
        matchedCount: 1,
        modifiedCount: 0,
      });
    }
  });

  it('sets dates and timestamps of now', async () => {
    await things.insertOne({ _id: 1 as never });
    await things.updateOne({}, { $currentDate: { d: true, t: { $type: 'timestamp' } } } as never);
    const stored = (await things.findOne())!;
    expect(Math.abs((stored.d as Date).getTime() - Date.now())).toBeLessThan(5000);
    expect(stored.t).toBeInstanceOf(Timestamp);
  });
});

describe('positions', () => {
  it('changes the element that the filter matched', async () => {
    await things.insertOne({
      _id: 1 as never,
      list: [
        { k: 'a', n: 1 },
        { k: 'b', n: 2 },
      ],
    });
    await things.updateOne({ 'list.k': 'b' }, { $set: { 'list.$.n': 7 } });
    expect(await things.distinct('list.n')).toEqual([1, 7]);
    await things.updateOne({ list: { $elemMatch: { n: { $lt: 5 } } } }, { $inc: { 'list.$.n': 100 } });
    expect(await things.distinct('list.n')).toEqual([7, 101]);
  });

  it('changes the elements that array filters choose', async () => {
    await things.insertMany([
      { _id: 1 as never, y: [{ b: 3 }, { b: 1 }] },
      { _id: 2 as never, y: [{ b: 0 }, { b: 1 }] },
    ]);
    const result = await things.updateMany({}, { $set: { 'y.$[i].b': 2 } }, { arrayFilters: [{ 'i.b': 1 }] });
    expect(result).toMatchObject({ matchedCount: 2, modifiedCount: 2 });
    expect(await things.countDocuments({ 'y.1.b': 2 })).toBe(2);
    await things.updateOne(
      { _id: 1 as never },
      { $set: { 'y.$[i]': 'gone' } },
      { arrayFilters: [{ $or: [{ 'i.b': 3 }, { 'i.b': 4 }] }] },
    );
    expect(await things.countDocuments({ y: 'gone' })).toBe(1);
  });
});

describe('upserts', () => {
  it('builds the document from the equalities of the filter', async () => {
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

  it('replaces with the _id of the filter, and makes one where there is none', async () => {
    expect((await things.replaceOne({ _id: 4 as never }, { x: 1 }, { upsert: true })).upsertedId).toBe(4);
    const made = await things.replaceOne({ x: 9 }, { y: 1 }, { upsert: true });
    expect(made.upsertedId).not.toBeNull();
    expect(await things.countDocuments({ x: 9 })).toBe(0);
  });

  it('takes a null _id for an _id', async () => {
    await things.updateOne({ _id: null as never }, { $unset: { a: '' } }, { upsert: true });
    expect(await things.countDocuments({ _id: { $type: 'null' } as never })).toBe(1);
  });

  it('runs a pipeline over what it builds', async () => {
    await things.updateOne({ _id: 1 as never, a: 2 }, [{ $set: { b: { $add: ['$a', 1] } } }], {
      upsert: true,
    });
    expect(await things.findOne({})).toEqual({ _id: 1, a: 2, b: 3 });
  });
});

describe('replacement and pipelines', () => {
  it('keeps _id first and the order of the replacement', async () => {
    await things.insertOne({ _id: 1 as never, a: 1 });
    await things.replaceOne({ a: 1 }, { z: 1, b: 2 });
    expect(Object.keys((await things.findOne())!)).toEqual(['_id', 'z', 'b']);
  });

  it('stores names with dots and dollars as they are', async () => {
    await things.insertOne({ _id: 1 as never, foo: {} });
    await things.replaceOne({}, { 'a.b': 1, c: { $d: 1 } });
    expect(await things.findOne({})).toEqual({ _id: 1, 'a.b': 1, c: { $d: 1 } });
    await things.updateOne({}, [
      { $replaceWith: { $setField: { field: { $literal: '$a' }, value: 1, input: '$$ROOT' } } },
    ]);
    expect(await things.findOne({})).toEqual({ _id: 1, 'a.b': 1, c: { $d: 1 }, $a: 1 });
  });

  it('changes by a pipeline, with variables, and keeps the types of what it leaves alone', async () => {
    await things.insertOne({
      _id: 1 as never,
      d: double(1),
      l: long('5'),
      t: { u: { v: int(1) } },
      bin: new Binary(Buffer.from('x')),
    });
    await things.updateOne({}, [{ $set: { n: '$$amount' } }], { let: { amount: 3 } });
    expect(await exact.findOne()).toEqual({
      _id: int(1),
      d: double(1),
      l: long('5'),
      t: { u: { v: int(1) } },
      bin: new Binary(Buffer.from('x')),
      n: int(3),
    });
    await things.updateOne({}, [{ $replaceRoot: { newRoot: '$t' } }, { $addFields: { foo: 1 } }]);
    expect(await things.findOne({})).toEqual({ _id: 1, u: { v: 1 }, foo: 1 });
  });

  it('sorts before it takes the first', async () => {
    await things.insertMany([
      { _id: 1 as never, n: 1 },
      { _id: 2 as never, n: 2 },
    ]);
    await things.updateOne({}, { $set: { hit: true } }, { sort: { n: -1 } });
    expect((await things.findOne({ hit: true }))!._id).toBe(2);
  });
});

describe('findAndModify', () => {
  beforeEach(async () => {
    await things.insertMany([
      { _id: 1 as never, n: 1, l: [1, 2] },
      { _id: 2 as never, n: 2 },
    ]);
  });

  it('gives the document before or after', async () => {
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

  it('tells what happened', async () => {
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

/** An update of `{_id: 1, a: 1, s: 'x', l: [1]}` that is refused, with MongoDB's code. */
const REFUSED: [string, Document, number][] = [
  ['an unknown modifier', { $foo: { a: 1 } }, 9],
  ['a modifier without fields', { $set: 5 }, 9],
  ['two operators on one field', { $set: { a: 1 }, $inc: { a: 1 } }, 40],
  ['a field and a part of it', { $set: { a: 1, 'a.b': 1 } }, 40],
  ['another _id', { $set: { _id: 2 } }, 66],
  ['a path through a number', { $set: { 'a.b': 1 } }, 28],
  ['$inc of a text', { $inc: { s: 1 } }, 14],
  ['$inc by a text', { $inc: { a: 'x' } }, 14],
  ['$push to a number', { $push: { a: 1 } }, 2],
  ['$addToSet to a number', { $addToSet: { a: 1 } }, 2],
  ['$pull from a number', { $pull: { a: 1 } }, 2],
  ['$pop of a number', { $pop: { a: 1 } }, 14],
  ['$pop by two', { $pop: { l: 2 } }, 9],
  ['$bit of a text', { $bit: { s: { and: 1 } } }, 2],
  ['an empty path', { $set: { '': 1 } }, 56],
  ['an empty part of a path', { $set: { 'a..b': 1 } }, 56],
  ['$rename to itself', { $rename: { a: 'a' } }, 2],
  ['a position without a match', { $set: { 'l.$': 1 } }, 2],
  ['an identifier without its filter', { $set: { 'l.$[i]': 1 } }, 2],
  ['all elements of a number', { $set: { 'a.$[]': 1 } }, 2],
  ['$currentDate of another type', { $currentDate: { a: 5 } }, 2],
];

describe('refusals', () => {
  beforeEach(async () => {
    await things.insertOne({ _id: 1 as never, a: 1, s: 'x', l: [1] });
  });

  it.each(REFUSED)('%s', async (_name, update, code) => {
    await expect(things.updateOne({ _id: 1 as never }, update)).rejects.toMatchObject({ code });
    expect(await things.findOne({})).toEqual({ _id: 1, a: 1, s: 'x', l: [1] });
  });

  it('a replacement with another _id', async () => {
    await expect(things.replaceOne({ a: 1 }, { _id: 2 as never })).rejects.toMatchObject({ code: 66 });
  });

  it('a replacement of many', async () => {
    const command = { update: 'things', updates: [{ q: {}, u: { a: 1 }, multi: true }] };
    const reply = await target.client.db(databaseName('updates')).command(command);
    expect(reply.writeErrors[0]).toMatchObject({ index: 0, code: 9 });
  });

  it('an array filter that nothing uses', async () => {
    const update = things.updateOne({}, { $set: { a: 1 } }, { arrayFilters: [{ i: 1 }] });
    await expect(update).rejects.toMatchObject({ code: 9 });
  });

  it('a stage that updates may not have', async () => {
    await expect(things.updateOne({}, [{ $match: {} }])).rejects.toMatchObject({ code: 72 });
  });

  it('an int64 that overflows', async () => {
    await things.updateOne({}, { $set: { a: Long.MAX_VALUE } });
    await expect(things.updateOne({}, { $inc: { a: 1 } })).rejects.toMatchObject({ code: 2 });
  });

  it('a document above 16 MB', async () => {
    await things.updateOne({}, { $set: { s: 'x'.repeat(9_000_000) } });
    await expect(things.updateOne({}, { $set: { t: 'x'.repeat(9_000_000) } })).rejects.toMatchObject({
      code: 10334,
    });
  });
});
