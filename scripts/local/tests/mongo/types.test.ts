import { Binary, BSON, BSONRegExp, type Document, Double, Int32, Long, ObjectId, UUID } from 'mongodb';
import { expect } from 'vitest';
import { testWithTarget as it } from './target.ts';

/** Values of all BSON types that the local server has, in BSON order. */
const VALUES: [string, unknown][] = [
  ['null', null],
  ['NaN', new Double(Number.NaN)],
  ['double -Infinity', new Double(Number.NEGATIVE_INFINITY)],
  ['long', Long.MIN_VALUE],
  ['double', new Double(-1.5)],
  ['zero as an int', new Int32(0)],
  ['the double 0.1', new Double(0.1)],
  ['double that is whole', new Double(7)],
  ['long of the size of an int', Long.fromNumber(8)],
  ['double 2^53', new Double(9007199254740992)],
  ['long that no double holds', Long.fromString('9007199254740993')],
  ['long, the largest', Long.MAX_VALUE],
  ['Infinity', new Double(Number.POSITIVE_INFINITY)],
  ['an empty text', ''],
  ['a text with a NUL', 'a\0b'],
  ['a text', 'ab'],
  ['a text beyond the basic plane', '\u{1f600}'],
  ['an empty document', {}],
  ['a document', { z: new Int32(1), a: { b: 'x' }, 7: new Int32(2), 3: new Int32(1) }],
  ['bytes', new Binary(Buffer.from([0, 1, 255]))],
  ['bytes of a user', new Binary(Buffer.from([9, 9, 9]), 128)],
  ['a UUID', new UUID('0a0b0c0d-0102-4304-8506-070809101112')],
  ['an ObjectId', new ObjectId('0123456789abcdef01234567')],
  ['false', false],
  ['true', true],
  ['a date before 1970', new Date(-1)],
  ['a date', new Date('2026-11-21T10:00:00.123Z')],
  ['a pattern', new BSONRegExp('^a.*b$', 'im')],
];

const bytesOf = (value: unknown) => Buffer.from(BSON.serialize({ v: value } as Document)).toString('hex');

it.for(VALUES)('%s is stored, found, and unchanged by updates', async ([name, value], { db }) => {
  const things = db.collection(`t${VALUES.findIndex(([other]) => other === name)}`);
  await things.insertOne({ _id: 1 as never, v: value, list: [value] });
  await things.updateOne({ _id: 1 as never }, { $set: { touched: true } });
  const raw = { promoteValues: false, bsonRegExp: true };
  const stored = await things.findOne({}, raw);
  expect(bytesOf(stored!.v)).toBe(bytesOf(value));
  expect(bytesOf(stored!.list[0])).toBe(bytesOf(value));
  const compare = { v: { $eq: value } };
  expect(await things.countDocuments(compare)).toBe(1);
  await things.createIndex({ v: 1 });
  expect(await things.countDocuments(compare, { hint: 'v_1' })).toBe(1);
});

it('sorts all types in BSON order, with and without an index, in both directions', async ({ db }) => {
  const things = db.collection('order');
  await things.insertMany(VALUES.map(([, v], n) => ({ _id: n as never, v })).reverse());
  const order = VALUES.map((_, n) => n);
  const idsIn = async (direction: 1 | -1) =>
    (await things.find({}, { projection: { _id: 1 }, sort: { v: direction, _id: direction } }).toArray()).map(
      ({ _id }) => _id as unknown,
    );
  expect(await idsIn(1)).toEqual(order);
  expect(await idsIn(-1)).toEqual(order.toReversed());
  await things.createIndex({ v: 1, _id: 1 });
  await things.createIndex({ v: -1 });
  expect(await idsIn(1)).toEqual(order);
  expect(await idsIn(-1)).toEqual(order.toReversed());
});

it('accepts any value as an _id', async ({ db }) => {
  const things = db.collection('ids');
  // A pattern is rejected, and for null the driver generates an ObjectId.
  const values = VALUES.filter(([name]) => name !== 'a pattern' && name !== 'null');
  await things.insertMany(values.map(([name, _id]) => ({ _id: _id as never, name })));
  for (const [name, _id] of values)
    expect(await things.findOne({ _id: { $eq: _id } as never })).toMatchObject({ name });
  await expect(things.insertOne({ _id: new Double(0) as never })).rejects.toMatchObject({ code: 11000 });
  await expect(things.insertOne({ _id: Long.fromNumber(7) as never })).rejects.toMatchObject({ code: 11000 });
});
