import { expect } from 'vitest';
import { migrations } from '#shared/data/migrations/index.ts';
import { migrate } from '#shared/data/migrations/migrate.ts';
import { connectionOf } from '#shared/data/models.ts';
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
