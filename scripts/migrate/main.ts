/**
 * `npm run migrate`: executes pending migrations, in the database of MONGODB_URL if it is
 * set, else in the data of `npm start`. Server and worker do the same before they serve. Then
 * compares the indexes of the database with those of the schemas, and fails if they differ.
 */
import { parseArgs } from 'node:util';
import { openCommandDatabase } from '#scripts/start/database.ts';
import { connectDb } from '#shared/data/connect.ts';
import { indexDifferences } from '#shared/data/indexes.ts';
import { migrate } from '#shared/data/migrations/migrate.ts';

try {
  // A command that changes the database does nothing when it is asked something that it does not know.
  parseArgs({ options: {} });
  const database = await openCommandDatabase();
  try {
    await migrateAndCompare(database.url);
  } finally {
    await database.close();
  }
} catch (error) {
  console.error(`migrate: ${(error as Error).message}`);
  process.exitCode = 1;
}

async function migrateAndCompare(url: string): Promise<void> {
  const db = await connectDb(url);
  try {
    const executed = await migrate(db, { info: say });
    say(executed.length === 0 ? 'nothing to migrate' : `executed ${executed.join(', ')}`);
    const differences = await indexDifferences(db);
    for (const line of differences) console.error(`migrate: index of ${line}`);
    if (differences.length > 0) process.exitCode = 1;
  } finally {
    await db.close();
  }
}

function say(line: string): void {
  console.log(`migrate: ${line}`);
}
