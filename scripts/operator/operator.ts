import type { Db } from '#shared/data/db.ts';
import { appendOperatorAction, endOperatorAction } from '#shared/data/operator-actions.ts';
import { grantOperator, listOperators, revokeOperator } from '#shared/data/operators.ts';
import { findUserByEmail } from '#shared/data/users.ts';

const usage = 'Usage: npm run operator -- grant|revoke seller@example.com, or npm run operator -- list';

/**
 * Gives the role of operator to the account with an address, takes it, or lists who has it. The audit log has each try.
 * @returns what to print
 * @throws Error with a sentence for the operator
 */
export async function runOperatorCommand(db: Db, args: readonly string[]): Promise<string> {
  const [action, address, ...rest] = args;
  if (action === 'list' && address === undefined) return describeOperators(db);
  if ((action !== 'grant' && action !== 'revoke') || address === undefined || rest.length > 0) {
    throw new Error(usage);
  }
  const email = address.trim().toLowerCase();
  const user = await findUserByEmail(db, email);
  const id = await appendOperatorAction(db, {
    ...{ operator: null, operator_name: 'command line', action: `${action}-role` },
    ...{ target_kind: 'seller', target: user?._id ?? email, reason: '', details: email },
  });
  try {
    if (!user) throw new Error(`There is no account with the address ${email}.`);
    const done = action === 'grant' ? await grant(db, user) : await revoke(db, user);
    await endOperatorAction(db, id, 'done', null);
    return done;
  } catch (error) {
    await endOperatorAction(db, id, 'refused', (error as Error).message);
    throw error;
  }
}

interface Account {
  _id: string;
  email: string;
  sign_up: string | null;
}

async function grant(db: Db, { _id, email, sign_up }: Account): Promise<string> {
  if (sign_up !== null) throw new Error(`${email} has not confirmed its address yet.`);
  if (await grantOperator(db, _id)) return `${email} is an operator now: /operator.`;
  throw new Error(
    `${email} has no two-factor sign-in. Turn it on under Account Settings, Security, and run this again.`,
  );
}

async function revoke(db: Db, { _id, email }: Account): Promise<string> {
  if (await revokeOperator(db, _id)) return `${email} is no operator any more.`;
  throw new Error(`${email} is not an operator.`);
}

async function describeOperators(db: Db): Promise<string> {
  const operators = await listOperators(db);
  if (operators.length === 0) return 'There are no operators.';
  const lines = operators.map(({ email, operator_since: since, two_factor_enabled: twoFactor }) => {
    const note = twoFactor ? '' : ', but two-factor sign-in is off: the pages are closed to it';
    return `${email} since ${since!.toISOString()}${note}`;
  });
  return lines.join('\n');
}
