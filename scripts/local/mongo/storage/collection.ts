import { decode } from '../bson/decode.ts';
import type { Doc } from '../bson/values.ts';
import { fail } from '../errors.ts';
import type { Database } from './database.ts';
import { duplicateKey, entriesOf, type Index } from './indexes.ts';
import { encodeKey } from './key.ts';

/** The size limit of documents: 16 MiB, and as in MongoDB some more for what an update adds. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** A stored document. `document` is shared and must not be changed. */
export interface Stored {
  /** Increases with every insert; this is the natural order. */
  record: number;
  bytes: Buffer;
  document: Doc;
}

/** A document that is decoded on first use. */
class StoredDocument implements Stored {
  readonly record: number;
  readonly bytes: Buffer;
  #document: Doc | undefined;
  constructor(record: number, bytes: Buffer, document?: Doc) {
    this.record = record;
    this.bytes = bytes;
    this.#document = document;
  }
  get document(): Doc {
    this.#document ??= decode(this.bytes);
    return this.#document;
  }
}

/** @throws BSONObjectTooLarge (10334) */
function checkSize(bytes: Buffer): void {
  if (bytes.length <= MAX_DOCUMENT_BYTES) return;
  fail(
    'BSONObjectTooLarge',
    `BSONObj size: ${bytes.length} (0x${bytes.length.toString(16).toUpperCase()}) is invalid. Size must be between 0 and 16793600(16MB)`,
  );
}

