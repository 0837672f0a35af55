import { setTimeout as wait } from 'node:timers/promises';
import type { UmzugStorage } from 'umzug';
import { connectionOf } from '#shared/data/collection.ts';
import type { Db } from '#shared/data/db.ts';
import { createIndexes } from '#shared/data/indexes.ts';
import { withLock } from '#shared/data/locks.ts';
import { listOlderProcesses, type RunningProcess } from '#shared/data/queue/processes.ts';
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

/** A newer version has changed the database: this version must neither read nor write it. */
export class NewerDatabaseError extends Error {}

/**
 * Executes the migrations that the database has not had yet. Several processes may call it at the same time: one executes
 * them, the others wait. If none is pending, it costs one read.
 * @returns the names of the migrations that this call executed
 * @throws when a migration fails, when one must wait until older processes are stopped and they are not, or a
 * NewerDatabaseError
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
    const exclusive = (await findPending(database, migrations)).find(isExclusive);
    if (exclusive) await awaitOlderStopped(db, exclusive.name, log);
    // Loaded only when needed: it contains a command line of its own.
    const { Umzug } = await import('umzug');
    const umzug = new Umzug({
      migrations: migrations.map((migration) => ({
        name: migration.name,
        async up() {
          const { name, up, indexes = {} } = migration;
          await lock.assertHeld();
          const startedAt = performance.now();
          if (isExclusive(migration)) await begin(db, name);
          await up?.(database);
          await createIndexes(db, indexes);
          log.info(`migrated the database: ${name}, ${Math.round(performance.now() - startedAt)} ms`);
        },
      })),
      storage: storageOf(database, migrations),
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
  const [pending] = await listPending(db);
  if (pending)
    throw new Error(`the database needs ${pending.name}: start Packshot, or run \`npm run migrate\``);
}

/** In place of migrations while a backup is restored (`shared/data/dump.ts`). */
export const restoringRow = 'restoring';

/** The first migration of all versions before 1.0.0, none of which was released. */
const firstBeforeRelease = '0001-first-release';

/** Whether no process that does not know the migration may run beside it or after it. */
export const isExclusive = ({ up }: Migration) => up !== undefined;

/**
 * For processes that have said that they run: a newer version that then begins to migrate sees them, and one that has begun
 * is seen here.
 * @throws a NewerDatabaseError
 */
export async function assertNotNewer(db: Db): Promise<void> {
  await listPending(db);
}

/** @returns the migrations that the database has not had, in their order. @throws a NewerDatabaseError */
export function listPending(db: Db): Promise<Migration[]> {
  return findPending(databaseOf(db), allMigrations);
}

async function findPending(database: Database, known: readonly Migration[]): Promise<Migration[]> {
  const rows = await readRows(database);
  if (rows.some(({ _id }) => _id === firstBeforeRelease)) {
    throw new Error(
      'the database is of a version of Packshot before 1.0.0, whose data no later version reads: begin with an empty ' +
        'database (with `npm start`: move the folder .data away)',
    );
  }
  if (rows.some(({ _id }) => _id === restoringRow)) {
    throw new Error(
      'a backup is being restored into the database, or that was interrupted: run `npm run restore` again',
    );
  }
  const newer = rows.find(
    ({ _id, beside_older }) => !beside_older && known.every(({ name }) => name !== _id),
  );
  if (newer !== undefined) {
    throw new NewerDatabaseError(
      `the database was migrated by a newer version of Packshot (${newer._id}): run that version`,
    );
  }
  const executed = new Set(executedOf(rows));
  return known.filter(({ name }) => !executed.has(name));
}

/** How often older processes are looked for, in ms. */
const lookMs = 500;

/**
 * Waits until no process runs that does not know a migration. One that was killed counts until its last report expires; one
 * that reports meanwhile runs.
 * @throws an Error that names those that run
 */
async function awaitOlderStopped(db: Db, migration: string, log: MigrationLog): Promise<void> {
  const first = await listOlderProcesses(db, migration);
  const lastReports = new Map(first.map(({ id, until }) => [id, until.getTime()]));
  if (first.length > 0) log.info(`waiting: whether ${nameAll(first)} still runs`);
  for (let older = first; older.length > 0; older = await listOlderProcesses(db, migration)) {
    const running = older.filter(({ id, until }) => lastReports.get(id) !== until.getTime());
    if (running.length > 0) throw mustBeStopped(migration, running);
    await wait(lookMs);
  }
}

/**
 * Records that an exclusive migration begins, so that no older process starts meanwhile.
 * @throws when one started just before
 */
async function begin(db: Db, name: string): Promise<void> {
  const rows = rowsOf(databaseOf(db));
  await rows.updateOne({ _id: name }, { $setOnInsert: { begun_at: new Date() } }, { upsert: true });
  const older = await listOlderProcesses(db, name);
  if (older.length === 0) return;
  await rows.deleteOne({ _id: name, executed_at: { $exists: false } });
  throw mustBeStopped(name, older);
}

const nameAll = (processes: readonly RunningProcess[]) => processes.map(({ name }) => name).join(', ');

const mustBeStopped = (migration: string, running: readonly RunningProcess[]) =>
  new Error(
    `stop every server and worker of an older version before ${migration}. Running: ${nameAll(running)}`,
  );

function databaseOf(db: Db): Database {
  const { db: database } = connectionOf(db);
  if (!database) throw new Error('there is no connection to MongoDB');
  return database;
}

/** A migration that was executed, or has begun. */
interface MigrationRow {
  /** The migration's name. */
  _id: string;
  /** Of exclusive ones. */
  begun_at?: Date;
  executed_at?: Date;
  /** Processes that do not know it may run. */
  beside_older?: boolean;
}

const rowsOf = (database: Database) => database.collection<MigrationRow>('migrations');

const readRows = (database: Database) => rowsOf(database).find().sort({ _id: 1 }).toArray();

const executedOf = (rows: readonly MigrationRow[]) =>
  rows.filter(({ executed_at }) => executed_at).map(({ _id }) => _id);

/** Where umzug records executed migrations. Its own `MongoDBStorage` stores no time, and may store a name twice. */
function storageOf(database: Database, migrations: readonly Migration[]): UmzugStorage {
  const exclusive = new Set(migrations.filter(isExclusive).map(({ name }) => name));
  return {
    executed: async () => executedOf(await readRows(database)),
    async logMigration({ name }) {
      await rowsOf(database).updateOne(
        { _id: name },
        { $set: { executed_at: new Date(), ...(exclusive.has(name) ? {} : { beside_older: true }) } },
        { upsert: true },
      );
    },
    async unlogMigration() {
      throw new Error('migrations are not undone');
    },
  };
}
