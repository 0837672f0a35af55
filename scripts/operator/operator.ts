import type { OperatorsAction } from '#scripts/start/database.ts';
import type { Db } from '#shared/data/db.ts';
import { grantOperator, listOperators, revokeOperator } from '#shared/data/operator/operators.ts';
import { actOnAccount, type CommandAccount } from './act-on-account.ts';

const usage = 'Usage: npm run operator -- grant|revoke seller@example.com, or npm run operator -- list';

/**
 * Gives the role of operator to the account with an address, takes it, or lists who has it. The audit log has each try. The
 * action throws an Error with a sentence for the operator.
 * @throws Error that says how the command is used
 */
export function operatorAction(words: readonly string[]): OperatorsAction {
  const [action, address, ...rest] = words;
  if (action === 'list' && address === undefined) return describeOperators;
  if ((action !== 'grant' && action !== 'revoke') || address === undefined || rest.length > 0) {
    throw new Error(usage);
  }
  return (db) =>
    actOnAccount(db, `${action}-role`, address, (account) =>
      action === 'grant' ? grant(db, account) : revoke(db, account),
    );
}

async function grant(db: Db, { _id, email, sign_up }: CommandAccount): Promise<string> {
  if (sign_up !== null) throw new Error(`${email} has not confirmed its address yet.`);
  if (await grantOperator(db, _id)) return `${email} is now an operator. The pages are at /operator.`;
  throw new Error(
    `${email} has no two-factor sign-in. Turn it on under Account Settings, Security, and run this again.`,
  );
}

async function revoke(db: Db, { _id, email }: CommandAccount): Promise<string> {
  if (await revokeOperator(db, _id)) return `${email} is no longer an operator.`;
  throw new Error(`${email} is not an operator.`);
}

/** Why the pages are closed to an operator. */
const notes = {
  'in force': '',
  off: ', but two-factor sign-in is off: the pages are closed to it',
  suspended:
    ', but suspended: two-factor sign-in was turned off and on again since. If the owner did that, grant the role again',
} as const;

async function describeOperators(db: Db): Promise<string> {
  const operators = await listOperators(db);
  if (operators.length === 0) return 'There are no operators.';
  return operators
    .map(({ email, since, state }) => `${email} since ${since.toISOString()}${notes[state]}`)
    .join('\n');
}
