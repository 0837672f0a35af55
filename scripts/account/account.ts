import { asciiAddress, operatorReasonSchema } from '#contract';
import { actOnAccount, noAccount } from '#scripts/operator/act-on-account.ts';
import type { OperatorsAction } from '#scripts/start/database.ts';
import { removeTwoFactorNow } from '#shared/accounts/remove-two-factor.ts';
import { disableAccount, enableAccount, findUserByEmail } from '#shared/data/accounts/users.ts';
import type { Db } from '#shared/data/db.ts';
import { findProfile } from '#shared/data/profiles/find.ts';

const usage =
  'Usage: npm run account -- disable|enable|show seller@example.com, or npm run account -- reset-two-factor seller@example.com "reason"';

/**
 * Disables, enables or shows the account with an address, or turns its two-factor sign-in off at once. The audit log of
 * operators has each try, except for what is only shown. The action throws an Error with a sentence for the operator.
 * @throws Error that says how the command is used
 */
export function accountAction(words: readonly string[]): OperatorsAction {
  const [action, address, ...rest] = words;
  if (action === 'reset-two-factor' && address !== undefined) return resetTwoFactor(address, rest);
  if (action === undefined || address === undefined || rest.length > 0) throw new Error(usage);
  switch (action) {
    case 'disable':
      return (db) =>
        actOnAccount(db, 'disable-account', address, async ({ _id, email }) => {
          const ended = await disableAccount(db, _id);
          return `${email} is disabled (sessions ended: ${ended.length}). Its plan still renews: cancel it at Stripe if needed.`;
        });
    case 'enable':
      return (db) =>
        actOnAccount(db, 'enable-account', address, async ({ _id, email }) => {
          await enableAccount(db, _id);
          return `${email} can sign in again.`;
        });
    case 'show':
      return (db) => show(db, asciiAddress(address));
    default:
      throw new Error(usage);
  }
}

/** Removes two-factor sign-in of a seller who has shown the owner of this installation who they are. */
function resetTwoFactor(address: string, rest: readonly string[]): OperatorsAction {
  const reason = operatorReasonSchema.safeParse(rest[0]);
  if (!reason.success || rest.length > 1) throw new Error(usage);
  return (db) =>
    actOnAccount(
      db,
      'remove-two-factor',
      address,
      async (account) => {
        if (!(await removeTwoFactorNow({ db, relay: noRelay }, account))) {
          throw new Error(`${account.email} has no two-factor sign-in.`);
        }
        return `${account.email} signs in with the password only now. All its sessions have ended, and a mail says so.`;
      },
      reason.data,
    );
}

/** Workers look for mails, and servers for sessions that have ended, by themselves as well. */
const noRelay = { publishMail() {}, publishSessionEnd() {} };

async function show(db: Db, email: string): Promise<string> {
  const user = await findUserByEmail(db, email);
  if (!user) throw noAccount(email);
  const since = (await findProfile(db, user._id))?.disabled_at;
  return since ? `${email} has been disabled since ${since.toISOString()}.` : `${email} can sign in.`;
}
