import { randomUUID } from 'node:crypto';
import { decode } from '../bson/decode.ts';
import { encode } from '../bson/encode.ts';
import type { Doc, Value } from '../bson/values.ts';
import { fail, MongoServerError } from '../errors.ts';
import { Collection } from './collection.ts';
import type { Database } from './database.ts';
import { type Index, makeIndex } from './indexes.ts';

const TABLES = `
  CREATE TABLE IF NOT EXISTS collections (
    id INTEGER PRIMARY KEY AUTOINCREMENT, database TEXT NOT NULL, name TEXT NOT NULL,
    options BLOB NOT NULL, uuid BLOB NOT NULL, UNIQUE (database, name));
  CREATE TABLE IF NOT EXISTS indexes (
    id INTEGER PRIMARY KEY AUTOINCREMENT, collection INTEGER NOT NULL, spec BLOB NOT NULL, multikey INTEGER NOT NULL);
`;

/** All collections and indexes, in memory and in two tables. */
export class Catalog {
  readonly sql: Database;
  #collections = new Map<string, Collection>();

  constructor(sql: Database) {
    this.sql = sql;
    sql.sqlite.exec(TABLES);
    this.#load();
  }

  #load(): void {
    this.#collections.clear();
    for (const row of this.sql.statement('SELECT * FROM collections ORDER BY id').all()) {
      const collection = new Collection(
        this.sql,
        row.id as number,
        row.database as string,
        row.name as string,
        decode(Buffer.from(row.options as Uint8Array)),
        Buffer.from(row.uuid as Uint8Array),
      );
      const indexes = this.sql
        .statement('SELECT * FROM indexes WHERE collection = ? ORDER BY id')
        .all(collection.id);
      collection.indexes = indexes.map((index) =>
        makeIndex(index.id as number, decode(Buffer.from(index.spec as Uint8Array)), index.multikey === 1),
      );
      this.#collections.set(collection.namespace, collection);
    }
  }

  /** Changes the catalog atomically: when the function throws, none of its changes are kept. */
  change<Result>(change: () => Result): Result {
    try {
      return this.sql.atomically(change);
    } catch (error) {
      // A MongoServerError is thrown before anything in memory changes; after any other error, memory may differ from
      // the file.
      if (!(error instanceof MongoServerError)) this.reload();
      throw error;
    }
  }

  /** Reloads everything from the file after changes were rolled back. */
  reload(): void {
    this.sql.forgetStatements();
    this.#load();
  }

  /** The collection `database.name`; undefined when it does not exist. */
  find(database: string, name: string): Collection | undefined {
    return this.#collections.get(`${database}.${name}`);
  }

  /** All collections of one database, or of all databases. */
  list(database?: string): Collection[] {
    return [...this.#collections.values()].filter(
      (each) => database === undefined || each.database === database,
    );
  }

  /** The collection, which is created if it does not exist. @throws InvalidNamespace (73) */
  findOrCreate(database: string, name: string): Collection {
    return this.find(database, name) ?? this.create(database, name, new Map());
  }

  /** Creates a collection with its `_id` index. @throws InvalidNamespace (73) */
  create(database: string, name: string, options: Doc): Collection {
    checkName(database, name);
    return this.change(() => {
      const uuid = Buffer.from(randomUUID().replaceAll('-', ''), 'hex');
      const { lastInsertRowid } = this.sql
        .statement('INSERT INTO collections (database, name, options, uuid) VALUES (?, ?, ?, ?)')
        .run(database, name, encode(options), uuid);
      const id = Number(lastInsertRowid);
      this.sql.sqlite.exec(
        `CREATE TABLE c${id} (record INTEGER PRIMARY KEY AUTOINCREMENT, key BLOB NOT NULL UNIQUE, doc BLOB NOT NULL)`,
      );
      const collection = new Collection(this.sql, id, database, name, options, uuid);
      this.#collections.set(collection.namespace, collection);
      const spec: Doc = new Map<string, Value>([
        ['v', 2],
        ['key', new Map([['_id', 1]])],
        ['name', '_id_'],
      ]);
      this.addIndex(collection, spec);
      return collection;
    });
  }

  /** Drops a collection with its indexes. */
  drop(collection: Collection): void {
    this.sql.forgetStatements();
    this.change(() => {
      for (const index of collection.indexes) this.dropIndex(collection, index);
      this.sql.sqlite.exec(`DROP TABLE c${collection.id}`);
      this.sql.statement('DELETE FROM collections WHERE id = ?').run(collection.id);
      this.#collections.delete(collection.namespace);
    });
  }

  /** Removes a collection from memory after its creation was rolled back in the file. */
  forget(collection: Collection): void {
    this.#collections.delete(collection.namespace);
  }

  /** Renames a collection. @returns the collection under its new name */
  rename(collection: Collection, database: string, name: string): Collection {
    checkName(database, name);
    return this.change(() => {
      this.sql
        .statement('UPDATE collections SET database = ?, name = ? WHERE id = ?')
        .run(database, name, collection.id);
      const { id, options, uuid } = collection;
      const renamed = new Collection(this.sql, id, database, name, options, uuid);
      renamed.indexes = collection.indexes;
      this.#collections.delete(collection.namespace);
      this.#collections.set(renamed.namespace, renamed);
      return renamed;
    });
  }

  /** Changes the options of a collection (collMod). */
  changeOptions(collection: Collection, options: Doc): void {
    this.change(() => {
      this.sql
        .statement('UPDATE collections SET options = ? WHERE id = ?')
        .run(encode(options), collection.id);
      const changed = new Collection(
        this.sql,
        collection.id,
        collection.database,
        collection.name,
        options,
        collection.uuid,
      );
      changed.indexes = collection.indexes;
      this.#collections.set(changed.namespace, changed);
    });
  }

  /** Creates and fills an index. @throws DuplicateKey (11000) when the documents violate a unique index */
  addIndex(collection: Collection, spec: Doc): Index {
    return this.change(() => {
      const { lastInsertRowid } = this.sql
        .statement('INSERT INTO indexes (collection, spec, multikey) VALUES (?, ?, 0)')
        .run(collection.id, encode(spec));
      const index = makeIndex(Number(lastInsertRowid), spec, false);
      if (index.name !== '_id_') {
        this.sql.sqlite.exec(
          `CREATE TABLE i${index.id} (key BLOB NOT NULL, record INTEGER NOT NULL, PRIMARY KEY (key, record)) WITHOUT ROWID`,
        );
        collection.build(index);
      }
      collection.indexes.push(index);
      return index;
    });
  }

  /** Replaces the specification of an index (collMod). */
  changeIndex(collection: Collection, index: Index, spec: Doc): void {
    this.change(() => {
      this.sql.statement('UPDATE indexes SET spec = ? WHERE id = ?').run(encode(spec), index.id);
      collection.indexes = collection.indexes.map((each) =>
        each === index ? makeIndex(index.id, spec, index.multikey) : each,
      );
    });
  }

  /** Drops an index. */
  dropIndex(collection: Collection, index: Index): void {
    this.change(() => {
      this.sql.statement('DELETE FROM indexes WHERE id = ?').run(index.id);
      if (index.name !== '_id_') this.sql.sqlite.exec(`DROP TABLE i${index.id}`);
      collection.indexes = collection.indexes.filter((each) => each !== index);
    });
  }
}

function checkName(database: string, name: string): void {
  if (database === '' || /[/\\. "$*<>:|?\0]/.test(database) || database.length > 63) {
    fail('InvalidNamespace', `Invalid namespace specified '${database}.${name}'`);
  }
  if (name === '' || name.startsWith('.') || name.endsWith('.') || /[$\0]/.test(name)) {
    fail('InvalidNamespace', `Invalid collection name: ${name}`);
  }
  if (Buffer.byteLength(name) > 235)
    fail('InvalidNamespace', `Fully qualified namespace is too long: ${name}`);
}
