/**
 * `npm run account -- disable|enable|show seller@example.com`: for the operator, for an account that must not be used; and
 * `npm run account -- reset-two-factor seller@example.com "reason"`, for a seller who cannot give a code any more. Works on
 * the database of MONGODB_URL if it is set, else on the data of `npm start`.
 */
import { runOperatorsCommand } from '#scripts/start/database.ts';
import { runAccountCommand, usage } from './account.ts';

await runOperatorsCommand('account', usage, runAccountCommand);
