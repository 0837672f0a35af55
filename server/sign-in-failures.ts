import { limits, pages } from '../shared/contract/index.ts';
import { issueToken } from '../shared/data/account-tokens.ts';
import { setLocked } from '../shared/data/accounts.ts';
import { noteActivity } from '../shared/data/activities.ts';
import type { UserRow } from '../shared/data/user.ts';
import { postMail } from '../shared/outbox.ts';
import type { App } from './app.ts';
import type { ServerContext } from './context.ts';
import type { Origin } from './device.ts';
import type { LockOut } from './lock-out.ts';

/** Someone who wanted to sign in and may not. */
export interface FailedSignIn {
  email: string;
  /** Null when nobody has this address. */
  user: Pick<UserRow, '_id' | 'email'> | null;
  from: Origin;
}

/**
 * Counts a failed sign-in, and locks the account with the last one that is borne: its sessions end, and its owner gets a
 * mail with the ways out.
 */
export async function noteFailedSignIn(
  app: App,
  context: ServerContext,
  lockOut: LockOut,
  { email, user, from }: FailedSignIn,
): Promise<void> {
  const locks = await lockOut.fail(email);
  if (!user) return;
  await noteActivity(context.data, user._id, 'sign-in-failed', from);
  if (locks) await lockAccount(app, context, user, from);
}

async function lockAccount(
  app: App,
  { data, relay, config }: ServerContext,
  user: Pick<UserRow, '_id' | 'email'>,
  from: Origin,
): Promise<void> {
  await setLocked(data, user._id, true);
  await app.endSessions(user._id);
  await noteActivity(data, user._id, 'locked-out', from);
  const profile = await data.profiles.findById(user._id).lean();
  const lifeMs = limits.lockOutMinutes * 60_000;
  const token = await issueToken(data, { kind: 'unlock', userId: user._id, lifeMs });
  await postMail(data, relay, 'accountLocked', user.email, {
    fullName: profile?.full_name ?? '',
    unlockLink: `${config.linkUrl}${pages.unlock}?token=${token}`,
    resetLink: config.linkUrl + pages.forgotPassword,
    minutes: limits.lockOutMinutes,
  });
}
