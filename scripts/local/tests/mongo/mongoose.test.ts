import mongoose, { Schema, Types } from 'mongoose';
import { expect } from 'vitest';
import { testWithTarget } from './target.ts';

const holdSchema = new Schema(
  { generation: { type: Schema.Types.ObjectId, required: true }, count: Number, at: Date },
  { _id: false },
);
const profileSchema = new Schema(
  {
    email: { type: String, required: true, unique: true },
    nick: String,
    left: { type: Number, default: 5 },
    holds: [holdSchema],
    sessionEnds: { type: Date, expires: 3600 },
  },
  { timestamps: true, optimisticConcurrency: true },
);
profileSchema.index({ nick: 1 }, { unique: true, partialFilterExpression: { nick: { $type: 'string' } } });

const it = testWithTarget
  .extend('connection', { scope: 'file' }, async ({ target, db }, { onCleanup }) => {
    const connection = mongoose.createConnection(target.url, { dbName: db.databaseName });
    onCleanup(() => connection.close());
    return connection.asPromise();
  })
  .extend('profiles', { scope: 'file' }, async ({ connection }) => {
    const profiles = connection.model('Profile', profileSchema);
    await profiles.init();
    return profiles;
  });

it.beforeEach(async ({ profiles }) => {
  await profiles.deleteMany({});
});

it('creates the indexes of a schema, and then has nothing to change', async ({ profiles }) => {
  const indexes = await profiles.listIndexes();
  expect(indexes.map(({ name }) => name)).toEqual(['_id_', 'email_1', 'sessionEnds_1', 'nick_1']);
  expect(indexes[2]).toMatchObject({ expireAfterSeconds: 3600 });
  expect(await profiles.diffIndexes()).toEqual({ toDrop: [], toCreate: [] });
  await profiles.collection.createIndex({ left: 1 });
  expect(await profiles.syncIndexes()).toEqual(['left_1']);
});

it('rejects a duplicate with the fields that mongoose needs', async ({ profiles }) => {
  await profiles.create({ email: 'a@b', nick: 'x' });
  await expect(profiles.create({ email: 'a@b' })).rejects.toMatchObject({
    code: 11000,
    keyValue: { email: 'a@b' },
  });
  await expect(profiles.create({ email: 'c@d', nick: 'x' })).rejects.toMatchObject({
    code: 11000,
    keyValue: { nick: 'x' },
  });
  await profiles.create([{ email: 'e@f' }, { email: 'g@h' }]);
});

it('saves changes to arrays and detects concurrent changes', async ({ profiles }) => {
  const made = await profiles.create({ email: 'a@b' });
  const other = (await profiles.findById(made.id))!;
  made.holds.push({ generation: new Types.ObjectId(), count: 1, at: new Date() });
  await made.save();
  other.left = 4;
  await expect(other.save()).rejects.toMatchObject({ name: 'VersionError' });
  expect((await profiles.findOne({ 'holds.count': 1 }).lean())!.left).toBe(5);
});

it('places holds up to exactly the balance, and settles each hold once', async ({ profiles }) => {
  const { _id } = await profiles.create({ email: 'a@b' });
  const generations = Array.from({ length: 60 }, () => new Types.ObjectId());
  const hold = (generation: Types.ObjectId) =>
    profiles.findOneAndUpdate(
      {
        _id,
        'holds.generation': { $ne: generation },
        $expr: { $gte: [{ $subtract: ['$left', { $sum: '$holds.count' }] }, 1] },
      },
      { $push: { holds: { generation, count: 1, at: new Date() } } },
      { returnDocument: 'after' },
    );
  const held = (await Promise.all(generations.map(hold))).filter((each) => each !== null);
  expect(held).toHaveLength(5);
  const generation = held[0]!.holds[0]!.generation;
  const settle = () =>
    profiles.updateOne(
      { _id, 'holds.generation': generation },
      { $pull: { holds: { generation } }, $inc: { left: -1 } },
    );
  const settled = await Promise.all([settle(), settle(), settle()]);
  expect(settled.reduce((sum, { modifiedCount }) => sum + modifiedCount, 0)).toBe(1);
  expect(await profiles.findById(_id).lean()).toMatchObject({ left: 4 });
});

it('writes in bulk and aggregates', async ({ profiles }) => {
  const result = await profiles.bulkWrite([
    { insertOne: { document: { email: 'a', left: 1 } } },
    { insertOne: { document: { email: 'b', left: 2 } } },
    { updateOne: { filter: { email: 'c' }, update: { $set: { left: 3 } }, upsert: true } },
    { updateMany: { filter: { left: { $gte: 2 } }, update: { $inc: { left: 10 } } } },
  ]);
  expect(result).toMatchObject({ insertedCount: 2, upsertedCount: 1, modifiedCount: 2 });
  const sums = await profiles.aggregate([
    { $match: { left: { $gt: 5 } } },
    { $group: { _id: null, sum: { $sum: '$left' }, first: { $min: '$email' } } },
  ]);
  expect(sums).toEqual([{ _id: null, sum: 25, first: 'b' }]);
  expect(await profiles.find().sort({ email: -1 }).skip(1).limit(1).select('email -_id').lean()).toEqual([
    { email: 'b' },
  ]);
  const seen: string[] = [];
  for await (const each of profiles.find().cursor({ batchSize: 1 })) seen.push(each.email);
  expect(seen).toEqual(['a', 'b', 'c']);
});
