import { BSONRegExp, type Document, Double, Long, ObjectId } from 'mongodb';
import { describe, expect } from 'vitest';
import { testWithSharedThings } from './target.ts';

const DOCUMENTS: Document[] = [
  { _id: 1, a: 1, s: 'apple', tags: ['x', 'y'], in: { b: 1, c: [1, 2] } },
  { _id: 2, a: 2.5, s: 'Banana', tags: ['y'], in: { b: null } },
  { _id: 3, a: Long.fromNumber(3), s: 'cherry', tags: [], in: [{ b: 1 }, { b: 5 }] },
  { _id: 4, a: null, s: null, tags: [['x'], 'z'], in: [] },
  { _id: 5, s: 'éclair', tags: 'x', in: 7 },
  {
    _id: 6,
    a: [1, 10],
    list: [
      { k: 'p', n: 1 },
      { k: 'q', n: 9 },
    ],
    flags: 6,
  },
  { _id: 7, a: new Date(5), list: [{ k: 'p', n: 9 }], flags: 5 },
  { _id: 8, a: 2.5, list: [1, 5, 9], flags: 0 },
  { _id: 9, a: Number.NaN, o: { x: 1, y: 2 } },
  { _id: 10, a: true, o: { y: 2, x: 1 } },
  { _id: 11, a: 'text', o: { x: 1, y: 2, z: 3 } },
];

