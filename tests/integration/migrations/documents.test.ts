/** What the migrations after the first release make of documents. */
import { expect } from 'vitest';
import { newId } from '#shared/data/db.ts';
import { fairOrder } from '#shared/data/migrations/0014-fair-order.ts';
import { migrations } from '#shared/data/migrations/index.ts';
import { migrate } from '#shared/data/migrations/migrate.ts';
import { connectionOf } from '#shared/data/models.ts';
import { laneOf, turnOf } from '#shared/platform/priorities.ts';
import { noLog, test } from './harness.ts';

test('holds name their balance, and sellers from before get no free images', async ({ newDatabase }) => {
  const { db } = await newDatabase();
  await migrate(db, noLog, { migrations: migrations.slice(0, 3) });
  const profiles = connectionOf(db).db!.collection<{ _id: string }>('profiles');
  const hold = { count: 1, lapsed: false, at: new Date() };
  const holds = [
    { ...hold, generation: 'a', metered: true },
    { ...hold, generation: 'b', metered: false },
    { ...hold, generation: 'c', metered: true, lapsed: true },
  ];
  await profiles.insertMany([
    { _id: 'holding', holds },
    { _id: 'idle', holds: [] },
  ] as never);
  await migrate(db, noLog, { migrations: migrations.slice(0, 4) });
  const welcome = { due: false, granted: 0, left: 0 };
  const after = holds.map(({ metered, ...rest }) => ({
    ...rest,
    balance: metered ? 'metered' : 'unlimited',
  }));
  expect(await profiles.findOne({ _id: 'holding' })).toEqual({ _id: 'holding', welcome, holds: after });
  expect(await profiles.findOne({ _id: 'idle' })).toEqual({ _id: 'idle', welcome, holds: [] });
});

test('sellers get the counters of images made again at no charge; those who have them keep them', async ({
  newDatabase,
}) => {
  const { db } = await newDatabase();
  await migrate(db, noLog, { migrations: migrations.slice(0, 4) });
  const profiles = connectionOf(db).db!.collection<{ _id: string }>('profiles');
  const counted = { month: '2026-11', used: 3, made: 2 };
  await profiles.insertMany([{ _id: 'new' }, { _id: 'counting', remakes: counted }] as never);
  await migrate(db, noLog, { migrations: migrations.slice(0, 5) });
  expect(await profiles.findOne({ _id: 'new' })).toEqual({
    _id: 'new',
    remakes: { month: null, used: 0, made: 0 },
  });
  expect(await profiles.findOne({ _id: 'counting' })).toEqual({ _id: 'counting', remakes: counted });
});

test('sellers get the counters of images that operators give and take; those who have them keep them', async ({
  newDatabase,
}) => {
  const { db } = await newDatabase();
  const before = migrations.findIndex(({ name }) => name === '0007-support-images');
  await migrate(db, noLog, { migrations: migrations.slice(0, before) });
  const profiles = connectionOf(db).db!.collection<{ _id: string }>('profiles');
  const remakes = { month: null, used: 0, made: 0 };
  const counted = { remakes, support: { added: 3, removed: 1 }, support_added: [{}], support_removed: [{}] };
  await profiles.insertMany([
    { _id: 'new', remakes },
    { _id: 'counting', ...counted },
  ] as never);
  await migrate(db, noLog);
  const none = { support: { added: 0, removed: 0 }, support_added: [], support_removed: [] };
  expect(await profiles.findOne({ _id: 'new' })).toEqual({ _id: 'new', remakes, ...none });
  expect(await profiles.findOne({ _id: 'counting' })).toEqual({ _id: 'counting', ...counted });
});

test('the role of operators is bound to the two-factor sign-in that is on, and suspended without one', async ({
  newDatabase,
}) => {
  const { db } = await newDatabase();
  const before = migrations.findIndex(({ name }) => name === '0018-operator-factors');
  await migrate(db, noLog, { migrations: migrations.slice(0, before) });
  const [profiles, users] = ['profiles', 'users'].map((name) =>
    connectionOf(db).db!.collection<{ _id: string; [field: string]: unknown }>(name),
  );
  const operator_since = new Date();
  await profiles!.insertMany([
    { _id: 'on', operator_since },
    { _id: 'off', operator_since },
    { _id: 'seller' },
  ]);
  const two_factor = { secret: 'sealed', last_step: 1, recovery_codes: [] };
  await users!.insertMany([
    { _id: 'on', email: 'on@shop.example', two_factor },
    { _id: 'off', email: 'off@shop.example', two_factor: null },
    { _id: 'seller', email: 'seller@shop.example', two_factor },
  ]);
  await migrate(db, noLog);
  const bound = (await users!.findOne({ _id: 'on' }))!.two_factor_id;
  expect(bound).toEqual(expect.any(String));
  expect(await profiles!.findOne({ _id: 'on' })).toMatchObject({ operator_since, operator_factor: bound });
  for (const id of ['off', 'seller']) {
    expect(await profiles!.findOne({ _id: id })).not.toHaveProperty('operator_factor');
    expect(await users!.findOne({ _id: id })).not.toHaveProperty('two_factor_id');
  }
});

test('generations that wait keep their order and get their band; those that have ended stay', async ({
  newDatabase,
}) => {
  const { db } = await newDatabase();
  const database = connectionOf(db).db!;
  const generations = database.collection<{ _id: string; state: string; priority: number }>('generations');
  const before = [5, 9_999, 10_000, 12_345, 20_001, 30_000];
  const ids = before.map(() => newId());
  const ended = newId();
  await generations.insertMany([
    ...before.map((priority, index) => ({
      _id: ids[index]!,
      state: index % 2 === 0 ? 'queued' : 'running',
      priority,
      profile: 'seller',
      idempotency_key: ids[index],
    })),
    { _id: ended, state: 'succeeded', priority: 10_000, profile: 'seller', idempotency_key: ended },
  ]);
  const priorities = async () => {
    const rows = await generations.find({ _id: { $in: ids } }).toArray();
    return ids.map((id) => rows.find(({ _id }) => _id === id)!.priority);
  };
  await fairOrder.up(database);
  const after = await priorities();
  expect(after).toEqual(after.toSorted((one, other) => one - other));
  expect(after.map((priority) => [laneOf(priority), turnOf(priority)?.band])).toEqual([
    ['single', 'first'],
    ['single', 'first'],
    ['single', 'standard'],
    ['single', 'standard'],
    ['batch', 'first'],
    ['batch', 'standard'],
  ]);
  expect(await generations.findOne({ _id: ended })).toMatchObject({ priority: 10_000 });
  // A crash may repeat it.
  await fairOrder.up(database);
  expect(await priorities()).toEqual(after);
});
