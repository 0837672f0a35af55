import { decode } from '../bson/decode.ts';
import { encode } from '../bson/encode.ts';
import type { Doc, Value } from '../bson/values.ts';
import { fail, MongoServerError } from '../errors.ts';
import { Collection } from './collection.ts';
import type { Database } from './database.ts';
import { type Index, makeIndex } from './indexes.ts';

const TABLES = `
  CREATE TABLE IF NOT EXISTS collections (
    id INTEGER PRIMARY KEY AUTOINCREMENT, database TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (database, name));
  CREATE TABLE IF NOT EXISTS indexes (
    id INTEGER PRIMARY KEY AUTOINCREMENT, collection INTEGER NOT NULL, spec BLOB NOT NULL, multikey INTEGER NOT NULL);
`;

/** All collections and indexes, in memory and in two tables. */
export class Catalog {
  readonly sql: Database;
  #collections = new Map<string, Collection>();

  constructor(sql: Database) {
    this.sql = sql;
    if (sql.sqlite.prepare("SELECT 1 FROM pragma_table_info('collections') WHERE name = 'uuid'").get()) {
      throw new Error(
        'The data folder was written by an earlier version. Remove it to begin with an empty one.',
      );
    }
    sql.sqlite.exec(TABLES);
    this.#load();
  }

  #load(): void {
    this.#collections.clear();
    for (const row of this.sql.statement('SELECT * FROM collections ORDER BY id').all()) {
      const { id, database, name } = row as { id: number; database: string; name: string };
      const collection = new Collection(this.sql, id, database, name);
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
    return this.find(database, name) ?? this.create(database, name);
  }

  /** Creates a collection with its `_id` index. @throws InvalidNamespace (73) */
  create(database: string, name: string): Collection {
    checkName(database, name);
    return this.change(() => {
      const { lastInsertRowid } = this.sql
        .statement('INSERT INTO collections (database, name) VALUES (?, ?)')
        .run(database, name);
      const id = Number(lastInsertRowid);
      this.sql.sqlite.exec(
        `CREATE TABLE c${id} (record INTEGER PRIMARY KEY AUTOINCREMENT, key BLOB NOT NULL UNIQUE, doc BLOB NOT NULL)`,
      );
      const collection = new Collection(this.sql, id, database, name);
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
