import type { Document } from 'mongodb';
import { describe, expect } from 'vitest';
import { testWithThings } from './target.ts';

const it = testWithThings();

describe('positional operators', () => {
  it('update the element that the filter matched', async ({ things }) => {
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

  it('update the elements that array filters select', async ({ things }) => {
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

  /** A name, the list before, an update with its array filters, and the list after. */
  const LISTS: [string, unknown[], Document, Document[], unknown[]][] = [
    [
      '$set and $unset',
      [{ old: 1 }, { other: 1 }],
      { $set: { 'list.$[i].new': 2 }, $unset: { 'list.$[i].old': '' } },
      [{ 'i.old': 1 }],
      [{ new: 2 }, { other: 1 }],
    ],
    [
      '$inc of the field that the filter tests',
      [{ n: 1 }, { n: 2 }],
      { $inc: { 'list.$[i].n': 1 }, $set: { 'list.$[i].seen': true } },
      [{ 'i.n': 1 }],
      [{ n: 2, seen: true }, { n: 2 }],
    ],
    [
      'a field that only the update gives to an element',
      [{ n: 1 }, { n: 2 }],
      { $set: { 'list.$[].a': 1, 'list.$[i].b': 1 } },
      [{ 'i.a': 1 }],
      [
        { n: 1, a: 1 },
        { n: 2, a: 1 },
      ],
    ],
    [
      'two filters',
      [{ n: 1 }, { n: 2 }],
      { $inc: { 'list.$[one].n': 1 }, $set: { 'list.$[two].is': 2 } },
      [{ 'one.n': 1 }, { 'two.n': 2 }],
      [{ n: 2 }, { n: 2, is: 2 }],
    ],
    [
      'an array in the element',
      [{ open: true, parts: [1, 2] }],
      { $push: { 'list.$[i].log': 'cut' }, $set: { 'list.$[i].open': false, 'list.$[i].parts.$[p]': 0 } },
      [{ 'i.open': true }, { p: { $gt: 1 } }],
      [{ open: false, parts: [1, 0], log: ['cut'] }],
    ],
    [
      'new fields in the order of their names',
      [{ n: 1 }],
      { $set: { 'list.$[i].b': 1, 'list.$[j].a': 1 } },
      [{ 'i.n': 1 }, { 'j.n': 1 }],
      [{ n: 1, a: 1, b: 1 }],
    ],
  ];
  it.for(LISTS)(
    'see the elements as they were before the update: %s',
    async ([, list, update, arrayFilters, after], { things }) => {
      await things.insertOne({ _id: 1 as never, list });
      await things.updateMany({}, update, { arrayFilters });
      // Compared as text because the order of the fields counts.
      expect(JSON.stringify((await things.findOne())!.list)).toBe(JSON.stringify(after));
    },
  );

  it('keep the element that the filter matched for all operators', async ({ things }) => {
    await things.insertOne({ _id: 1 as never, list: [{ k: 'a' }, { k: 'b' }] });
    await things.updateOne({ 'list.k': 'b' }, { $set: { 'list.$.m': 1 }, $unset: { 'list.$.k': '' } });
    expect((await things.findOne())!.list).toEqual([{ k: 'a' }, { m: 1 }]);
  });

  /** A name, an update of the list [{ n: 1 }], its array filters, and the error message. */
  const CONFLICTS: [string, Document, Document[], string][] = [
    [
      'two filters select the same field',
      { $set: { 'list.$[i].n': 2, 'list.$[j].n': 3 } },
      [{ 'i.n': 1 }, { 'j.n': { $gt: 0 } }],
      "Update created a conflict at 'list.0.n'",
    ],
    [
      'a filter selects an element and another a field of it',
      { $set: { 'list.$[i]': 2, 'list.$[j].n': 3 } },
      [{ 'i.n': 1 }, { 'j.n': { $gt: 0 } }],
      "Update created a conflict at 'list.0'",
    ],
    [
      'the query and an index select the same field',
      { $set: { 'list.$.n': 2, 'list.0.n': 3 } },
      [],
      "Update created a conflict at 'list.0.n'",
    ],
    [
      'an array has a filter and an index',
      { $set: { 'list.$[].m': 2, 'list.0.n': 3 } },
      [],
      "Updating the path 'list.0.n' would create a conflict at 'list'",
    ],
  ];
  it.for(CONFLICTS)('conflict when %s', async ([, update, arrayFilters, message], { things }) => {
    await things.insertOne({ _id: 1 as never, list: [{ n: 1 }] });
    await expect(things.updateOne({ 'list.n': 1 }, update, { arrayFilters })).rejects.toMatchObject({
      code: 40,
      message: expect.stringContaining(message),
    });
    expect((await things.findOne())!.list).toEqual([{ n: 1 }]);
  });

  it('change the same field of different elements', async ({ things }) => {
    await things.insertOne({ _id: 1 as never, list: [{ n: 1 }, { n: 2 }] });
    const update = { $set: { 'list.$[i].n': 3, 'list.$[j].n': 4 } };
    await things.updateOne({}, update, { arrayFilters: [{ 'i.n': 1 }, { 'j.n': 2 }] });
    expect(await things.distinct('list.n')).toEqual([3, 4]);
  });

  it('occur once in a path', async ({ things }) => {
    await expect(things.updateOne({ a: 1 }, { $set: { 'a.$.b.$': 1 } })).rejects.toMatchObject({
      code: 2,
      message: expect.stringContaining("Too many positional (i.e. '$') elements found in path 'a.$.b.$'"),
    });
  });
});
