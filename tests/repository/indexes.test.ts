/** A database in use gets an index only from a migration (docs/decisions/0064-indexes-and-explain.md). */
import mongoose from 'mongoose';
import { expect, test } from 'vitest';
import { createDb } from '#shared/data/collection.ts';
import { modelsOf } from '#shared/data/collections.ts';
import { declaredIndexes } from '#shared/data/indexes.ts';
import { migrations } from '#shared/data/migrations/index.ts';

test('each index that a schema declares is named by exactly one migration', () => {
  const connection = mongoose.createConnection();
  const db = createDb(connection);
  modelsOf(db);
  const declared = declaredIndexes(db);
  expect(Object.keys(declared).length).toBeGreaterThan(20);
  for (const [collection, indexes] of Object.entries(declared)) {
    const named = migrations.flatMap((migration) => migration.indexes?.[collection] ?? []);
    for (const { name } of indexes) {
      const times = named.filter((each) => each === name).length;
      expect(times, `migrations that create ${name} of ${collection}: add a migration that names it`).toBe(1);
    }
  }
});
