/**
 * `npm run operator -- grant|revoke seller@example.com`, or `list`: who may use the operator's pages. Works on the database of
 * MONGODB_URL if it is set, else on the data of `npm start`.
 */
import { runOperatorsCommand } from '#scripts/start/database.ts';
import { operatorAction } from './operator.ts';

await runOperatorsCommand(
  'operator',
  {
    about: 'Gives the role of operator to an account, takes it, or lists who has it.',
    words: 'grant|revoke|list [ADDRESS]',
  },
  operatorAction,
);
