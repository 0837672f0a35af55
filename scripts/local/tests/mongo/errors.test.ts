import { type Document, Long } from 'mongodb';
import { describe, expect } from 'vitest';
import { testWithThings } from './target.ts';

const it = testWithThings();

/** Updates of `{_id: 1, a: 1, s: 'x', l: [1]}` that are rejected, with MongoDB's error code. */
const REFUSED: [string, Document, number][] = [
  ['an unknown modifier', { $foo: { a: 1 } }, 9],
  ['a modifier without fields', { $set: 5 }, 9],
  ['two operators on one field', { $set: { a: 1 }, $inc: { a: 1 } }, 40],
  ['a field and a part of it', { $set: { a: 1, 'a.b': 1 } }, 40],
  ['another _id', { $set: { _id: 2 } }, 66],
  ['a path through a number', { $set: { 'a.b': 1 } }, 28],
  ['$inc of a string', { $inc: { s: 1 } }, 14],
  ['$inc by a string', { $inc: { a: 'x' } }, 14],
  ['$push to a number', { $push: { a: 1 } }, 2],
  ['$addToSet to a number', { $addToSet: { a: 1 } }, 2],
  ['$pull from a number', { $pull: { a: 1 } }, 2],
  ['an empty path', { $set: { '': 1 } }, 56],
  ['an empty part of a path', { $set: { 'a..b': 1 } }, 56],
  ['$rename to itself', { $rename: { a: 'a' } }, 2],
  ['a position without a match', { $set: { 'l.$': 1 } }, 2],
  ['two positions in one path', { $set: { 'l.$.b.$': 1 } }, 2],
  ['$each without a list', { $push: { l: { $each: 1 } } }, 2],
];

describe('errors', () => {
  it.beforeEach(async ({ things }) => {
    await things.insertOne({ _id: 1 as never, a: 1, s: 'x', l: [1] });
  });

  it.for(REFUSED)('%s', async ([, update, code], { things }) => {
    await expect(things.updateOne({ _id: 1 as never }, update)).rejects.toMatchObject({ code });
    expect(await things.findOne({})).toEqual({ _id: 1, a: 1, s: 'x', l: [1] });
  });

  it('a replacement with another _id', async ({ things }) => {
    await expect(things.replaceOne({ a: 1 }, { _id: 2 as never })).rejects.toMatchObject({ code: 66 });
  });

  it('a replacement of many documents', async ({ db }) => {
    const command = { update: 'things', updates: [{ q: {}, u: { a: 1 }, multi: true }] };
    const reply = await db.command(command);
    expect(reply.writeErrors[0]).toMatchObject({ index: 0, code: 9 });
  });

  it('a stage that updates do not allow', async ({ things }) => {
    await expect(things.updateOne({}, [{ $match: {} }])).rejects.toMatchObject({ code: 72 });
  });

  it('an int64 that overflows', async ({ things }) => {
    await things.updateOne({}, { $set: { a: Long.MAX_VALUE } });
    await expect(things.updateOne({}, { $inc: { a: 1 } })).rejects.toMatchObject({ code: 2 });
  });

  it('a document above 16 MB', async ({ things }) => {
    await things.updateOne({}, { $set: { s: 'x'.repeat(9_000_000) } });
    await expect(things.updateOne({}, { $set: { t: 'x'.repeat(9_000_000) } })).rejects.toMatchObject({
      code: 10334,
    });
  });
});
