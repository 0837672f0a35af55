import type { Connection, Model, Schema } from 'mongoose';
import type { Db } from './db.ts';

/** What is behind a {@link Db}. */
interface OpenDb {
  connection: Connection;
  beforeClose: Set<() => Promise<void>>;
  close(): Promise<void>;
}

const open = (db: Db) => db as unknown as OpenDb;

/** Makes a handle of a connection; closing it closes the connection. */
export function createDb(connection: Connection): Db {
  const beforeClose = new Set<() => Promise<void>>();
  const db: OpenDb = {
    connection,
    beforeClose,
    async close() {
      await Promise.all([...beforeClose].map((step) => step()));
      await connection.close();
    },
  };
  return db as unknown as Db;
}

/** Runs a step before the handle is closed. @returns a function that takes this back */
export function runBeforeClose(db: Db, step: () => Promise<void>): () => void {
  const { beforeClose } = open(db);
  beforeClose.add(step);
  return () => beforeClose.delete(step);
}

/** The connection of a database handle. */
export const connectionOf = (db: Db): Connection => open(db).connection;

/** A collection, whatever its rows. */
// biome-ignore lint/suspicious/noExplicitAny: a model of certain rows is no model of unknown ones.
export type Collection = (db: Db) => Model<any>;

/**
 * Declares a collection. Only this folder, the tests and `npm run explain` use what it returns
 * (docs/decisions/0022-statements-live-in-shared-data.md).
 * @returns the model of the collection for a database handle
 */
export function collection<Row>(name: string, schema: Schema<Row>): (db: Db) => Model<Row> {
  return (db) => {
    const { models } = connectionOf(db);
    return (models[name] as Model<Row> | undefined) ?? connectionOf(db).model<Row>(name, schema, name);
  };
}
