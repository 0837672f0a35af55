/** A database in use gets an index only from a migration (docs/decisions/0064-indexes-and-explain.md). */
import mongoose from 'mongoose';
import { expect, test } from 'vitest';
import { createDb } from '#shared/data/collection.ts';
import { modelsOf } from '#shared/data/collections.ts';
import { declaredIndexes } from '#shared/data/indexes.ts';
import { migrations } from '#shared/data/migrations/index.ts';

const db = createDb(mongoose.createConnection());
modelsOf(db);
const declared = declaredIndexes(db);
const all = Object.entries(declared).flatMap(([collection, indexes]) =>
  indexes.map((index) => ({
    ...index,
    name: `${collection}: ${index.name}`,
    fields: Object.keys(index.key),
  })),
);

test('each index that a schema declares is named by exactly one migration', () => {
  expect(Object.keys(declared).length).toBeGreaterThan(20);
  for (const [collection, indexes] of Object.entries(declared)) {
    const named = migrations.flatMap((migration) => migration.indexes?.[collection] ?? []);
    for (const { name } of indexes) {
      const times = named.filter((each) => each === name).length;
      expect(times, `migrations that create ${name} of ${collection}: add a migration that names it`).toBe(1);
    }
  }
});

test('no index of several fields is sparse: it would hold every document that has one of them', () => {
  expect(all.length).toBeGreaterThan(70);
  expect(all.filter(({ sparse }) => sparse).length).toBeGreaterThan(3);
  expect(all.filter(({ sparse, fields }) => sparse && fields.length > 1).map(({ name }) => name)).toEqual([]);
});

/** What the filter of a partial index may have: https://www.mongodb.com/docs/v6.0/core/index-partial/ */
const partialOperators = ['$eq', '$gt', '$gte', '$lt', '$lte', '$type', '$and', '$or', '$in', '$exists'];

test('each filter of a partial index has only what MongoDB 6 takes there', () => {
  const partial = all.filter(({ partialFilterExpression }) => partialFilterExpression);
  expect(partial.length).toBeGreaterThan(15);
  const refused = partial.flatMap(({ name, partialFilterExpression }) =>
    operatorsIn(partialFilterExpression)
      .filter(
        ([operator, value]) => !partialOperators.includes(operator) || (operator === '$exists' && !value),
      )
      .map(([operator]) => `${name}: ${operator}`),
  );
  expect(refused).toEqual([]);
});

/** The operators of a filter, with their values. */
function operatorsIn(filter: unknown): [operator: string, value: unknown][] {
  if (typeof filter !== 'object' || filter === null || filter instanceof Date) return [];
  return Object.entries(filter).flatMap(([name, value]) => [
    ...(name.startsWith('$') ? [[name, value] as [string, unknown]] : []),
    ...operatorsIn(value),
  ]);
}
