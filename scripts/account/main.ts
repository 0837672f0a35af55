/**
 * `npm run account -- disable|enable|show seller@example.com`: for the operator, for an account that must not be used; and
 * `npm run account -- reset-two-factor seller@example.com "reason"`, for a seller who cannot give a code any more. Works on
 * the database of MONGODB_URL if it is set, else on the data of `npm start`.
 */
import { openCommandDatabase } from '#scripts/start/database.ts';
import { connectDb } from '#shared/data/connect.ts';
import { assertMigrated } from '#shared/data/migrations/migrate.ts';
import { runAccountCommand } from './account.ts';

const database = await openCommandDatabase();
try {
  const db = await connectDb(database.url);
  try {
    await assertMigrated(db);
    console.log(`account: ${await runAccountCommand(db, process.argv.slice(2))}`);
  } finally {
    await db.close();
  }
} catch (error) {
  console.error(`account: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  await database.close();
}
