/** Migrations that were interrupted. */
import { isDeepStrictEqual } from 'node:util';
import type mongoose from 'mongoose';
import { expect } from 'vitest';
import { connectionOf } from '#shared/data/collection.ts';
import { migrations } from '#shared/data/migrations/index.ts';
import type { Database, Migration } from '#shared/data/migrations/migration.ts';
import { renaming, test } from './harness.ts';

/** A database that executes only the first `last` statements. */
class InterruptedDatabase {
  /** How many it has executed. */
  statements = 0;
  /** The names of the collections that were asked for. */
  readonly collections = new Set<string>();
  readonly #database: Database;
  readonly #last: number;

  constructor(database: Database, last: number) {
    this.#database = database;
    this.#last = last;
  }

  readonly collection = (name: string) => {
    this.collections.add(name);
    return new Proxy(this.#database.collection(name), {
      get: (collection, property: 'updateMany') => {
        const statement = collection[property];
        if (typeof statement !== 'function') return statement;
        const execute = (...given: unknown[]) => {
          if (this.statements >= this.#last) throw new Error('killed');
          this.statements += 1;
          return (statement as (...all: unknown[]) => unknown).apply(collection, given);
        };
        // Returns a cursor, all others a promise.
        if ((property as string) === 'find') return execute;
        return async (...given: unknown[]) => execute(...given);
      },
    });
  };
}

/** Executes the first statements of a migration. @returns the database, which has counted them */
async function execute(database: Database, { up }: Migration, last: number): Promise<InterruptedDatabase> {
  const interrupted = new InterruptedDatabase(database, last);
  await up?.(interrupted as unknown as Database);
  return interrupted;
}

interface StoredCollection {
  documents: { _id: never }[];
  indexes: (mongoose.mongo.IndexDescription & { name: string })[];
}

type Stored = Map<string, StoredCollection>;

async function read(database: Database, names: Iterable<string>): Promise<Stored> {
  const stored: Stored = new Map();
  for (const name of names) {
    const collection = database.collection<{ _id: never }>(name);
    const documents = await collection.find().sort({ _id: 1 }).toArray();
    // A collection that does not exist has none.
    const indexes = (await collection.indexes().catch(() => [])) as StoredCollection['indexes'];
    stored.set(name, {
      documents,
      indexes: indexes.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    });
  }
  return stored;
}

/** Restores the collections that a migration has changed. */
async function restore(database: Database, before: Stored, changed: Stored): Promise<void> {
  for (const [name, { documents, indexes }] of changed) {
    const stored = before.get(name) ?? { documents: [], indexes: [] };
    const collection = database.collection<{ _id: never }>(name);
    if (!isDeepStrictEqual(documents, stored.documents)) {
      await collection.deleteMany({});
      await collection.insertMany(stored.documents);
    }
    if (!isDeepStrictEqual(indexes, stored.indexes)) await collection.createIndexes(stored.indexes);
  }
}

test('migrations that were interrupted after any statement can be repeated', async ({ newDatabase }) => {
  const { db } = await newDatabase();
  const database = connectionOf(db).db!;
  const looks = database.collection<{ _id: string }>('looks');
  await looks.insertMany([
    { _id: 'a', title: 'Marble' },
    { _id: 'b', title: 'Oak' },
  ] as never[]);
  await looks.createIndex({ title: 1 });
  let interruptions = 0;
  for (const migration of [...migrations, renaming]) {
    const names = (await database.listCollections().toArray()).map(({ name }) => name);
    const before = await read(database, names);
    const { statements, collections } = await execute(database, migration, Number.POSITIVE_INFINITY);
    let after = await read(database, collections);
    const expected = after;
    for (let last = 0; last < statements; last += 1) {
      await restore(database, before, after);
      await expect(execute(database, migration, last)).rejects.toThrow('killed');
      await migration.up?.(database);
      after = await read(database, collections);
      expect(after, `${migration.name} after ${last} statements`).toEqual(expected);
      interruptions += 1;
    }
  }
  expect(interruptions, 'no migration was interrupted').toBeGreaterThan(3);
  expect(await looks.find().sort({ _id: 1 }).toArray()).toEqual([
    { _id: 'a', name: 'Marble', kind: 'own' },
    { _id: 'b', name: 'Oak', kind: 'own' },
  ]);
});
