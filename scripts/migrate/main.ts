/**
 * `npm run migrate`: executes pending migrations, in the database of MONGODB_URL if it is
 * set, else in the data of `npm start`. Server and worker do the same before they serve. Then
 * compares the indexes of the database with those of the schemas, and fails if they differ.
 * `--check` only says what is pending, and whether everything must be stopped for it. `--indexes` makes those again that differ.
 */
import { readCommandLine } from '#scripts/command-line.ts';
import { runOnDatabase } from '#scripts/start/database.ts';
import type { Db } from '#shared/data/db.ts';
import { indexDifferences, remakeIndexes } from '#shared/data/indexes.ts';
import { isExclusive, listPending, migrate } from '#shared/data/migrations/migrate.ts';

const say = (line: string) => console.log(`migrate: ${line}`);

// A command that changes the database does nothing when it is asked something that it does not know.
const { values } = readCommandLine('migrate', {
  about: 'Executes pending migrations, and compares the indexes of the database with the declared ones.',
  options: {
    check: { about: 'only says what is pending, and whether everything must be stopped for it' },
    indexes: { about: 'makes the indexes again that are missing or differ, while everything runs' },
  },
});
await runOnDatabase('migrate', values.check ? sayPending : migrateAll);

async function sayPending(db: Db): Promise<void> {
  const pending = await listPending(db);
  if (pending.length === 0) return say('nothing to migrate');
  for (const migration of pending) {
    say(
      `pending: ${migration.name}, ${isExclusive(migration) ? 'stop every server and worker before it' : 'while everything runs'}`,
    );
  }
}

async function migrateAll(db: Db): Promise<void> {
  const executed = await migrate(db, { info: say });
  say(executed.length === 0 ? 'nothing to migrate' : `executed ${executed.join(', ')}`);
  if (values.indexes) for (const line of await remakeIndexes(db)) say(`made again: index of ${line}`);
  const differences = await indexDifferences(db);
  for (const line of differences) console.error(`migrate: index of ${line}`);
  if (differences.length > 0) process.exitCode = 1;
}
