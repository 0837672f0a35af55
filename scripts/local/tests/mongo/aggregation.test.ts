import type { Document } from 'mongodb';
import { describe, expect } from 'vitest';
import { manyDocuments, testWithSharedThings } from './target.ts';

const it = testWithSharedThings(manyDocuments);

describe('aggregation', () => {
  const PIPELINES: [string, Document[], Document[]][] = [
    [
      '$match, $sort, $skip and $limit',
      [
        { $match: { n: { $gt: 3 } } },
        { $sort: { n: -1 } },
        { $skip: 1 },
        { $limit: 2 },
        { $project: { n: 1, _id: 0 } },
      ],
      [{ n: 248 }, { n: 247 }],
    ],
    [
      '$sort before $match',
      [{ $sort: { n: -1 } }, { $match: { n: { $lt: 2 } } }, { $project: { _id: 1 } }],
      [{ _id: 1 }, { _id: 0 }],
    ],
    [
      '$limit before $match',
      [{ $limit: 3 }, { $match: { n: { $gt: 1 } } }, { $project: { _id: 1 } }],
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
    ['$count', [{ $match: { group: 1 } }, { $count: 'many' }], [{ many: 83 }]],
    [
      '$addToSet and $push leave missing values out, $top gives one',
      [
        { $match: { n: { $lt: 3 } } },
        { $set: { odd: { $cond: [{ $eq: ['$n', 1] }, 'yes', '$$REMOVE'] } } },
        {
          $group: {
            _id: null,
            set: { $addToSet: '$odd' },
            list: { $push: '$odd' },
            top: { $top: { sortBy: { n: -1 }, output: '$n' } },
          },
        },
      ],
      [{ _id: null, set: ['yes'], list: ['yes'], top: 2 }],
    ],
    [
      '$setWindowFields',
      [
        { $match: { n: { $lt: 3 } } },
        {
          $setWindowFields: {
            sortBy: { n: 1 },
            output: { sum: { $sum: '$n', window: { documents: ['unbounded', 'current'] } } },
          },
        },
        { $project: { sum: 1 } },
      ],
      [
        { _id: 0, sum: 0 },
        { _id: 1, sum: 1 },
        { _id: 2, sum: 3 },
      ],
    ],
    [
      '$type, $toString and $toObjectId',
      [
        { $limit: 1 },
        { $project: { _id: 0, id: { $toObjectId: '0123456789abcdef01234567' } } },
        { $project: { text: { $toString: '$id' }, type: { $type: '$id' } } },
      ],
      [{ text: '0123456789abcdef01234567', type: 'objectId' }],
    ],
    ['$count of nothing', [{ $match: { group: 7 } }, { $count: 'many' }], []],
    [
      '$unwind',
      [{ $match: { n: 1 } }, { $set: { l: [1, 2] } }, { $unwind: '$l' }, { $project: { _id: 0, l: 1 } }],
      [{ l: 1 }, { l: 2 }],
    ],
    [
      '$facet',
      [{ $facet: { a: [{ $count: 'n' }], b: [{ $limit: 1 }, { $project: { _id: 1 } }] } }],
      [{ a: [{ n: 250 }], b: [{ _id: 0 }] }],
    ],
    ['$replaceWith', [{ $limit: 1 }, { $replaceWith: { x: { $add: ['$n', 5] } } }], [{ x: 5 }]],
    [
      '$lookup',
      [
        { $match: { n: 2 } },
        { $lookup: { from: 'things', localField: 'n', foreignField: '_id', as: 'same' } },
        { $project: { same: 1 } },
      ],
      [{ _id: 2, same: [{ _id: 2, n: 2, group: 2 }] }],
    ],
    [
      '$lookup with a pipeline',
      [
        { $match: { n: 1 } },
        {
          $lookup: {
            from: 'things',
            let: { m: '$n' },
            pipeline: [
              { $match: { $expr: { $eq: ['$n', { $add: ['$$m', 1] }] } } },
              { $project: { n: 1, _id: 0 } },
            ],
            as: 'next',
          },
        },
        { $project: { next: 1, _id: 0 } },
      ],
      [{ next: [{ n: 2 }] }],
    ],
    [
      '$bucket',
      [{ $bucket: { groupBy: '$n', boundaries: [0, 100, 300] } }],
      [
        { _id: 0, count: 100 },
        { _id: 100, count: 150 },
      ],
    ],
    ['$sortByCount', [{ $sortByCount: '$group' }, { $limit: 1 }], [{ _id: 0, count: 84 }]],
    [
      '$project keeps the order of the document',
      [{ $limit: 1 }, { $set: { z: 1 } }, { $project: { z: 1, group: 1 } }],
      [{ _id: 0, group: 0, z: 1 }],
    ],
  ];
  it.for(PIPELINES)('%s', async ([, pipeline, expected], { things }) => {
    const found = await things.aggregate(pipeline).toArray();
    expect(found).toEqual(expected);
    expect(found.map((document) => Object.keys(document))).toEqual(
      expected.map((document) => Object.keys(document)),
    );
  });

  it('accepts variables from let', async ({ things }) => {
    const pipeline = [
      { $match: { $expr: { $eq: ['$_id', '$$id'] } } },
      { $project: { _id: 0, x: '$$x', y: '$$y', r: '$$r' } },
    ];
    const [found] = await things
      .aggregate(pipeline, { let: { id: 1, x: 'foo', y: { $literal: '$bar' }, r: { $rand: {} } } })
      .toArray();
    expect(found).toEqual({ x: 'foo', y: '$bar', r: expect.any(Number) });
  });

  it('returns batches', async ({ things }) => {
    const cursor = things.aggregate([{ $match: { n: { $gt: 1 } } }, { $set: { a: 1 } }], { batchSize: 60 });
    expect(await cursor.toArray()).toHaveLength(248);
  });

  it('writes results into another collection', async ({ db, things }) => {
    const output = db.collection('output');
    await output.insertOne({ _id: 'old' as never });
    expect(
      await things.aggregate([{ $match: { n: { $lt: 2 } } }, { $out: 'output' }], { batchSize: 0 }).toArray(),
    ).toEqual([]);
    expect(await output.find().toArray()).toEqual([
      { _id: 0, n: 0, group: 0 },
      { _id: 1, n: 1, group: 1 },
    ]);
    await things
      .aggregate([
        { $match: { n: { $in: [1, 2] } } },
        { $project: { extra: '$n' } },
        { $merge: { into: 'output' } },
      ])
      .toArray();
    expect(await output.find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 0, n: 0, group: 0 },
      { _id: 1, n: 1, group: 1, extra: 1 },
      { _id: 2, extra: 2 },
    ]);
    const failing = db
      .aggregate([{ $documents: [{ _id: 2 }] }, { $merge: { into: 'output', whenMatched: 'fail' } }])
      .toArray();
    await expect(failing).rejects.toMatchObject({
      code: 11000,
      keyPattern: { _id: 1 },
      keyValue: { _id: 2 },
    });
    const discarding = [
      { $documents: [{ _id: 77 }] },
      { $merge: { into: 'output', whenNotMatched: 'discard' } },
    ];
    await db.aggregate(discarding).toArray();
    expect(await output.countDocuments({ _id: 77 as never })).toBe(0);
    const missing = [{ $documents: [{ _id: 77 }] }, { $merge: { into: 'output', whenNotMatched: 'fail' } }];
    await expect(db.aggregate(missing).toArray()).rejects.toMatchObject({ code: 13113 });
    const pipeline = [
      { $documents: [{ _id: 2, extra: 5 }] },
      { $merge: { into: 'output', whenMatched: [{ $set: { extra: { $add: ['$extra', '$$new.extra'] } } }] } },
    ];
    await db.aggregate(pipeline).toArray();
    expect(await output.findOne({ _id: 2 as never })).toEqual({ _id: 2, extra: 7 });
  });

  it('lists the sessions of the server', async ({ target }) => {
    const pipeline = [
      { $listLocalSessions: {} },
      { $limit: 1 },
      { $addFields: { dummy: 'field' } },
      { $project: { _id: 0, dummy: 1 } },
    ];
    expect(await target.client.db('admin').aggregate(pipeline).toArray()).toEqual([{ dummy: 'field' }]);
  });
});

describe('views', () => {
  it('show the results of their pipeline, and are read-only', async ({ db }) => {
    await db.createCollection('view', {
      viewOn: 'things',
      pipeline: [{ $match: { n: { $gt: 247 } } }, { $set: { seen: true } }],
    });
    const view = db.collection('view');
    expect(await view.estimatedDocumentCount()).toBe(2);
    expect(await view.countDocuments({ n: 249 })).toBe(1);
    expect(
      await view.find({ seen: true }, { sort: { n: -1 }, limit: 1, projection: { _id: 1 } }).toArray(),
    ).toEqual([{ _id: 249 }]);
    expect(await view.distinct('n')).toEqual([248, 249]);
    expect(await view.aggregate([{ $count: 'n' }]).toArray()).toEqual([{ n: 2 }]);
    await expect(view.insertOne({})).rejects.toMatchObject({ code: 166 });
    await view.drop();
  });
});