/** Filters, and the `_id`s of the documents that match. */
const FILTERS: [string, Document, number[]][] = [
  ['equality by value across numeric types', { a: 2.5 }, [2, 8]],
  ['equality with an element of an array', { a: 10 }, [6]],
  ['equality with a whole array', { a: [1, 10] }, [6]],
  ['an array of one element is no scalar', { tags: ['y'] }, [2]],
  ['equality with a nested array as an element', { tags: ['x'] }, [4]],
  ['null matches null and missing', { a: null }, [4, 5]],
  ['null below arrays needs an element without the field', { 'in.b': null }, [2, 5, 6, 7, 8, 9, 10, 11]],
  ['$ne null', { s: { $ne: null } }, [1, 2, 3, 5]],
  ['$exists true', { a: { $exists: true } }, [1, 2, 3, 4, 6, 7, 8, 9, 10, 11]],
  ['$exists false', { a: { $exists: false } }, [5]],
  ['$gt stays within the type', { a: { $gt: 2 } }, [2, 3, 6, 8]],
  ['$gte and $lt may be met by different elements', { a: { $gte: 5, $lt: 2 } }, [6]],
  ['$lt of a date', { a: { $lt: new Date(6) } }, [7]],
  ['$gte null matches null and missing', { a: { $gte: null } }, [4, 5]],
  ['NaN equals NaN', { a: Number.NaN }, [9]],
  ['NaN is not below numbers', { a: { $lt: 1 } }, []],
  ['$in with values and null', { a: { $in: [1, null, 'text'] } }, [1, 4, 5, 6, 11]],
  ['$in with a pattern', { s: { $in: [/^ch/, 'apple'] } }, [1, 3]],
  ['$nin', { tags: { $nin: ['x', 'y'] } }, [3, 4, 6, 7, 8, 9, 10, 11]],
  ['$not with an operator', { a: { $not: { $gt: 1 } } }, [1, 4, 5, 7, 9, 10, 11]],
  ['$not with a pattern', { s: { $not: /a/ } }, [3, 4, 6, 7, 8, 9, 10, 11]],
  ['a pattern with option i', { s: /BANANA/i }, [2]],
  ['embedded equality is exact and ordered', { o: { x: 1, y: 2 } }, [9]],
  ['a dotted path into a document', { 'o.x': 1 }, [9, 10, 11]],
  ['a dotted path across an array', { 'in.b': 5 }, [3]],
  ['an index in a path', { 'in.0.b': 1 }, [3]],
  ['an index at the end of a path', { 'list.1': 5 }, [8]],
  ['$elemMatch on documents', { list: { $elemMatch: { k: 'p', n: { $gt: 5 } } } }, [7]],
  ['conditions on a list without $elemMatch', { 'list.k': 'p', 'list.n': { $gt: 5 } }, [6, 7]],
  ['$elemMatch on values', { list: { $elemMatch: { $gt: 4, $lt: 6 } } }, [8]],
  ['$type by name', { a: { $type: 'double' } }, [2, 8, 9]],
  ['$type of an array itself', { a: { $type: 'array' } }, [6]],
  ['$type by several', { a: { $type: ['bool', 9] } }, [7, 10]],
  ['$or and $and', { $or: [{ a: 1 }, { $and: [{ 'o.x': 1 }, { 'o.z': 3 }] }] }, [1, 6, 11]],
  ['$nor', { $nor: [{ a: { $exists: true } }] }, [5]],
  ['$expr', { $expr: { $gt: ['$flags', 5] } }, [6]],
  ['an empty filter', {}, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
];

/** Filters that are rejected, with MongoDB's error code. */
const REFUSED: [string, Document, number][] = [
  ['an unknown top level operator', { $foo: 1 }, 2],
  ['an unknown operator', { a: { $foo: 1 } }, 2],
  ['an empty $or', { $or: [] }, 2],
  ['$and without a list', { $and: {} }, 2],
  ['$in without a list', { a: { $in: 1 } }, 2],
  ['$in with an operator', { a: { $in: [{ $gt: 1 }] } }, 2],
  ['an option of a pattern that JavaScript lacks', { a: new BSONRegExp('a', 'x') }, 51108],
  ['a pattern that does not compile', { a: new BSONRegExp('(') }, 51091],
  ['a pattern that JavaScript reads in another way', { a: new BSONRegExp('\\Aa') }, 51091],
  ['an unknown type', { a: { $type: 'nothing' } }, 2],
  ['an undefined variable', { $expr: { $eq: ['$a', '$$nothing'] } }, 17276],
  ['an unknown expression', { $expr: { $nothing: 1 } }, 168],
];

const it = testWithSharedThings(DOCUMENTS);

describe('filters', () => {
  it.for(FILTERS)('%s', async ([, filter, expected], { things }) => {
    const found = await things.find(filter, { sort: { _id: 1 } }).toArray();
    expect(found.map(({ _id }) => _id)).toEqual(expected);
    expect(await things.countDocuments(filter)).toBe(expected.length);
  });

  it.for(REFUSED)('rejects %s', async ([, filter, code], { things }) => {
    await expect(things.find(filter).toArray()).rejects.toMatchObject({ code });
  });
});

describe('sorting', () => {
  it('sorts values of all types in BSON order', async ({ things }) => {
    const ascending = await things.find({}, { sort: { a: 1, _id: 1 } }).toArray();
    expect(ascending.map(({ _id }) => _id)).toEqual([4, 5, 9, 1, 6, 2, 8, 3, 11, 10, 7]);
    const descending = await things.find({}, { sort: { a: -1, _id: 1 } }).toArray();
    expect(descending.map(({ _id }) => _id)).toEqual([7, 10, 11, 6, 3, 2, 8, 1, 9, 4, 5]);
  });

  it('applies skip and limit', async ({ things }) => {
    const found = await things
      .find({ _id: { $gt: 2 } as never }, { sort: { _id: -1 }, skip: 1, limit: 2 })
      .toArray();
    expect(found.map(({ _id }) => _id)).toEqual([10, 9]);
  });

  it.for<[sort: Document, code: number]>([
    [{ a: 2 }, 15975],
    [{ '': 1 }, 15998],
  ])('rejects the sort %o', async ([sort, code], { things }) => {
    await expect(things.aggregate([{ $sort: sort }]).toArray()).rejects.toMatchObject({ code });
  });
});

describe('projections', () => {
  const PROJECTIONS: [string, number, Document, Document][] = [
    ['inclusion', 1, { a: 1 }, { _id: 1, a: 1 }],
    ['inclusion without _id', 1, { a: 1, _id: 0 }, { a: 1 }],
    ['exclusion', 9, { a: 0 }, { _id: 9, o: { x: 1, y: 2 } }],
    ['_id alone', 9, { _id: 1 }, { _id: 9 }],
    ['dotted inclusion', 9, { 'o.y': 1 }, { _id: 9, o: { y: 2 } }],
    ['inclusion across an array', 6, { 'list.k': 1 }, { _id: 6, list: [{ k: 'p' }, { k: 'q' }] }],
    ['exclusion across an array', 7, { 'list.k': 0, flags: 0, a: 0 }, { _id: 7, list: [{ n: 9 }] }],
    ['scalars in an included array go', 8, { 'list.k': 1 }, { _id: 8, list: [] }],
  ];
  it.for(PROJECTIONS)('%s', async ([, id, projection, expected], { things }) => {
    const found = await things.findOne({ _id: id as never }, { projection });
    expect(found).toEqual(expected);
    expect(Object.keys(found!)).toEqual(Object.keys(expected));
  });

  it.for<[projection: Document, code: number]>([
    [{ a: 1, s: 0 }, 31254],
    [{ a: 0, s: 1 }, 31253],
    [{ 'o.x': 1, o: 1 }, 31250],
    [{ o: 1, 'o.x': 1 }, 31249],
  ])('rejects %o', async ([projection, code], { things }) => {
    await expect(things.findOne({}, { projection })).rejects.toMatchObject({ code });
  });
});

describe('distinct', () => {
  it('returns distinct array elements in order', async ({ things }) => {
    expect(await things.distinct('tags')).toEqual(['x', 'y', 'z', ['x']]);
    expect(await things.distinct('in.b')).toEqual([null, 1, 5]);
    expect(await things.distinct('flags', { flags: { $gt: 0 } })).toEqual([5, 6]);
    expect(await things.distinct('nothing')).toEqual([]);
  });
});

describe('a missing collection', () => {
  it('is empty', async ({ db }) => {
    const missing = db.collection('missing');
    expect(await missing.find().toArray()).toEqual([]);
    expect(await missing.countDocuments()).toBe(0);
    expect(await missing.distinct('a')).toEqual([]);
    expect(await missing.aggregate([{ $match: {} }]).toArray()).toEqual([]);
    expect(await missing.findOneAndDelete({ _id: new ObjectId() })).toBeNull();
    expect((await missing.deleteMany({})).deletedCount).toBe(0);
  });
});

it('compares a double with an int of the same value as equal', async ({ things }) => {
  expect(await things.countDocuments({ a: new Double(3) })).toBe(1);
});
