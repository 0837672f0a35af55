/**
 * `npm run operator -- grant|revoke seller@example.com`, or `list`: who may use the operator's pages. Works on the database of
 * MONGODB_URL if it is set, else on the data of `npm start`.
 */
import { openCommandDatabase } from '#scripts/start/database.ts';
import { connectDb } from '#shared/data/connect.ts';
import { assertMigrated } from '#shared/data/migrations/migrate.ts';
import { runOperatorCommand } from './operator.ts';

const database = await openCommandDatabase();
try {
  const db = await connectDb(database.url);
  try {
    await assertMigrated(db);
    console.log(`operator: ${await runOperatorCommand(db, process.argv.slice(2))}`);
  } finally {
    await db.close();
  }
} catch (error) {
  console.error(`operator: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  await database.close();
}
