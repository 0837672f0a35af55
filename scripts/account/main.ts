/**
 * `npm run account -- disable|enable|show seller@example.com`: for the operator, for an account that must not be used; and
 * `npm run account -- reset-two-factor seller@example.com "reason"`, for a seller who cannot give a code any more. Works on
 * the database of MONGODB_URL if it is set, else on the data of `npm start`.
 */
import { runOperatorsCommand } from '#scripts/start/database.ts';
import { accountAction } from './account.ts';

await runOperatorsCommand(
  'account',
  {
    about:
      'Disables, enables or shows the account with an address; reset-two-factor, with a reason, turns its two-factor sign-in off.',
    words: 'disable|enable|show|reset-two-factor ADDRESS [REASON]',
  },
  accountAction,
);
