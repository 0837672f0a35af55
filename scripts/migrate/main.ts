/**
 * `npm run migrate`: executes pending migrations and creates missing indexes, in the database of MONGODB_URL if it is
 * set, else in the data of `npm start`. Server and worker do the same before they serve.
 */
import { openCommandDatabase } from '#scripts/start/database.ts';
import { connectDb, createIndexes } from '#shared/data/connect.ts';
import { migrate } from '#shared/data/migrations/migrate.ts';

const database = await openCommandDatabase();
try {
  const db = await connectDb(database.url);
  try {
    const executed = await migrate(db, { info: say });
    await createIndexes(db);
    say(executed.length === 0 ? 'nothing to migrate' : `executed ${executed.join(', ')}`);
  } finally {
    await db.close();
  }
} catch (error) {
  console.error(`migrate: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  await database.close();
}

function say(line: string): void {
  console.log(`migrate: ${line}`);
}
