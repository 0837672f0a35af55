import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

/**
 * The SQLite file in the data folder. One write transaction stays open for everything that happens in one turn of the
 * event loop; `commit` makes it durable (WAL, synchronous=FULL: the log is on disk when commit returns). Without fsync, a
 * commit survives the end of the process but not a power failure.
 */
export class Database {
  readonly sqlite: DatabaseSync;
  #statements = new Map<string, StatementSync>();
  #open = false;
  #depth = 0;

  /** Opens or creates the file. @throws when another process uses it */
  constructor(folder: string, fsync: boolean) {
    mkdirSync(folder, { recursive: true });
    this.sqlite = new DatabaseSync(join(folder, 'mongo.sqlite'), { timeout: 0 });
    try {
      // EXCLUSIVE holds the lock as long as the process lives; the operating system releases it however the process
      // ends.
      this.sqlite.exec(
        `PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = ${fsync ? 'FULL' : 'OFF'}`,
      );
      this.sqlite.exec(
        'PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 4000; PRAGMA temp_store = MEMORY',
      );
      this.sqlite.exec('BEGIN IMMEDIATE; COMMIT');
    } catch (error) {
      this.sqlite.close();
      if (!/locked|busy/i.test((error as Error).message)) throw error;
      throw new Error(
        `The data folder ${folder} is in use by another MongoDB server. Stop that one first, or give another folder.`,
        { cause: error },
      );
    }
  }

  /** A statement; each one is prepared once. */
  statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.sqlite.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Discards prepared statements; must be called before tables are dropped. */
  forgetStatements(): void {
    this.#statements.clear();
  }

  /** Whether there are writes that are not durable yet. */
  get pending(): boolean {
    return this.#open;
  }

  /** Runs a function atomically: when it throws, none of its changes are kept. */
  atomically<Result>(change: () => Result): Result {
    if (!this.#open) {
      this.statement('BEGIN').run();
      this.#open = true;
    }
    const name = `change${this.#depth++}`;
    this.statement(`SAVEPOINT ${name}`).run();
    try {
      const result = change();
      this.statement(`RELEASE ${name}`).run();
      return result;
    } catch (error) {
      this.statement(`ROLLBACK TO ${name}`).run();
      this.statement(`RELEASE ${name}`).run();
      throw error;
    } finally {
      this.#depth--;
    }
  }

  /** Makes all changes durable. @throws when the disk fails; then none of them are kept */
  commit(): void {
    if (!this.#open) return;
    this.#open = false;
    try {
      this.statement('COMMIT').run();
    } catch (error) {
      if (this.sqlite.isTransaction) this.sqlite.exec('ROLLBACK');
      throw error;
    }
  }

  /** Commits and closes the file. */
  close(): void {
    this.commit();
    this.#statements.clear();
    this.sqlite.close();
  }
}
