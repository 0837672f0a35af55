import type { Connection, Model, QueryFilter, Schema, UpdateQuery } from 'mongoose';
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

/*
 * Statements of the driver, for what is executed for every image: mongoose would copy and cast each value, which takes as long as the
 * statement itself. Rows and changes must be whole, as their types say: no default of a schema is filled in.
 */

/** Fields that are undefined are not written. */
const plain = { ignoreUndefined: true };

/** Inserts a row. @throws MongoDB's duplicate key error */
export async function insertRow<Row>(model: Model<Row>, row: Row): Promise<void> {
  await model.collection.insertOne(row as never, plain);
}

/** @throws for a filter that lacks a value: the field would be left out, and any row match */
function checkFilter(filter: object): void {
  if (Object.values(filter).includes(undefined)) throw new Error('a filter lacks the value of a field');
}

/** @returns the first row that matches, or null */
export async function findRow<Row>(model: Model<Row>, filter: QueryFilter<Row>): Promise<Row | null> {
  checkFilter(filter);
  return (await model.collection.findOne(filter as never)) as Row | null;
}

/**
 * Changes the first row that matches.
 * @param options `upsert`: inserts it if none does; `sort`: which one is the first
 * @returns the row after it, or null when none matches
 */
export async function updateRow<Row>(
  model: Model<Row>,
  filter: QueryFilter<Row>,
  update: UpdateQuery<Row>,
  { upsert = false, sort }: { upsert?: boolean; sort?: Record<string, 1 | -1> | undefined } = {},
): Promise<Row | null> {
  checkFilter(filter);
  const options = { ...plain, upsert, ...(sort && { sort }), returnDocument: 'after' } as const;
  return (await model.collection.findOneAndUpdate(filter as never, update as never, options)) as Row | null;
}

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
