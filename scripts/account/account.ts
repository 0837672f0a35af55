import {
  asciiAddress,
  type BillingOrderKind,
  liveStatuses,
  type OperatorActionKind,
  type OperatorBillingChoice,
  operatorReasonSchema,
  plans,
} from '#contract';
import { actOnAccount, noAccount } from '#scripts/operator/act-on-account.ts';
import type { OperatorsAction } from '#scripts/start/database.ts';
import { deleteAccount } from '#shared/accounts/delete-account.ts';
import { removeTwoFactorNow } from '#shared/accounts/remove-two-factor.ts';
import { disableAccount, enableAccount, findUserByEmail } from '#shared/data/accounts/users.ts';
import type { Db } from '#shared/data/db.ts';
import { newBillingOrder } from '#shared/data/profiles/billing-orders.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { dateLabel } from '#shared/mail/labels.ts';
import { exportAccount } from './export-account.ts';

const usage =
  'Usage: npm run account -- disable|enable|show|export|delete|reset-two-factor seller@example.com; --help lists the options';

/** The options of the command. */
export interface AccountOptions {
  billing?: OperatorBillingChoice | undefined;
  reason?: string | undefined;
  to?: string | undefined;
}

/**
 * Disables, enables, shows, exports or deletes the account with an address, or turns its two-factor sign-in off at once. The
 * audit log of operators has each try, except for what is only shown. The action throws an Error with a sentence for the
 * operator.
 * @throws Error that says how the command is used
 */
export function accountAction(words: readonly string[], options: AccountOptions = {}): OperatorsAction {
  const [action, address, ...rest] = words;
  if (address === undefined || rest.length > (action === 'reset-two-factor' ? 1 : 0)) throw new Error(usage);
  const reason = options.reason ?? rest[0];
  switch (action) {
    case 'disable':
      return disable(address, options.billing, reason);
    case 'enable':
      return enable(address, options.billing, reason);
    case 'show':
      return (db) => show(db, asciiAddress(address));
    case 'export':
      return exportTo(address, options.to, reason);
    case 'delete':
      return remove(address, reason);
    case 'reset-two-factor':
      return resetTwoFactor(address, reason);
    default:
      throw new Error(usage);
  }
}

/** @returns the reason, checked @throws Error that asks for one */
function required(reason: string | undefined): string {
  const checked = operatorReasonSchema.safeParse(reason);
  if (!checked.success) throw new Error(`${checked.error.issues[0]!.message} --reason takes it.`);
  return checked.data;
}

const orderOf = (kind: OperatorBillingChoice | undefined, profile: ProfileRow | null) =>
  kind === undefined || kind === 'leave' || !profile ? null : newBillingOrder(kind, profile);

/** What a worker does about an order: a command has no key for Stripe. */
const orderNotes: Readonly<Record<BillingOrderKind, string>> = {
  'end-now': 'A worker tells Stripe within seconds that the plan ends at once. Nothing is refunded.',
  'end-with-period': 'A worker tells Stripe within seconds that the plan ends with its period.',
  renew: 'A worker tells Stripe within seconds that the plan renews again.',
};

function disable(
  address: string,
  billing: AccountOptions['billing'],
  reason: string | undefined,
): OperatorsAction {
  if (billing === 'renew') throw new Error('--billing renew is for enable');
  const act: OperatorActionKind = 'disable-account';
  return (db) =>
    actOnAccount(
      db,
      act,
      address,
      async ({ _id, email }) => {
        const profile = await findProfile(db, _id);
        if (billing === undefined && profile) assertNothingRenews(profile);
        const order = orderOf(billing, profile);
        const { sessions, ordered } = await disableAccount(db, _id, order);
        if (!ordered) throw new Error(`${email} is disabled, and its billing ends at once already.`);
        const note = order ? ` ${orderNotes[order.kind]}` : '';
        return `${email} is disabled (sessions ended: ${sessions.length}).${note}`;
      },
      reason,
    );
}

/** @throws Error that asks what becomes of a plan that goes on */
function assertNothingRenews({
  email,
  subscription_plan,
  subscription_status,
  subscription_data,
}: ProfileRow) {
  if (!liveStatuses.includes(subscription_status) || !subscription_data) return;
  const { current_period_end: end, cancel_at_period_end: ends } = subscription_data;
  throw new Error(
    `${email} has the ${plans[subscription_plan].name} plan, which ${ends ? 'ends' : 'renews'} on ${dateLabel(end)}: ` +
      'say what becomes of it with --billing end-now, end-with-period or leave. Nothing is refunded in any case.',
  );
}

function enable(
  address: string,
  billing: AccountOptions['billing'],
  reason: string | undefined,
): OperatorsAction {
  if (billing !== undefined && billing !== 'renew' && billing !== 'leave') {
    throw new Error(`--billing ${billing} is for disable`);
  }
  return (db) =>
    actOnAccount(
      db,
      'enable-account',
      address,
      async ({ _id, email }) => {
        const order = orderOf(billing, await findProfile(db, _id));
        await enableAccount(db, _id, order);
        return `${email} can sign in again.${order ? ` ${orderNotes[order.kind]}` : ''}`;
      },
      reason,
    );
}

/** Writes everything about a person into a file, as the person could download it. */
function exportTo(address: string, to: string | undefined, reason: string | undefined): OperatorsAction {
  const why = required(reason);
  if (to === undefined) throw new Error('--to takes the file that is written');
  return (db) => actOnAccount(db, 'export-data', address, (account) => exportAccount(db, account, to), why);
}

/** Deletes an account as its owner can; a worker finishes it. */
function remove(address: string, reason: string | undefined): OperatorsAction {
  const why = required(reason);
  return (db) =>
    actOnAccount(
      db,
      'delete-account',
      address,
      async ({ _id }) => {
        await deleteAccount(db, _id);
        return 'The account is being deleted, and nobody can sign in to it. A worker removes the rest within a minute and sends a mail.';
      },
      why,
    );
}

/** Removes two-factor sign-in of a seller who has shown the owner of this installation who they are. */
function resetTwoFactor(address: string, reason: string | undefined): OperatorsAction {
  const why = required(reason);
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
      why,
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
