import { expect } from 'vitest';
import { migrations } from '#shared/data/migrations/index.ts';
import { migrate } from '#shared/data/migrations/migrate.ts';
import { connectionOf } from '#shared/data/models.ts';
import { noLog, test } from './harness.ts';

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
