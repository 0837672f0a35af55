/**
 * `npm run operator -- grant|revoke seller@example.com`, or `list`: who may use the operator's pages. Works on the database of
 * MONGODB_URL if it is set, else on the data of `npm start`.
 */
import { runOnDatabase } from '#scripts/start/database.ts';
import { assertMigrated } from '#shared/data/migrations/migrate.ts';
import { runOperatorCommand, usage } from './operator.ts';

const args = process.argv.slice(2);
if (args.includes('--help')) {
  console.log(usage);
  process.exit();
}
await runOnDatabase('operator', async (db) => {
  await assertMigrated(db);
  console.log(`operator: ${await runOperatorCommand(db, args)}`);
});
