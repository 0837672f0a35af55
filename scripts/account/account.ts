import { disableAccount, enableAccount } from '#shared/data/accounts/disabled.ts';
import type { Db } from '#shared/data/db.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { findUserByEmail } from '#shared/data/users.ts';

const usage = 'Usage: npm run account -- disable|enable|show seller@example.com';

/**
 * Disables, enables or shows the account with an address.
 * @returns what to print
 * @throws Error with a sentence for the operator
 */
export async function runAccountCommand(db: Db, args: readonly string[]): Promise<string> {
  const [action, address, ...rest] = args;
  if (action === undefined || address === undefined || rest.length > 0) throw new Error(usage);
  const email = address.trim().toLowerCase();
  const user = await findUserByEmail(db, email);
  if (!user) throw new Error(`There is no account with the address ${email}.`);
  switch (action) {
    case 'disable': {
      const ended = await disableAccount(db, user._id);
      return `${email} is disabled (sessions ended: ${ended.length}). Its plan still renews: cancel it at Stripe if needed.`;
    }
    case 'enable':
      await enableAccount(db, user._id);
      return `${email} can sign in again.`;
    case 'show': {
      const since = (await findProfile(db, user._id))?.disabled_at;
      return since ? `${email} has been disabled since ${since.toISOString()}.` : `${email} can sign in.`;
    }
    default:
      throw new Error(usage);
  }
}
