import type mongoose from 'mongoose';
import type { IndexNames } from '#shared/data/indexes.ts';

/** MongoDB's driver instead of models: a migration reads documents of older versions, whose schemas are gone. */
export type Database = NonNullable<mongoose.Connection['db']>;

/**
 * A change of stored documents, executed once for each database. A crash may repeat it from its beginning, so each
 * statement must be idempotent: its filter matches only documents that it has not changed yet.
 */
export interface Migration {
  /** Never changed once it is released: the database records executed migrations by name. */
  name: string;
  up(database: Database): Promise<void>;
  /** Indexes that are created after `up`. Their fields and options are declared only in the schemas. */
  indexes?: IndexNames;
}

/** Drops the indexes on a removed field. Neither they nor the collection need to exist. */
export async function dropIndexesOver(database: Database, collection: string, field: string): Promise<void> {
  await dropIndexes(database, collection, ({ key }) => field in key);
}

/** Drops some of the indexes of a collection, which need not exist. */
export async function dropIndexes(
  database: Database,
  collection: string,
  which: (index: mongoose.mongo.IndexDescriptionInfo) => boolean,
): Promise<void> {
  const indexes = await database
    .collection(collection)
    .indexes()
    .catch((error) => {
      if (error.codeName === 'NamespaceNotFound') return [];
      throw error;
    });
  for (const index of indexes) {
    if (index.name !== undefined && which(index)) await database.collection(collection).dropIndex(index.name);
  }
}
