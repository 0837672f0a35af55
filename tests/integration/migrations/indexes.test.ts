import { expect } from 'vitest';
import { connectionOf } from '#shared/data/collection.ts';
import { createIndexes, indexDifferences } from '#shared/data/indexes.ts';
import { migrate } from '#shared/data/migrations/migrate.ts';
import { noLog, test } from './harness.ts';

test('migrations create each index that a schema declares', async ({ newDatabase }) => {
  const { db } = await newDatabase();
  await migrate(db, noLog);
  expect(await indexDifferences(db)).toEqual([]);
});

test('indexes that are missing, differ or are not declared are found, and missing ones are created', async ({
  newDatabase,
}) => {
  const { db } = await newDatabase();
  await migrate(db, noLog);
  const looks = connectionOf(db).collection('looks');
  await looks.dropIndex('deleted_at_1');
  await looks.dropIndex('profile_1_updated_at_-1');
  await looks.createIndex({ profile: 1, updated_at: -1 }, { sparse: true });
  await looks.createIndex({ name: 1 });
  expect(await indexDifferences(db)).toEqual([
    'looks: profile_1_updated_at_-1 differs',
    'looks: deleted_at_1 is missing',
    'looks: name_1 is declared nowhere',
  ]);
  await createIndexes(db, { looks: ['deleted_at_1', 'of_an_older_version'], gone: ['a_1'] });
  expect(await indexDifferences(db)).not.toContain('looks: deleted_at_1 is missing');
});
