import type { Doc } from '../bson/values.ts';
import type { Database } from './database.ts';
import { asBuffer } from './documents.ts';
import { duplicateKey, type Index } from './indexes.ts';

/** An entry of an index: the key of a document, and its record number. */
export interface IndexEntry {
  key: Buffer;
  record: number;
}

/** The tables of a collection's indexes. The `_id` index has none of its own: its key is a column of `c<id>`. */
export class IndexTables {
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
