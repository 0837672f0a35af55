import { decode } from '../bson/decode.ts';
import type { Doc } from '../bson/values.ts';
import { fail } from '../errors.ts';
import { type Filter, parseFilter } from '../query/filter.ts';
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

const CACHE_ENTRIES = 5000;
const CACHE_DOCUMENT_BYTES = 16 * 1024;

/**
 * One collection: its table `c<id>` (record, key, doc), the tables of its indexes `i<id>` (key, record), and a cache.
 */
export class Collection {
  readonly id: number;
  readonly database: string;
  readonly name: string;
  readonly options: Doc;
  readonly uuid: Buffer;
  indexes: Index[] = [];
  /** What documents must match to be stored (the option `validator`). */
  readonly validator: Filter | undefined;
  /** The definition of a view: a pipeline over another collection. A view holds no documents. */
  readonly view: { on: string; pipeline: Doc[] } | undefined;
  /** Incremented by every change, so that a scan that has read ahead knows when to read again. */
  version = 0;
  readonly #sql: Database;
  #count: number | undefined;
  #cache = new Map<number, Stored>();

  constructor(sql: Database, id: number, database: string, name: string, options: Doc, uuid: Buffer) {
    this.#sql = sql;
    this.id = id;
    this.database = database;
    this.name = name;
    this.options = options;
    this.uuid = uuid;
    const viewOn = options.get('viewOn');
    if (typeof viewOn === 'string')
      this.view = { on: viewOn, pipeline: (options.get('pipeline') ?? []) as Doc[] };
    const validator = options.get('validator');
    this.validator = validator instanceof Map && validator.size > 0 ? parseFilter(validator) : undefined;
  }

  /** `database.collection`. */
  get namespace(): string {
    return `${this.database}.${this.name}`;
  }

  /** The number of documents. */
  get count(): number {
    this.#count ??= this.#sql.statement(`SELECT count(*) AS n FROM c${this.id}`).get()!.n as number;
    return this.#count;
  }

  /** Clears the cache after changes were rolled back. */
  forget(): void {
    this.#count = undefined;
    this.#cache.clear();
  }

  /** The document with this record number; undefined when it has been deleted. */
  read(record: number): Stored | undefined {
    const cached = this.#cache.get(record);
    if (cached) {
      this.#cache.delete(record);
      this.#cache.set(record, cached);
      return cached;
    }
    const row = this.#sql.statement(`SELECT doc FROM c${this.id} WHERE record = ?`).get(record);
    return row ? this.#remember(new StoredDocument(record, asBuffer(row.doc))) : undefined;
  }

  /** The record number for an `_id`; undefined when it does not exist. */
  recordOf(id: Buffer): number | undefined {
    return this.#sql.statement(`SELECT record FROM c${this.id} WHERE key = ?`).get(id)?.record as
      | number
      | undefined;
  }

  /** Up to `limit` documents in natural order after a record (before it when `reverse`). */
  readAfter(record: number, limit: number, reverse: boolean): Stored[] {
    const [compare, order] = reverse ? ['<', 'DESC'] : ['>', 'ASC'];
    return this.#sql
      .statement(
        `SELECT record, doc FROM c${this.id} WHERE record ${compare} ? ORDER BY record ${order} LIMIT ?`,
      )
      .all(record, limit)
      .map((row) => new StoredDocument(row.record as number, asBuffer(row.doc)));
  }