/** A value of SQLite as a Buffer, without copying it. */
function asBuffer(value: unknown): Buffer {
  const bytes = value as Uint8Array;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const CACHE_ENTRIES = 5000;
const CACHE_DOCUMENT_BYTES = 16 * 1024;

/** The documents that were used last. Large documents are not kept. */
class DocumentCache {
  #documents = new Map<number, Stored>();

  get(record: number): Stored | undefined {
    const cached = this.#documents.get(record);
    if (!cached) return undefined;
    // A map keeps the order of insertion, so the first entry is the least recently used.
    this.#documents.delete(record);
    this.#documents.set(record, cached);
    return cached;
  }

  /** Adds or replaces a document and returns it. */
  set(stored: Stored): Stored {
    this.#documents.delete(stored.record);
    if (stored.bytes.length > CACHE_DOCUMENT_BYTES) return stored;
    if (this.#documents.size >= CACHE_ENTRIES) this.#documents.delete(this.#documents.keys().next().value!);
    this.#documents.set(stored.record, stored);
    return stored;
  }

  delete(record: number): void {
    this.#documents.delete(record);
  }
}

/** An entry of an index: the key of a document, and its record number. */
export interface IndexEntry {
  key: Buffer;
  record: number;
}

/** The tables of a collection's indexes. The `_id` index has none of its own: its key is a column of `c<id>`. */
class IndexTables {
  readonly #sql: Database;
  readonly #collectionId: number;
  readonly #namespace: string;

  constructor(sql: Database, collectionId: number, namespace: string) {
    this.#sql = sql;
    this.#collectionId = collectionId;
    this.#namespace = namespace;
  }

  /** Up to `limit` entries of an index from `low` (inclusive) to `high` (exclusive). */
  read(
    index: Index,
    low: Buffer,
    high: Buffer,
    after: IndexEntry | undefined,
    limit: number,
    reverse: boolean,
  ): IndexEntry[] {
    const order = reverse ? 'ORDER BY key DESC, record DESC' : 'ORDER BY key, record';
    // A continued scan moves the bound of the range itself, because SQLite cannot seek by a comparison of two
    // columns.
    const range = !after
      ? 'key >= ? AND key < ?'
      : reverse
        ? 'key >= ? AND key <= ?'
        : 'key >= ? AND key < ?';
    const resume = !after ? '' : `AND (key, record) ${reverse ? '<' : '>'} (?, ?)`;
    const table = index.name === '_id_' ? `c${this.#collectionId}` : `i${index.id}`;
    const statement = this.#sql.statement(
      `SELECT key, record FROM ${table} WHERE ${range} ${resume} ${order} LIMIT ?`,
    );
    const rows = !after
      ? statement.all(low, high, limit)
      : reverse
        ? statement.all(low, after.key, after.key, after.record, limit)
        : statement.all(after.key, high, after.key, after.record, limit);
    return rows.map((row) => ({ key: asBuffer(row.key), record: row.record as number }));
  }

  /** @throws DuplicateKey (11000) when another document has one of the keys in a unique index */
  checkUnique(index: Index, keys: Buffer[], record: number | undefined, document: Doc): void {
    if (!index.unique) return;
    const find = this.#sql.statement(
      `SELECT record FROM i${index.id} WHERE key = ? AND record IS NOT ? LIMIT 1`,
    );
    for (const key of keys) {
      if (find.get(key, record ?? null)) throw duplicateKey(this.#namespace, index, document);
    }
  }

  add(index: Index, keys: Buffer[], multikey: boolean, record: number): void {
    const insert = this.#sql.statement(`INSERT INTO i${index.id} (key, record) VALUES (?, ?)`);
    for (const key of keys) insert.run(key, record);
    if (!multikey || index.multikey) return;
    this.#sql.statement('UPDATE indexes SET multikey = 1 WHERE id = ?').run(index.id);
    index.multikey = true;
  }

  remove(index: Index, keys: Buffer[], record: number): void {
    const remove = this.#sql.statement(`DELETE FROM i${index.id} WHERE key = ? AND record = ?`);
    for (const key of keys) remove.run(key, record);
  }
}

/**
 * One collection: its table `c<id>` (record, key, doc), the tables of its indexes `i<id>` (key, record), and a cache.
 */
export class Collection {
  readonly id: number;
  readonly database: string;
  readonly name: string;
  indexes: Index[] = [];
  readonly entries: IndexTables;
  /** Incremented by every change, so that a scan that has read ahead knows when to read again. */
  version = 0;
  readonly #sql: Database;
  readonly #cache = new DocumentCache();

  constructor(sql: Database, id: number, database: string, name: string) {
    this.#sql = sql;
    this.id = id;
    this.database = database;
    this.name = name;
    this.entries = new IndexTables(sql, id, this.namespace);
  }

  /** `database.collection`. */
  get namespace(): string {
    return `${this.database}.${this.name}`;
  }

  /** The document with this record number; undefined when it has been deleted. */
  read(record: number): Stored | undefined {
    const cached = this.#cache.get(record);
    if (cached) return cached;
    const row = this.#sql.statement(`SELECT doc FROM c${this.id} WHERE record = ?`).get(record);
    return row ? this.#cache.set(new StoredDocument(record, asBuffer(row.doc))) : undefined;
  }

  /** The record number for an `_id`; undefined when it does not exist. */
  recordOf(id: Buffer): number | undefined {
    return this.#sql.statement(`SELECT record FROM c${this.id} WHERE key = ?`).get(id)?.record as
      | number
      | undefined;
  }

  /** Up to `limit` documents in natural order after a record. */
  readAfter(record: number, limit: number): Stored[] {
    return this.#sql
      .statement(`SELECT record, doc FROM c${this.id} WHERE record > ? ORDER BY record LIMIT ?`)
      .all(record, limit)
      .map((row) => new StoredDocument(row.record as number, asBuffer(row.doc)));
  }

  /** Inserts a document that has an `_id`. @throws DuplicateKey (11000), BSONObjectTooLarge (10334) */
  insert(document: Doc, bytes: Buffer): Stored {
    checkSize(bytes);
    const key = encodeKey(document.get('_id')!);
    if (this.recordOf(key) !== undefined) throw duplicateKey(this.namespace, this.indexes[0]!, document);
    const entries = this.indexes.slice(1).map((index) => ({ index, ...entriesOf(index, document) }));
    for (const { index, keys } of entries) this.entries.checkUnique(index, keys, undefined, document);
    return this.#sql.atomically(() => {
      const { lastInsertRowid } = this.#sql
        .statement(`INSERT INTO c${this.id} (key, doc) VALUES (?, ?)`)
        .run(key, bytes);
      const record = Number(lastInsertRowid);
      for (const { index, keys, multikey } of entries) this.entries.add(index, keys, multikey, record);
      this.version++;
      return this.#cache.set(new StoredDocument(record, bytes, document));
    });
  }

  /** Replaces a document by another one with the same `_id`. @throws as insert does */
  replace(stored: Stored, document: Doc, bytes: Buffer): Stored {
    checkSize(bytes);
    const changes = this.indexes.slice(1).flatMap((index) => {
      const before = entriesOf(index, stored.document).keys;
      const { keys, multikey } = entriesOf(index, document);
      const removed = before.filter((key) => !keys.some((other) => other.equals(key)));
      const added = keys.filter((key) => !before.some((other) => other.equals(key)));
      return removed.length + added.length === 0 ? [] : [{ index, removed, added, multikey }];
    });
    for (const { index, added } of changes) this.entries.checkUnique(index, added, stored.record, document);
    return this.#sql.atomically(() => {
      this.#sql.statement(`UPDATE c${this.id} SET doc = ? WHERE record = ?`).run(bytes, stored.record);
      for (const { index, removed, added, multikey } of changes) {
        this.entries.remove(index, removed, stored.record);
        this.entries.add(index, added, multikey, stored.record);
      }
      this.version++;
      return this.#cache.set(new StoredDocument(stored.record, bytes, document));
    });
  }

  /** Deletes a document. */
  remove(stored: Stored): void {
    this.#sql.atomically(() => {
      this.#sql.statement(`DELETE FROM c${this.id} WHERE record = ?`).run(stored.record);
      for (const index of this.indexes.slice(1)) {
        this.entries.remove(index, entriesOf(index, stored.document).keys, stored.record);
      }
      this.#cache.delete(stored.record);
      this.version++;
    });
  }

  /** Fills a new index from all documents. @throws DuplicateKey (11000) when they violate a unique index */
  build(index: Index): void {
    let last = 0;
    for (;;) {
      const chunk = this.readAfter(last, 500);
      if (chunk.length === 0) return;
      for (const { record, document } of chunk) {
        const { keys, multikey } = entriesOf(index, document);
        this.entries.checkUnique(index, keys, record, document);
        this.entries.add(index, keys, multikey, record);
        last = record;
      }
    }
  }
}
