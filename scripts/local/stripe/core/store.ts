/** Stores every object as JSON in SQLite, with indexed columns for lists and for the clock. */
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { Kind, Kinds, Stored } from '../objects.ts';
import { dueOf, linksOf } from './links.ts';

/**
 * Filters a list. `owner` is the subscription of an invoice, the product of a price, the type of an event, and so on.
 */
export interface Where {
  customer?: string | undefined;
  owner?: string | undefined;
}

/** The data of one server. It is synchronous: operations cannot interleave. */
export class Store {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #depth = 0;
  /** Called after every outermost transaction that was committed. */
  onCommit: () => void = () => {};

  /**
   * @param dataFolder an existing folder; data is kept in memory without one
   * @throws when another process uses the folder: two clocks must not process the same invoices
   */
  constructor(dataFolder: string | undefined) {
    this.#database = new DatabaseSync(
      dataFolder === undefined ? ':memory:' : join(dataFolder, 'stripe.sqlite'),
    );
    try {
      this.#database.exec(
        'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL',
      );
      this.#database.exec(schema);
    } catch (error) {
      this.#database.close();
      if (!/locked/.test((error as Error).message)) throw error;
      throw new Error(`another local Stripe uses the data in ${dataFolder}`, { cause: error });
    }
  }

  close(): void {
    this.#database.close();
  }

  /** Runs a statement; statements are prepared once. */
  run(sql: string, ...values: SQLInputValue[]): { changes: number; lastInsertRowid: number } {
    const { changes, lastInsertRowid } = this.#prepare(sql).run(...values);
    return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) };
  }

  /** The rows of a query, as plain objects with SQLite's values. */
  rows<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Runs a function in a transaction. An error rolls it back. A nested transaction can be rolled back on its own. */
  transaction<Result>(work: () => Result): Result {
    const depth = this.#depth;
    const [begin, commit, undo] =
      depth === 0
        ? ['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK']
        : [
            `SAVEPOINT part${depth}`,
            `RELEASE part${depth}`,
            `ROLLBACK TO part${depth}; RELEASE part${depth}`,
          ];
    this.#database.exec(begin);
    this.#depth += 1;
    let result: Result;
    try {
      result = work();
    } catch (error) {
      this.#depth -= 1;
      this.#database.exec(undo);
      throw error;
    }
    this.#depth -= 1;
    this.#database.exec(commit);
    if (depth === 0) this.onCommit();
    return result;
  }

  /** A copy of an object, or undefined when there is no such id of that kind. */
  get<K extends Kind>(kind: K, id: string): Kinds[K] | undefined {
    const [row] = this.rows<{ body: string }>('SELECT body FROM objects WHERE id = ? AND kind = ?', id, kind);
    return row === undefined ? undefined : (JSON.parse(row.body) as Kinds[K]);
  }

  /** An object of any kind by its id. */
  find(id: string): Stored | undefined {
    const [row] = this.rows<{ body: string }>('SELECT body FROM objects WHERE id = ?', id);
    return row === undefined ? undefined : (JSON.parse(row.body) as Stored);
  }

  /** Inserts or replaces an object; a replaced object keeps its position in lists. */
  put(object: Stored): void {
    const { customer = null, owner = null } = linksOf(object);
    this.run(
      `INSERT INTO objects (id, kind, customer, owner, due, body) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, customer = excluded.customer, owner = excluded.owner,
         due = excluded.due, body = excluded.body`,
      object.id,
      object.object,
      customer,
      owner,
      dueOf(object),
      JSON.stringify(object),
    );
  }

  remove(id: string): void {
    this.run('DELETE FROM objects WHERE id = ?', id);
  }

  /** All objects of a kind, newest first. */
  list<K extends Kind>(kind: K, where: Where = {}, limit = -1): Kinds[K][] {
    const conditions = ['kind = ?'];
    const values: SQLInputValue[] = [kind];
    for (const name of ['customer', 'owner'] as const) {
      const value = where[name];
      if (value === undefined) continue;
      conditions.push(`${name} = ?`);
      values.push(value);
    }
    const sql = `SELECT body FROM objects WHERE ${conditions.join(' AND ')} ORDER BY seq DESC LIMIT ?`;
    return this.rows<{ body: string }>(sql, ...values, limit).map((row) => JSON.parse(row.body) as Kinds[K]);
  }

  /** The object that is due first, with its time in Unix seconds. */
  nextDue(): { object: Stored; due: number } | undefined {
    const [row] = this.rows<{ body: string; due: number }>(
      'SELECT body, due FROM objects WHERE due IS NOT NULL ORDER BY due, seq LIMIT 1',
    );
    return row === undefined ? undefined : { object: JSON.parse(row.body) as Stored, due: row.due };
  }

  setting(name: string): string | undefined {
    return this.rows<{ value: string }>('SELECT value FROM settings WHERE name = ?', name)[0]?.value;
  }

  setSetting(name: string, value: string): void {
    this.run(
      'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      name,
      value,
    );
  }
}

/** The tables of the store. */
const schema = `
  CREATE TABLE IF NOT EXISTS objects (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    customer TEXT,
    owner TEXT,
    due INTEGER,
    body TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS objects_by_kind ON objects (kind, seq);
  CREATE INDEX IF NOT EXISTS objects_by_customer ON objects (customer, kind, seq) WHERE customer IS NOT NULL;
  CREATE INDEX IF NOT EXISTS objects_by_owner ON objects (owner, kind, seq) WHERE owner IS NOT NULL;
  CREATE INDEX IF NOT EXISTS objects_by_due ON objects (due, seq) WHERE due IS NOT NULL;
  CREATE TABLE IF NOT EXISTS deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event TEXT NOT NULL,
    type TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    url TEXT NOT NULL,
    state TEXT NOT NULL,
    next_at INTEGER NOT NULL,
    attempts TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS deliveries_pending ON deliveries (next_at) WHERE state = 'pending';
  CREATE INDEX IF NOT EXISTS deliveries_by_event ON deliveries (event);
  CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    request_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    status INTEGER NOT NULL,
    body TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS replies_by_age ON replies (at);
  CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
`;
