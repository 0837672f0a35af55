import { isDeepStrictEqual } from 'node:util';
import type mongoose from 'mongoose';
import { connectionOf } from './collection.ts';
import type { Db } from './db.ts';

/** An index as its schema declares it, with its name: `field_1_other_-1` unless the schema names it. */
export type DeclaredIndex = mongoose.mongo.IndexDescription & { name: string };

/** Names of indexes, by collection. */
export type IndexNames = Readonly<Record<string, readonly string[]>>;

/** @returns the indexes that the schemas declare, by collection; without those on `_id`, which MongoDB makes itself */
export function declaredIndexes(db: Db): Record<string, DeclaredIndex[]> {
  const models = Object.values(connectionOf(db).models);
  return Object.fromEntries(
    models.map(({ schema, collection }) => [
      collection.name,
      schema.indexes().map(([fields, { background: _, ...options }]) => {
        const key = fields as Record<string, number>;
        return { name: usualName(key), ...options, key } as DeclaredIndex;
      }),
    ]),
  );
}

/** The name that MongoDB gives to an index that has none. */
function usualName(key: Record<string, number>): string {
  return Object.entries(key).flat().join('_');
}

/**
 * Creates indexes that are missing, as the schemas declare them: one command for each collection. Names that no schema
 * declares any more are skipped. MongoDB reads and writes the collection meanwhile.
 */
export async function createIndexes(db: Db, names: IndexNames): Promise<void> {
  const declared = declaredIndexes(db);
  await Promise.all(
    Object.entries(names).map(async ([collection, ofCollection]) => {
      const wanted = declared[collection]?.filter(({ name }) => ofCollection.includes(name)) ?? [];
      if (wanted.length > 0) await connectionOf(db).collection(collection).createIndexes(wanted);
    }),
  );
}

/** How an index of a database is not as the schemas declare it. */
interface IndexDifference {
  collection: string;
  name: string;
  how: 'is missing' | 'differs' | 'is declared nowhere';
}

const lineOf = ({ collection, name, how }: IndexDifference) => `${collection}: ${name} ${how}`;

/**
 * Compares the indexes of a database with those that the schemas declare.
 * @returns a line for each that is missing, differs, or is declared nowhere
 */
export async function indexDifferences(db: Db): Promise<string[]> {
  return (await findDifferences(db)).map(lineOf);
}

/**
 * Makes each index again that is missing or differs. What needs one is slow until it is there; a unique one does not
 * refuse duplicates meanwhile.
 * @returns a line for each
 */
export async function remakeIndexes(db: Db): Promise<string[]> {
  const wrong = (await findDifferences(db)).filter(({ how }) => how !== 'is declared nowhere');
  for (const { collection, name, how } of wrong) {
    if (how === 'differs') await connectionOf(db).collection(collection).dropIndex(name);
    await createIndexes(db, { [collection]: [name] });
  }
  return wrong.map(lineOf);
}

async function findDifferences(db: Db): Promise<IndexDifference[]> {
  const differences: IndexDifference[] = [];
  for (const [collection, declared] of Object.entries(declaredIndexes(db))) {
    const found = new Map((await storedIndexes(db, collection)).map((index) => [index.name, index]));
    found.delete('_id_');
    for (const index of declared) {
      const { name } = index;
      const stored = found.get(name);
      found.delete(name);
      if (!stored) differences.push({ collection, name, how: 'is missing' });
      else if (!isDeepStrictEqual(stored, index)) differences.push({ collection, name, how: 'differs' });
    }
    for (const name of found.keys()) differences.push({ collection, name, how: 'is declared nowhere' });
  }
  return differences;
}

/** The indexes of a collection as they are stored, without what MongoDB adds; none if there is no such collection. */
async function storedIndexes(db: Db, collection: string): Promise<DeclaredIndex[]> {
  try {
    const indexes = await connectionOf(db).collection(collection).indexes();
    return indexes.map(({ v: _, ns: __, background: ___, ...index }) => index as DeclaredIndex);
  } catch (error) {
    if ((error as { codeName?: string }).codeName === 'NamespaceNotFound') return [];
    throw error;
  }
}
