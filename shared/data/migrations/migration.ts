import type mongoose from 'mongoose';
import type { IndexNames } from '#shared/data/indexes.ts';

/** MongoDB's driver instead of models: a migration reads documents of older versions, whose schemas are gone. */
export type Database = NonNullable<mongoose.Connection['db']>;

/**
 * A change of stored documents, executed once for each database. A crash may repeat it from its beginning, so each
 * statement must be idempotent: its filter matches only documents that it has not changed yet.
 *
 * One with `up` is executed only while no process of an older version runs: that would go on writing the old documents. One
 * that only adds indexes is executed beside them, and they go on and start again with it. A unique index may refuse what they
 * write, so it needs an `up`, which may be empty.
 */
export interface Migration {
  /** Never changed once it is released: the database records executed migrations by name. */
  name: string;
  /** Absent where only indexes are added. */
  up?(database: Database): Promise<void>;
  /** Indexes that are created after `up`. Their fields and options are declared only in the schemas. */
  indexes?: IndexNames;
}
