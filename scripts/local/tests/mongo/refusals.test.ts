import { BSON, Code, Decimal128, type Document, MaxKey, MinKey, Timestamp } from 'mongodb';
import { describe, expect } from 'vitest';
import { testWithSharedThings } from './target.ts';

const it = testWithSharedThings([{ _id: 1, a: 1, list: [1] }]);
it.beforeEach(({ target, skip }) => {
  if (!target.own) skip('MongoDB has all of this');
});

const aggregate = (...pipeline: Document[]) => ({ aggregate: 'things', pipeline, cursor: {} });
const update = (u: Document | Document[], more: Document = {}) => ({
  update: 'things',
  updates: [{ q: {}, u, ...more }],
});
const index = (options: Document) => ({
  createIndexes: 'things',
  indexes: [{ key: { a: 1 }, name: 'x', ...options }],
});

/** What MongoDB has and the local server does not, as a command, and the error code with which it is rejected. */
const REFUSED: [Document, number][] = [
  [{ collStats: 'things' }, 59],
  [{ collMod: 'things', validator: {} }, 59],
  [{ bulkWrite: 1, ops: [], nsInfo: [] }, 59],
  [{ renameCollection: 'a.b', to: 'a.c' }, 59],
  [{ configureFailPoint: 'failCommand', mode: 'off' }, 59],
  [{ create: 'special', capped: true, size: 4096 }, 40415],
  [{ create: 'special', viewOn: 'things', pipeline: [] }, 40415],
  [{ create: 'special', validator: { a: 1 } }, 40415],
  [{ create: 'special', collation: { locale: 'en' } }, 40415],
  [{ create: 'special', timeseries: { timeField: 'at' } }, 40415],
  [index({ hidden: true }), 197],
  [index({ collation: { locale: 'en' } }), 197],
  [{ createIndexes: 'things', indexes: [{ key: { a: 'text' }, name: 'x' }] }, 67],
  [{ find: 'things', collation: { locale: 'en' } }, 40415],
  [{ find: 'things', let: { a: 1 } }, 40415],
  [{ find: 'things', min: { a: 1 }, hint: '_id_' }, 40415],
  [{ find: 'things', returnKey: true }, 40415],
  [{ find: 'things', showRecordId: true }, 40415],
  [{ find: 'things', tailable: true }, 40415],
  [{ find: 'things', sort: { $natural: -1 } }, 16410],
  [{ find: 'things', hint: { $natural: -1 } }, 2],
  [{ find: 'things', projection: { list: { $slice: 1 } } }, 2],
  [{ find: 'things', projection: { b: '$a' } }, 2],
  [{ find: 'things', projection: { 'list.$': 1 } }, 16410],
  [{ find: 'things', filter: { a: { $regex: 'x' } } }, 2],
  [{ find: 'things', filter: { a: { $mod: [2, 1] } } }, 2],
  [{ find: 'things', filter: { list: { $all: [1] } } }, 2],
  [{ find: 'things', filter: { list: { $size: 1 } } }, 2],
  [{ find: 'things', filter: { a: { $bitsAllSet: 1 } } }, 2],
  [{ find: 'things', filter: { a: { $type: 'decimal' } } }, 2],
  [{ find: 'things', filter: { a: { $geoWithin: {} } } }, 2],
  [{ find: 'things', filter: { $where: 'true' } }, 2],
  [{ find: 'things', filter: { $jsonSchema: {} } }, 2],
  [{ find: 'things', filter: { $text: { $search: 'x' } } }, 2],
  [{ find: 'things', filter: { $expr: { $function: {} } } }, 168],
  [{ find: 'things', filter: { $expr: { $toString: '$a' } } }, 168],
  [aggregate({ $lookup: { from: 'things', as: 'b' } }), 40324],
  [aggregate({ $project: { a: 1 } }), 40324],
  [aggregate({ $out: 'other' }), 40324],
  [aggregate({ $merge: 'other' }), 40324],
  [aggregate({ $collStats: { count: {} } }), 40324],
  [aggregate({ $set: { b: { $toString: '$a' } } }), 168],
  [aggregate({ $group: { _id: null, all: { $push: '$a' } } }), 15952],
  [{ ...aggregate(), let: { a: 1 } }, 40415],
  [{ ...aggregate(), explain: true }, 40415],
  [update({ $mul: { a: 2 } }), 9],
  [update({ $bit: { a: { and: 1 } } }), 9],
  [update({ $pop: { list: 1 } }), 9],
  [update({ $pullAll: { list: [1] } }), 9],
  [update({ $currentDate: { a: true } }), 9],
  [update({ $push: { list: { $each: [2], $slice: 1 } } }), 2],
  [update({ $set: { 'list.$[]': 2 } }), 2],
  [update({ $set: { 'list.$[i]': 2 } }, { arrayFilters: [{ i: 1 }] }), 40415],
  [update([{ $replaceWith: { b: 1 } }]), 40324],
  [update({ $set: { a: 1 } }, { collation: { locale: 'en' } }), 40415],
  [{ insert: 'things', documents: [{}], bypassDocumentValidation: true }, 40415],
  [{ hello: 1, apiVersion: '1' }, 72],
];
describe('what the local server does not have is rejected', () => {
  it.for(REFUSED)('%j', async ([command, code], { db, things }) => {
    // The errors of an update are those of its statements.
    const error = await db.command(command).then(
      (reply) => reply.writeErrors?.[0] ?? reply,
      (cause) => cause,
    );
    expect(error).toMatchObject({ code });
    expect(await things.find().toArray()).toEqual([{ _id: 1, a: 1, list: [1] }]);
    expect(await things.indexes()).toHaveLength(1);
  });

  it.for<[name: string, value: unknown]>([
    ['a decimal', Decimal128.fromString('1')],
    ['a timestamp', new Timestamp({ t: 1, i: 1 })],
    ['code', new Code('return 1')],
    ['code with a scope', new Code('return x', { x: 1 })],
    ['a symbol', new BSON.BSONSymbol('x')],
    ['MinKey', new MinKey()],
    ['MaxKey', new MaxKey()],
  ])('%s as a value', async ([, value], { things }) => {
    await expect(things.insertOne({ value })).rejects.toMatchObject({ code: 22 });
    expect(await things.find({}, {}).toArray()).toHaveLength(1);
  });
});
