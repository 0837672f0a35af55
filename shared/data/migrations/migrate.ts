import type { UmzugStorage } from 'umzug';
import { connectionOf } from '#shared/data/collection.ts';
import type { Db } from '#shared/data/db.ts';
import { createIndexes } from '#shared/data/indexes.ts';
import { withLock } from '#shared/data/locks.ts';
import { migrations as allMigrations } from './index.ts';
import type { Database, Migration } from './migration.ts';

/** Receives a line about each migration and about waiting. */
export interface MigrationLog {
  info(line: string): void;
}

export interface MigrateOptions {
  /** The migrations to execute; all unless given. */
  migrations?: readonly Migration[];
  /** How long other processes wait after this one has crashed, in ms. */
  leaseMs?: number;
}

/**
 * Executes the migrations that the database has not had yet. Several processes may call it at the same time: one executes
 * them, the others wait. If none is pending, it costs one read.
 * @returns the names of the migrations that this call executed
 * @throws when a migration fails, or when the database was migrated by a newer version
 */
export async function migrate(
  db: Db,
  log: MigrationLog,
  { migrations = allMigrations, leaseMs = 30_000 }: MigrateOptions = {},
): Promise<string[]> {
  const database = databaseOf(db);
  if ((await findPending(database, migrations)).length === 0) return [];
  const onWait = () => log.info('waiting: another process is migrating the database');
  return withLock(db, 'migrations', { leaseMs, onWait }, async (lock) => {
    // Loaded only when needed: it contains a command line of its own.
    const { Umzug } = await import('umzug');
    const umzug = new Umzug({
      migrations: migrations.map(({ name, up, indexes = {} }) => ({
        name,
        async up() {
          await lock.assertHeld();
          const startedAt = performance.now();
          await up?.(database);
          await createIndexes(db, indexes);
          log.info(`migrated the database: ${name}, ${Math.round(performance.now() - startedAt)} ms`);
        },
      })),
      storage: storageOf(database),
      logger: undefined,
    });
    return (await umzug.up()).map(({ name }) => name);
  });
}

/**
 * For programs that read the database but must not change it.
 * @throws when migrations are pending, or when the database was migrated by a newer version
 */
export async function assertMigrated(db: Db): Promise<void> {
  const [pending] = await findPending(databaseOf(db), allMigrations);
  if (pending)
    throw new Error(`the database needs ${pending.name}: start Packshot, or run \`npm run migrate\``);
}

/** The first migration of all versions before 1.0.0, none of which was released. */
const firstBeforeRelease = '0001-first-release';

/** @throws when the database has a migration that this version does not know */
async function findPending(database: Database, known: readonly Migration[]): Promise<Migration[]> {
  const executed = await readExecuted(database);
  if (executed.includes(firstBeforeRelease)) {
    throw new Error(
      'the database is of a version of Packshot before 1.0.0, whose data no later version reads: begin with an empty ' +
        'database (with `npm start`: move the folder .data away)',
    );
  }
  const unknown = executed.find((name) => known.every((migration) => migration.name !== name));
  if (unknown !== undefined) {
    throw new Error(
      `the database was migrated by a newer version of Packshot (${unknown}): run that version`,
    );
  }
  return known.filter(({ name }) => !executed.includes(name));
}

function databaseOf(db: Db): Database {
  const { db: database } = connectionOf(db);
  if (!database) throw new Error('there is no connection to MongoDB');
  return database;
}

/** A migration that was executed. */
interface ExecutedMigration {
  /** The migration's name. */
  _id: string;
  executed_at: Date;
}

const executedIn = (database: Database) => database.collection<ExecutedMigration>('migrations');

async function readExecuted(database: Database): Promise<string[]> {
  const rows = await executedIn(database).find().sort({ _id: 1 }).toArray();
  return rows.map(({ _id }) => _id);
}

/** Where umzug records executed migrations. Its own `MongoDBStorage` stores no time, and may store a name twice. */
function storageOf(database: Database): UmzugStorage {
  return {
    executed: () => readExecuted(database),
    async logMigration({ name }) {
      await executedIn(database).updateOne(
        { _id: name },
        { $setOnInsert: { executed_at: new Date() } },
        { upsert: true },
      );
    },
    async unlogMigration({ name }) {
      await executedIn(database).deleteOne({ _id: name });
    },
  };
}
