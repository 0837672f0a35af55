import type mongoose from 'mongoose';

/** MongoDB itself, without models: a migration knows documents of a version whose schemas are gone. */
export type Database = NonNullable<mongoose.Connection['db']>;

/**
 * A change of stored documents, executed once for each database. A crash may repeat it from its beginning, so each
 * statement must be idempotent: its filter matches only documents that it has not changed yet.
 */
export interface Migration {
  /** Never changed once it is released: the database records which migrations were executed. */
  name: string;
  up(database: Database): Promise<void>;
}

/** Drops the indexes over a field that is gone; there may be none, nor the collection. */
export async function dropIndexesOver(database: Database, collection: string, field: string): Promise<void> {
  const indexes = await database
    .collection(collection)
    .indexes()
    .catch((error) => {
      if (error.codeName === 'NamespaceNotFound') return [];
      throw error;
    });
  for (const { name, key } of indexes) {
    if (name !== undefined && field in key) await database.collection(collection).dropIndex(name);
  }
}
