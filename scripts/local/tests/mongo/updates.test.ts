import { type Document, Double, Int32, Long } from 'mongodb';
import { describe, expect } from 'vitest';
import { testWithThings } from './target.ts';

const it = testWithThings();

/** The same collection, read with the exact types of its numbers. */
const int = (value: number) => new Int32(value);
const double = (value: number) => new Double(value);
const long = (value: string) => Long.fromString(value);

/** A document without `_id`, an update, and the resulting document. The types of numbers are exact. */
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
  ['$inc of nothing', {}, { $inc: { a: long('5') } }, { a: long('5') }],
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
    '$rename makes its field in the order of the new names',
    { a: int(1) },
    { $rename: { a: 'c' }, $set: { b: int(2) } },
    { b: int(2), c: int(1) },
  ],
  ['$push', { a: [int(1)] }, { $push: { a: int(2) } }, { a: [int(1), int(2)] }],
  ['$push makes an array', {}, { $push: { 'a.b': int(2) } }, { a: { b: [int(2)] } }],
  [
    '$push $each',
    { a: [int(1)] },
    { $push: { a: { $each: [int(2), int(3)] } } },
    { a: [int(1), int(2), int(3)] },
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
  [
    'numeric names keep their place',
    { 10: int(1), 2: int(2), b: int(3) },
    { $set: { b: int(4) } },
    { 10: int(1), 2: int(2), b: int(4) },
  ],
  ['an empty $set', { a: int(1) }, { $set: {} }, { a: int(1) }],
];

describe('operators', () => {
  it.for(UPDATES)('%s', async ([, before, update, after], { things, exact }) => {
    await things.insertOne({ _id: 1 as never, ...before });
    const result = await things.updateOne({ _id: 1 as never }, update);
    expect(result.matchedCount).toBe(1);
    const { _id, ...rest } = (await exact.findOne())!;
    expect(_id).toEqual(int(1));
    expect(rest).toEqual(after);
    expect(Object.keys(rest)).toEqual(Object.keys(after));
  });

  it('does not count an update without effect as a modification', async ({ things }) => {
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
});

describe('the positional operator', () => {
  const list = [
    { k: 'a', n: 1 },
    { k: 'b', n: 2 },
  ];
  it.for<[filter: Document, update: Document, after: unknown[]]>([
    [{ 'list.k': 'b' }, { $set: { 'list.$.n': 7 } }, [list[0], { k: 'b', n: 7 }]],
    [
      { list: { $elemMatch: { n: { $lt: 2 } } } },
      { $inc: { 'list.$.n': 100 } },
      [{ k: 'a', n: 101 }, list[1]],
    ],
    [{ 'list.k': 'b' }, { $set: { 'list.$.m': 1 }, $unset: { 'list.$.k': '' } }, [list[0], { n: 2, m: 1 }]],
  ])('changes the element that %j matched by %j', async ([filter, update, after], { things }) => {
    await things.insertOne({ _id: 1 as never, list });
    await things.updateOne(filter, update);
    expect((await things.findOne())!.list).toEqual(after);
  });

  it('conflicts with an index of the same field', async ({ things }) => {
    await things.insertOne({ _id: 1 as never, list });
    const update = { $set: { 'list.$.n': 2, 'list.0.n': 3 } };
    await expect(things.updateOne({ 'list.n': 1 }, update)).rejects.toMatchObject({
      code: 40,
      message: expect.stringContaining("Update created a conflict at 'list.0.n'"),
    });
    expect((await things.findOne())!.list).toEqual(list);
  });
});
