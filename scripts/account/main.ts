/**
 * `npm run account -- disable|enable|show seller@example.com`: for the operator, for an account that must not be used; and
 * `npm run account -- reset-two-factor seller@example.com "reason"`, for a seller who cannot give a code any more. Works on
 * the database of MONGODB_URL if it is set, else on the data of `npm start`.
 */
import { runOnDatabase } from '#scripts/start/database.ts';
import { assertMigrated } from '#shared/data/migrations/migrate.ts';
import { runAccountCommand, usage } from './account.ts';

const args = process.argv.slice(2);
if (args.includes('--help')) {
  console.log(usage);
  process.exit();
}
await runOnDatabase('account', async (db) => {
  await assertMigrated(db);
  console.log(`account: ${await runAccountCommand(db, args)}`);
});
