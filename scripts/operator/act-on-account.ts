import { asciiAddress, type OperatorActionKind } from '#contract';
import { inAuditLog, lineWithoutOperator } from '#shared/accounts/in-audit-log.ts';
import { findUserByEmail } from '#shared/data/accounts/users.ts';
import type { Db } from '#shared/data/db.ts';

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
  const line = lineWithoutOperator(account?._id ?? email, {
    by: 'command line',
    action,
    details: email,
    reason,
  });
  const act = async () => {
    if (!account) throw noAccount(email);
    return run(account);
  };
  return inAuditLog(db, line, act, { isRefusal: () => true });
}

/** @returns the error for an address without an account */
export const noAccount = (email: string) => new Error(`There is no account with the address ${email}.`);
