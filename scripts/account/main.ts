/**
 * `npm run account -- disable|enable|show seller@example.com`: for the operator, for an account that must not be used;
 * `export` and `delete`, for a person who asks for it; and `reset-two-factor`, for a seller who cannot give a code any more.
 * Works on the database of MONGODB_URL if it is set, else on the data of `npm start`.
 */
import { operatorBillingChoices } from '#contract';
import { runOperatorsCommand } from '#scripts/start/database.ts';
import { accountAction } from './account.ts';

await runOperatorsCommand(
  'account',
  {
    about:
      'Disables, enables or shows the account with an address; exports or deletes it for the person who asks; reset-two-factor turns its two-factor sign-in off.',
    words: 'disable|enable|show|export|delete|reset-two-factor ADDRESS [REASON]',
    options: {
      billing: {
        takes: operatorBillingChoices,
        about: 'what becomes of a plan: disable takes the first two and leave, enable renew and leave',
      },
      reason: {
        takes: 'REASON',
        about: 'why, for the audit log; export, delete and reset-two-factor need it',
      },
      to: { takes: 'FILE', about: 'the ZIP that export writes; it must not exist' },
    },
  },
  accountAction,
);
