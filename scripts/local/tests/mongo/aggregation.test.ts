import type { Document } from 'mongodb';
import { expect } from 'vitest';
import { manyDocuments, testWithSharedThings } from './target.ts';

const it = testWithSharedThings(manyDocuments);

const FEW = { $match: { n: { $lt: 3 } } };

/** A pipeline, and its results with the order of their fields. */
const PIPELINES: [string, Document[], Document[]][] = [
  [
    '$match, $sort, $skip and $limit',
    [
      { $match: { n: { $gt: 3 } } },
      { $sort: { n: -1 } },
      { $skip: 1 },
      { $limit: 2 },
      { $unset: ['_id', 'group'] },
    ],
    [{ n: 248 }, { n: 247 }],
  ],
  [
    '$sort before $match',
    [{ $sort: { n: -1 } }, { $match: { n: { $lt: 2 } } }, { $unset: ['n', 'group'] }],
    [{ _id: 1 }, { _id: 0 }],
  ],
  [
    '$limit before $match',
    [{ $limit: 3 }, { $match: { n: { $gt: 1 } } }, { $unset: ['n', 'group'] }],
    [{ _id: 2 }],
  ],
  [
    '$group',
    [{ $group: { _id: '$group', count: { $sum: 1 }, top: { $max: '$n' } } }, { $sort: { _id: 1 } }],
    [
      { _id: 0, count: 84, top: 249 },
      { _id: 1, count: 83, top: 247 },
      { _id: 2, count: 83, top: 248 },
    ],
  ],
  [
    '$group by several fields, with $first and $min',
    [
      FEW,
      { $sort: { n: -1 } },
      {
        $group: {
          _id: { group: '$group', low: { $eq: ['$n', 0] } },
          first: { $first: '$_id' },
          least: { $min: '$n' },
        },
      },
      { $sort: { first: 1 } },
    ],
    [
      { _id: { group: 0, low: true }, first: 0, least: 0 },
      { _id: { group: 1, low: false }, first: 1, least: 1 },
      { _id: { group: 2, low: false }, first: 2, least: 2 },
    ],
  ],
  [
    '$unionWith adds what a pipeline finds in another collection, or in none',
    [
      { $match: { _id: 1 } },
      { $unionWith: { coll: 'things', pipeline: [{ $match: { _id: 3 } }, { $unset: ['group'] }] } },
      { $unionWith: { coll: 'nothing' } },
    ],
    [
      { _id: 1, n: 1, group: 1 },
      { _id: 3, n: 3 },
    ],
  ],
  ['$set adds a field at the end', [{ $limit: 1 }, { $set: { z: 1 } }], [{ _id: 0, n: 0, group: 0, z: 1 }]],
];
it.for(PIPELINES)('%s', async ([, pipeline, expected], { things }) => {
  const found = await things.aggregate(pipeline).toArray();
  expect(found).toEqual(expected);
  expect(found.map((document) => Object.keys(document))).toEqual(
    expected.map((document) => Object.keys(document)),
  );
});

/** An expression of a document `{_id: 2, n: 2, group: 2}`, and its value. */
const EXPRESSIONS: [unknown, unknown][] = [
  [{ $add: ['$n', 5] }, 7],
  [{ $subtract: ['$n', 5] }, -3],
  [{ $multiply: ['$n', 5] }, 10],
  [{ $mod: ['$n', 2] }, 0],
  [{ $sum: ['$n', '$group'] }, 4],
  [{ $min: ['$n', 1] }, 1],
  [{ $max: ['$n', null] }, 2],
  [{ $ifNull: ['$nothing', 'else'] }, 'else'],
  [{ $cond: [{ $gte: ['$n', 2] }, 'yes', '$$REMOVE'] }, 'yes'],
  [{ $cond: [{ $and: [{ $lt: ['$n', 9] }, { $not: ['$n'] }] }, 'yes', 'no'] }, 'no'],
  [{ $or: [{ $ne: ['$n', 2] }, { $in: ['$n', [1, 2]] }] }, true],
  [{ $literal: '$n' }, '$n'],
  [{ $size: { $setUnion: [[1], ['$n']] } }, 2],
  [{ $setUnion: [['a'], ['a', 'b']] }, ['a', 'b']],
  [{ $mergeObjects: ['$nothing', { a: '$n' }] }, { a: 2 }],
  [{ $map: { input: [1, '$n'], as: 'each', in: { $add: ['$$each', 1] } } }, [2, 3]],
  [{ $filter: { input: [1, '$n'], as: 'each', cond: { $gt: ['$$each', 1] } } }, [2]],
  [{ $let: { vars: { a: '$n' }, in: { $add: ['$$a', '$$a'] } } }, 4],
];
it.for(EXPRESSIONS)('the expression %j', async ([expression, expected], { things }) => {
  const [found] = await things.aggregate([{ $match: { _id: 2 } }, { $set: { value: expression } }]).toArray();
  expect(found!.value).toEqual(expected);
});

it('returns batches', async ({ things }) => {
  const cursor = things.aggregate([{ $match: { n: { $gt: 1 } } }, { $set: { a: 1 } }], { batchSize: 60 });
  expect(await cursor.toArray()).toHaveLength(248);
});
