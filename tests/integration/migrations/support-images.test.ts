import { expect } from 'vitest';
import { migrations } from '#shared/data/migrations/index.ts';
import { migrate } from '#shared/data/migrations/migrate.ts';
import { connectionOf } from '#shared/data/models.ts';
import { noLog, test } from './harness.ts';

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
