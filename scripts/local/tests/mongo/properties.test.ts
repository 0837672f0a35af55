import fc from 'fast-check';
import { type Collection, type Document, Double, Long } from 'mongodb';
import { expect } from 'vitest';
import { testWithTarget as it } from './target.ts';

/** fast-check prints the seed with every failure; set it here to reproduce one. */
const SEED = Number(process.hrtime.bigint() % 2147483647n);

const scalar = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -3, max: 3 }) },
  { weight: 2, arbitrary: fc.constantFrom('', 'a', 'ab', 'b', 'B', 'é') },
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    new Double(0.5),
    new Double(2),
    Long.fromNumber(1),
    new Date(0),
    new Date(5),
    Number.NaN,
  ),
);
const value = fc.oneof(
  { weight: 5, arbitrary: scalar },
  { weight: 2, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.record({ c: scalar }, { requiredKeys: [] }) },
  { weight: 1, arbitrary: fc.array(fc.record({ c: scalar }, { requiredKeys: [] }), { maxLength: 2 }) },
);
const document = fc.record({ a: value, b: scalar }, { requiredKeys: [] });

const comparison = fc.constantFrom('$gt', '$gte', '$lt', '$lte', '$eq', '$ne');
const condition: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: value },
  {
    weight: 4,
    arbitrary: fc.tuple(comparison, scalar).map(([operator, operand]) => ({ [operator]: operand })),
  },
  { weight: 3, arbitrary: fc.tuple(scalar, scalar).map(([low, high]) => ({ $gte: low, $lt: high })) },
  { weight: 2, arbitrary: fc.array(value, { maxLength: 3 }).map((list) => ({ $in: list })) },
  { weight: 1, arbitrary: fc.boolean().map((exists) => ({ $exists: exists })) },
  {
    weight: 1,
    arbitrary: fc.tuple(scalar, scalar).map(([low, high]) => ({ $elemMatch: { $gt: low, $lte: high } })),
  },
);
const path = fc.constantFrom('a', 'b', 'a.c', 'a.0', '_id');
const simple = fc.tuple(path, condition).map(([name, operand]): Document => ({ [name]: operand }));
const filter = fc.oneof(
  { weight: 4, arbitrary: simple },
  { weight: 3, arbitrary: fc.tuple(simple, simple).map((both): Document => ({ $and: both })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(simple, simple, simple)
      .map(([first, ...rest]): Document => ({ ...first, $or: rest })),
  },
);
const sort = fc.constantFrom<Document>({ a: 1 }, { b: -1 }, { a: 1, b: 1 }, { b: 1, a: -1 }, { 'a.c': -1 });

const INDEXES: Document[] = [
  { key: { a: 1 }, name: 'a' },
  { key: { b: -1, a: 1 }, name: 'b_a' },
  { key: { 'a.c': 1 }, name: 'ac', sparse: true },
  { key: { a: -1, b: 1 }, name: 'partial', partialFilterExpression: { b: { $gte: 0 } } },
];

/** All documents of a filter, and their order by the sort's fields. */
async function results(things: Collection, query: Document, order: Document, hint?: Document) {
  const found = await things.find(query, { sort: { ...order, _id: 1 }, ...(hint && { hint }) }).toArray();
  return found.map(({ _id }) => _id);
}

it('finds the same documents with and without indexes', async ({ db }) => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(document, { minLength: 5, maxLength: 40 }),
      fc.array(fc.tuple(filter, sort), { minLength: 5, maxLength: 20 }),
      async (documents, queries) => {
        const things = db.collection(`things${run++}`);
        await things.insertMany(documents.map((each, _id) => ({ ...each, _id: _id as never })));
        await things.createIndexes(INDEXES as never);
        for (const [query, order] of queries) {
          const expected = await results(things, query, order, { $natural: 1 });
          expect(await results(things, query, order)).toEqual(expected);
          expect(await things.countDocuments(query)).toBe(expected.length);
        }
        await things.updateMany({ b: { $gte: 1 } }, { $inc: { b: -2 }, $set: { a: [3, 'z'] } });
        await things.deleteMany({ a: { $lt: 0 } });
        for (const [query, order] of queries) {
          expect(await results(things, query, order)).toEqual(
            await results(things, query, order, { $natural: 1 }),
          );
        }
        await things.drop();
      },
    ),
    { seed: SEED, numRuns: 10 },
  );
});
