import { asciiAddress, type OperatorActionKind } from '#contract';
import { findUserByEmail } from '#shared/data/accounts/users.ts';
import type { Db } from '#shared/data/db.ts';
import { appendOperatorAction, endOperatorAction } from '#shared/data/operator/operator-actions.ts';

/** The account that a command is about. */
export type CommandAccount = NonNullable<Awaited<ReturnType<typeof findUserByEmail>>>;

/**
 * Runs what a command does to the account with an address. The audit log of operators has it before it begins, and how it
 * ended afterwards; one that is refused is logged as well.
 * @param reason why, for commands that ask for it
 * @returns what `run` returns
 * @throws what `run` throws, or Error with a sentence for the operator when there is no such account
 */
export async function actOnAccount(
  db: Db,
  action: OperatorActionKind,
  address: string,
  run: (account: CommandAccount) => Promise<string>,
  reason = '',
): Promise<string> {
  const email = asciiAddress(address);
  const account = await findUserByEmail(db, email);
  const id = await appendOperatorAction(db, {
    operator: null,
    operator_name: 'command line',
    action,
    target_kind: 'seller',
    target: account?._id ?? email,
    reason,
    details: email,
  });
  try {
    if (!account) throw noAccount(email);
    const done = await run(account);
    await endOperatorAction(db, id, 'done', null);
    return done;
  } catch (error) {
    await endOperatorAction(db, id, 'refused', (error as Error).message);
    throw error;
  }
}

/** @returns the error for an address without an account */
export const noAccount = (email: string) => new Error(`There is no account with the address ${email}.`);
