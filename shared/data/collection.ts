import type { Connection, Model, Schema } from 'mongoose';
import type { Db } from './db.ts';

/** What is behind a {@link Db}. */
interface OpenDb {
  connection: Connection;
  beforeClose: Set<() => Promise<void>>;
  /** Whether it is the handle of the sandbox, whose collections are others. */
  isSandbox: boolean;
  close(): Promise<void>;
}

const open = (db: Db) => db as unknown as OpenDb;

/** Makes a handle of a connection; closing it closes the connection. */
export function createDb(connection: Connection): Db {
  const beforeClose = new Set<() => Promise<void>>();
  const db: OpenDb = {
    connection,
    beforeClose,
    isSandbox: false,
    async close() {
      await Promise.all([...beforeClose].map((step) => step()));
      await connection.close();
    },
  };
  return db as unknown as Db;
}

const sandboxes = new WeakMap<Db, Db>();

/**
 * The handle of the sandbox in the same database: the same statements work on collections of its own there, so that nothing
 * of it is among what is real (docs/decisions/0139-a-sandbox-beside-what-is-real.md). It ends with the other one.
 */
export function sandboxOf(db: Db): Db {
  const known = sandboxes.get(db);
  if (known) return known;
  const sandbox = { ...open(db), isSandbox: true, async close() {} } as unknown as Db;
  sandboxes.set(db, sandbox);
  return sandbox;
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

/** How the names of the collections of the sandbox begin. */
export const sandboxPrefix = 'test_';

/**
 * Where the rows of the sandbox are. `apart`: in a collection of its own. `beside`: in the same one, found by the id of the
 * test seller. `never`: a statement on it with the handle of the sandbox is an error.
 */
type SandboxRows = 'apart' | 'beside' | 'never';

const apart: Collection[] = [];

/** The collections that the sandbox has of its own, of all files that were loaded. */
export const collectionsApart = (): readonly Collection[] => apart;

/**
 * Declares a collection. Only this folder, the tests and `npm run explain` use what it returns
 * (docs/decisions/0022-statements-live-in-shared-data.md).
 * @returns the model of the collection for a database handle
 */
export function collection<Row>(
  name: string,
  schema: Schema<Row>,
  sandboxRows: SandboxRows = 'never',
): (db: Db) => Model<Row> {
  const modelOf = (db: Db) => {
    const { connection, isSandbox } = open(db);
    if (isSandbox && sandboxRows === 'never') throw new Error(`the sandbox has no ${name}`);
    const stored = isSandbox && sandboxRows === 'apart' ? sandboxPrefix + name : name;
    const known = connection.models[stored] as Model<Row> | undefined;
    return known ?? connection.model<Row>(stored, schema, stored);
  };
  if (sandboxRows === 'apart') apart.push(modelOf);
  return modelOf;
}
