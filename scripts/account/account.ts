import { asciiAddress } from '#contract';
import { actOnAccount, noAccount } from '#scripts/operator/act-on-account.ts';
import { disableAccount, enableAccount } from '#shared/data/accounts/disabled.ts';
import type { Db } from '#shared/data/db.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { findUserByEmail } from '#shared/data/users.ts';

const usage = 'Usage: npm run account -- disable|enable|show seller@example.com';

/**
 * Disables, enables or shows the account with an address. The audit log of operators has who was disabled and enabled.
 * @returns what to print
 * @throws Error with a sentence for the operator
 */
export async function runAccountCommand(db: Db, args: readonly string[]): Promise<string> {
  const [action, address, ...rest] = args;
  if (action === undefined || address === undefined || rest.length > 0) throw new Error(usage);
  switch (action) {
    case 'disable':
      return actOnAccount(db, 'disable-account', address, async ({ _id, email }) => {
        const ended = await disableAccount(db, _id);
        return `${email} is disabled (sessions ended: ${ended.length}). Its plan still renews: cancel it at Stripe if needed.`;
      });
    case 'enable':
      return actOnAccount(db, 'enable-account', address, async ({ _id, email }) => {
        await enableAccount(db, _id);
        return `${email} can sign in again.`;
      });
    case 'show':
      return show(db, asciiAddress(address));
    default:
      throw new Error(usage);
  }
}

async function show(db: Db, email: string): Promise<string> {
  const user = await findUserByEmail(db, email);
  if (!user) throw noAccount(email);
  const since = (await findProfile(db, user._id))?.disabled_at;
  return since ? `${email} has been disabled since ${since.toISOString()}.` : `${email} can sign in.`;
}