  /** Inserts a document that has an `_id`. @throws DuplicateKey (11000), BSONObjectTooLarge (10334) */
  insert(document: Doc, bytes: Buffer): Stored {
    checkSize(bytes);
    const key = encodeKey(document.get('_id')!);
    if (this.recordOf(key) !== undefined) throw duplicateKey(this.namespace, this.indexes[0]!, document);
    const entries = this.indexes.slice(1).map((index) => ({ index, ...entriesOf(index, document) }));
    for (const { index, keys } of entries) this.#checkUnique(index, keys, undefined, document);
    return this.#sql.atomically(() => {
      const { lastInsertRowid } = this.#sql
        .statement(`INSERT INTO c${this.id} (key, doc) VALUES (?, ?)`)
        .run(key, bytes);
      const record = Number(lastInsertRowid);
      for (const { index, keys, multikey } of entries) this.#addEntries(index, keys, multikey, record);
      if (this.#count !== undefined) this.#count++;
      this.version++;
      return this.#remember(new StoredDocument(record, bytes, document));
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
    for (const { index, added } of changes) this.#checkUnique(index, added, stored.record, document);
    return this.#sql.atomically(() => {
      this.#sql.statement(`UPDATE c${this.id} SET doc = ? WHERE record = ?`).run(bytes, stored.record);
      for (const { index, removed, added, multikey } of changes) {
        this.#removeEntries(index, removed, stored.record);
        this.#addEntries(index, added, multikey, stored.record);
      }
      this.version++;
      return this.#remember(new StoredDocument(stored.record, bytes, document));
    });
  }

  /** Deletes a document. */
  remove(stored: Stored): void {
    this.#sql.atomically(() => {
      this.#sql.statement(`DELETE FROM c${this.id} WHERE record = ?`).run(stored.record);
      for (const index of this.indexes.slice(1)) {
        this.#removeEntries(index, entriesOf(index, stored.document).keys, stored.record);
      }
      this.#cache.delete(stored.record);
      if (this.#count !== undefined) this.#count--;
      this.version++;
    });
  }

  /** Fills a new index from all documents. @throws DuplicateKey (11000) when they violate a unique index */
  build(index: Index): void {
    let last = 0;
    for (;;) {
      const chunk = this.readAfter(last, 500, false);
      if (chunk.length === 0) return;
      for (const { record, document } of chunk) {
        const { keys, multikey } = entriesOf(index, document);
        this.#checkUnique(index, keys, record, document);
        this.#addEntries(index, keys, multikey, record);
        last = record;
      }
    }
  }

  /** Up to `limit` entries of an index from `low` (inclusive) to `high` (exclusive). */
  readEntries(
    index: Index,
    low: Buffer,
    high: Buffer,
    after: { key: Buffer; record: number } | undefined,
    limit: number,
    reverse: boolean,
  ): { key: Buffer; record: number }[] {
    const order = reverse ? 'ORDER BY key DESC, record DESC' : 'ORDER BY key, record';
    // A continued scan moves the bound of the range itself, because SQLite cannot seek by a comparison of two
    // columns.
    const range = !after
      ? 'key >= ? AND key < ?'
      : reverse
        ? 'key >= ? AND key <= ?'
        : 'key >= ? AND key < ?';
    const resume = !after ? '' : `AND (key, record) ${reverse ? '<' : '>'} (?, ?)`;
    const statement = this.#sql.statement(
      `SELECT key, record FROM ${indexTable(this, index)} WHERE ${range} ${resume} ${order} LIMIT ?`,
    );
    const rows = !after
      ? statement.all(low, high, limit)
      : reverse
        ? statement.all(low, after.key, after.key, after.record, limit)
        : statement.all(after.key, high, after.key, after.record, limit);
    return rows.map((row) => ({ key: asBuffer(row.key), record: row.record as number }));
  }

  #checkUnique(index: Index, keys: Buffer[], record: number | undefined, document: Doc): void {
    if (!index.unique) return;
    const find = this.#sql.statement(
      `SELECT record FROM i${index.id} WHERE key = ? AND record IS NOT ? LIMIT 1`,
    );
    for (const key of keys) {
      if (find.get(key, record ?? null)) throw duplicateKey(this.namespace, index, document);
    }
  }

  #addEntries(index: Index, keys: Buffer[], multikey: boolean, record: number): void {
    const insert = this.#sql.statement(`INSERT INTO i${index.id} (key, record) VALUES (?, ?)`);
    for (const key of keys) insert.run(key, record);
    if (!multikey || index.multikey) return;
    this.#sql.statement('UPDATE indexes SET multikey = 1 WHERE id = ?').run(index.id);
    index.multikey = true;
  }

  #removeEntries(index: Index, keys: Buffer[], record: number): void {
    const remove = this.#sql.statement(`DELETE FROM i${index.id} WHERE key = ? AND record = ?`);
    for (const key of keys) remove.run(key, record);
  }

  #remember(stored: Stored): Stored {
    this.#cache.delete(stored.record);
    if (stored.bytes.length > CACHE_DOCUMENT_BYTES) return stored;
    if (this.#cache.size >= CACHE_ENTRIES) this.#cache.delete(this.#cache.keys().next().value!);
    this.#cache.set(stored.record, stored);
    return stored;
  }
}

/** The `_id` index has no table of its own: its key is a column of the collection's table. */
function indexTable(collection: Collection, index: Index): string {
  return index.name === '_id_' ? `c${collection.id}` : `i${index.id}`;
}

function checkSize(bytes: Buffer): void {
  if (bytes.length <= MAX_DOCUMENT_BYTES) return;
  fail(
    'BSONObjectTooLarge',
    `BSONObj size: ${bytes.length} (0x${bytes.length.toString(16).toUpperCase()}) is invalid. Size must be between 0 and 16793600(16MB)`,
  );
}

function asBuffer(value: unknown): Buffer {
  const bytes = value as Uint8Array;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
