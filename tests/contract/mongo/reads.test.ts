import { type Collection, type Db, type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseName, openTarget, type Target } from './target.ts';

let target: Target;
let db: Db;
let things: Collection;

beforeAll(async () => {
  target = await openTarget();
  db = target.client.db(databaseName('reads'));
  things = db.collection('things');
  await things.insertMany(Array.from({ length: 250 }, (_, n) => ({ _id: n as never, n, group: n % 3 })));
});
afterAll(async () => {
  await db.dropDatabase();
  await target.close();
});

describe('cursors', () => {
  it('give 101 documents first, then the rest', async () => {
    const first = await db.command({ find: 'things' });
    expect(first.cursor.firstBatch).toHaveLength(101);
    const next = await db.command({ getMore: first.cursor.id, collection: 'things', batchSize: 100 });
    expect(next.cursor.nextBatch).toHaveLength(100);
    const last = await db.command({ getMore: first.cursor.id, collection: 'things' });
    expect(last.cursor.nextBatch).toHaveLength(49);
    expect(Number(last.cursor.id)).toBe(0);
    await expect(db.command({ getMore: first.cursor.id, collection: 'things' })).rejects.toMatchObject({
      code: 43,
    });
  });

  it('end with the limit, but not with a batch that is just full', async () => {
    const limited = await db.command({ find: 'things', limit: 4, batchSize: 5 });
    expect(Number(limited.cursor.id)).toBe(0);
    const full = await db.command({ find: 'things', filter: { n: { $lt: 2 } }, batchSize: 2 });
    expect(Number(full.cursor.id)).not.toBe(0);
    const rest = await db.command({ getMore: full.cursor.id, collection: 'things' });
    expect(rest.cursor.nextBatch).toEqual([]);
    const none = await db.command({ find: 'things', batchSize: 0 });
    expect(none.cursor.firstBatch).toEqual([]);
    const single = await db.command({ find: 'things', batchSize: 2, singleBatch: true });
    expect(Number(single.cursor.id)).toBe(0);
    await db.command({ killCursors: 'things', cursors: [none.cursor.id] });
  });

  it('can be killed', async () => {
    const { cursor } = await db.command({ find: 'things', batchSize: 2 });
    const killed = await db.command({ killCursors: 'things', cursors: [cursor.id, 12345] });
    expect(killed.cursorsKilled.map(String)).toEqual([String(cursor.id)]);
    expect(killed.cursorsNotFound.map(String)).toEqual(['12345']);
    await expect(db.command({ getMore: cursor.id, collection: 'things' })).rejects.toMatchObject({
      code: 43,
    });
  });

  it('go on while the collection changes', async () => {
    const moving = db.collection('moving');
    await moving.insertMany(Array.from({ length: 100 }, (_, n) => ({ n })));
    const seen: number[] = [];
    for await (const { n } of moving.find({}, { batchSize: 10 })) {
      seen.push(n);
      await moving.updateOne({ n }, { $set: { touched: 'x'.repeat(50) } });
      await moving.deleteOne({ n: n + 20 });
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toContain(99);
    expect(seen).not.toContain(25);
  });

  it('carry documents of more bytes than one message holds', async () => {
    const large = db.collection('large');
    const text = 'x'.repeat(6_000_000);
    for (let n = 0; n < 4; n++) await large.insertOne({ n, text });
    const found = await large.find().toArray();
    expect(found.map((document) => document.text.length)).toEqual([
      6_000_000, 6_000_000, 6_000_000, 6_000_000,
    ]);
    await large.drop();
  });

  it.each([
    [{ find: 'things', limit: -1 }, 51024],
    [{ find: 'things', skip: -1 }, 51024],
    [{ find: 'things', batchSize: -1 }, 51024],
    [{ find: 'things', filter: 5 }, 14],
    [{ find: 'things', foo: 1 }, 40415],
    [{ find: 'things', tailable: true }, 2],
    [{ find: '' }, 73],
    [{ nothing: 1 }, 59],
    [{ aggregate: 'things', pipeline: [] }, 9],
    [{ aggregate: 'things', pipeline: {}, cursor: {} }, 14],
    [{ aggregate: 'things', pipeline: [{ $nothing: 1 }], cursor: {} }, 40324],
    [{ aggregate: 'things', pipeline: [{ $match: {}, $limit: 1 }], cursor: {} }, 40323],
    [{ aggregate: 'things', pipeline: [{ $limit: 0 }], cursor: {} }, 15958],
    [{ aggregate: 'things', pipeline: [{ $out: 'x' }, { $match: {} }], cursor: {} }, 40601],
    [{ find: 'things', readConcern: { level: 'snapshot' } }, 123],
    [{ insert: 'things', documents: [{}], writeConcern: { w: 2 } }, 2],
    [{ find: 'things', txnNumber: 1 }, 20],
  ])('refuses %o', async (command, code) => {
    await expect(db.command(command)).rejects.toMatchObject({ code });
  });
});

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
  it.each(PIPELINES)('%s', async (_name, pipeline, expected) => {
    const found = await things.aggregate(pipeline).toArray();
    expect(found).toEqual(expected);
    expect(found.map((document) => Object.keys(document))).toEqual(
      expected.map((document) => Object.keys(document)),
    );
  });

  it('takes variables', async () => {
    const pipeline = [
      { $match: { $expr: { $eq: ['$_id', '$$id'] } } },
      { $project: { _id: 0, x: '$$x', y: '$$y', r: '$$r' } },
    ];
    const [found] = await things
      .aggregate(pipeline, { let: { id: 1, x: 'foo', y: { $literal: '$bar' }, r: { $rand: {} } } })
      .toArray();
    expect(found).toEqual({ x: 'foo', y: '$bar', r: expect.any(Number) });
  });

  it('comes in batches', async () => {
    const cursor = things.aggregate([{ $match: { n: { $gt: 1 } } }, { $set: { a: 1 } }], { batchSize: 60 });
    expect(await cursor.toArray()).toHaveLength(248);
  });

  it('puts results into another collection', async () => {
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

  it('reads the sessions of the server', async () => {
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
  it('show a pipeline over a collection, and cannot be written to', async () => {
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

describe('collation', () => {
  it('applies to filters, sorting, distinct and writes', async () => {
    const words = db.collection('words');
    await words.insertMany([
      { w: 'Ping' },
      { w: 'ping' },
      { w: 'pïng' },
      { w: 'pong' },
      { w: '10' },
      { w: '9' },
    ]);
    const collation = { locale: 'en_US', strength: 2 };
    expect(await words.countDocuments({ w: 'PING' }, { collation })).toBe(2);
    expect(await words.countDocuments({ w: 'PING' }, { collation: { locale: 'en', strength: 1 } })).toBe(3);
    expect(await words.distinct('w', { w: /^p/i }, { collation })).toHaveLength(3);
    const sorted = await words
      .find({}, { collation: { locale: 'en', numericOrdering: true }, sort: { w: 1 } })
      .toArray();
    expect(sorted.map(({ w }) => w)).toEqual(['9', '10', 'ping', 'Ping', 'pïng', 'pong']);
    expect(
      (await words.updateMany({ w: 'PONG' }, { $set: { w: 'peng' } }, { collation })).modifiedCount,
    ).toBe(1);
    expect((await words.deleteMany({ w: 'PING' }, { collation })).deletedCount).toBe(2);
    await words.createIndex({ w: 1 }, { unique: true, collation });
    await expect(words.insertOne({ w: 'PENG' })).rejects.toMatchObject({ code: 11000 });
    expect(await words.findOne({ w: 'PENG' }, { collation })).toMatchObject({ w: 'peng' });
    await expect(words.find({}, { collation: { locale: 'not a locale' } }).toArray()).rejects.toMatchObject({
      code: 2,
    });
  });
});

describe('managing collections', () => {
  it('creates, lists, renames and drops', async () => {
    const made = target.client.db(`${db.databaseName}_admin`);
    await made.createCollection('a');
    await expect(made.createCollection('a', { capped: true, size: 1000 })).rejects.toMatchObject({
      code: 48,
    });
    await made.collection('b').insertOne({ x: 1 });
    await expect(made.renameCollection('a', 'b')).rejects.toMatchObject({ code: 48 });
    await made.renameCollection('b', 'c');
    expect((await made.listCollections().toArray()).map(({ name }) => name).sort()).toEqual(['a', 'c']);
    expect(await made.listCollections({ name: 'c' }).toArray()).toMatchObject([
      { name: 'c', type: 'collection', idIndex: { name: '_id_' } },
    ]);
    expect((await made.admin().listDatabases()).databases.map(({ name }) => name)).toContain(
      made.databaseName,
    );
    expect(await made.stats()).toMatchObject({ collections: 2, objects: 1 });
    expect(await made.command({ collStats: 'c' })).toMatchObject({ count: 1, nindexes: 1 });
    await expect(made.collection('missing').rename('other')).rejects.toMatchObject({ code: 26 });
    await expect(made.createCollection('bad$name')).rejects.toMatchObject({ code: 73 });
    await made.dropDatabase();
    expect(await made.listCollections().toArray()).toEqual([]);
  });

  it('greets and tells about itself', async () => {
    const admin = target.client.db('admin');
    expect(await admin.command({ hello: 1 })).toMatchObject({
      isWritablePrimary: true,
      maxBsonObjectSize: 16777216,
      ok: 1,
    });
    expect(await admin.command({ ping: 1 })).toMatchObject({ ok: 1 });
    expect((await admin.command({ buildInfo: 1 })).versionArray[0]).toBeGreaterThanOrEqual(8);
    expect(await admin.command({ connectionStatus: 1 })).toHaveProperty('authInfo');
    expect((await admin.command({ serverStatus: 1 })).connections.current).toBeGreaterThan(0);
  });
});

describe('planned failures', () => {
  it('fail a command as they are told', async (test) => {
    if (!target.own) test.skip('a production MongoDB has no fail points');
    const admin = target.client.db('admin');
    const plan = (data: Document) =>
      admin.command({ configureFailPoint: 'failCommand', mode: { times: 1 }, data });
    await plan({ failCommands: ['count'], errorCode: 8 });
    await expect(things.estimatedDocumentCount()).rejects.toMatchObject({ code: 8 });
    await plan({ failCommands: ['insert'], writeConcernError: { code: 91, errmsg: 'shutting down' } });
    await expect(things.insertOne({ _id: 'concern' as never })).rejects.toMatchObject({ code: 91 });
    expect(await things.countDocuments({ _id: 'concern' as never })).toBe(1);
    await plan({ failCommands: ['distinct'], closeConnection: true });
    const impatient = await new MongoClient(target.url, { retryReads: false }).connect();
    await expect(impatient.db(db.databaseName).collection('things').distinct('n')).rejects.toThrow(
      /connection/,
    );
    await impatient.close();
  });
});
