/**
 * `npm run migrate`: executes pending migrations, in the database of MONGODB_URL if it is
 * set, else in the data of `npm start`. Server and worker do the same before they serve. Then
 * compares the indexes of the database with those of the schemas, and fails if they differ.
 */
import { readCommandLine } from '#scripts/command-line.ts';
import { runOnDatabase } from '#scripts/start/database.ts';
import { indexDifferences } from '#shared/data/indexes.ts';
import { migrate } from '#shared/data/migrations/migrate.ts';

const say = (line: string) => console.log(`migrate: ${line}`);

// A command that changes the database does nothing when it is asked something that it does not know.
readCommandLine('migrate', {
  about: 'Executes pending migrations, and compares the indexes of the database with the declared ones.',
});
await runOnDatabase('migrate', async (db) => {
  const executed = await migrate(db, { info: say });
  say(executed.length === 0 ? 'nothing to migrate' : `executed ${executed.join(', ')}`);
  const differences = await indexDifferences(db);
  for (const line of differences) console.error(`migrate: index of ${line}`);
  if (differences.length > 0) process.exitCode = 1;
});
