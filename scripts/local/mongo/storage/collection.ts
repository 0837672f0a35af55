import type { Doc } from '../bson/values.ts';
import type { Database } from './database.ts';
import { asBuffer, checkSize, DocumentCache, type Stored, StoredDocument } from './documents.ts';
import { IndexTables } from './entries.ts';
import { duplicateKey, entriesOf, type Index } from './indexes.ts';
import { encodeKey } from './key.ts';

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
