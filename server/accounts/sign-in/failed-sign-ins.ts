import type { FastifyRequest } from 'fastify';
import { limits, pages } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { createRateLimit } from '#server/http/rate-limit.ts';
import { issueToken } from '#shared/data/accounts/account-tokens.ts';
import { recordActivity } from '#shared/data/accounts/activities.ts';
import type { UserRow } from '#shared/data/accounts/users.ts';
import { findProfile, setLocked } from '#shared/data/profiles/find.ts';
import { greetingName } from '#shared/mail/greeting-name.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';
import type { Lock } from './lock-out.ts';

/** A lock of one session, or the last one of it, with which it ended. */
interface SessionLock {
  secret: 'password' | 'code';
  of: 'session' | 'ended session';
  /** No link removes it: whoever can open one can sign in again, and has a session without a lock then. */
  key: null;
}

/**
 * Creates a function that records a wrong password or code of an account. If it caused a lock, the owner gets a mail: at
 * most one for each kind of lock within `limits.lockOutMinutes`.
 */
export function createFailureRecorder(context: ServerContext) {
  const { db, relay, config } = context;
  const limitMails = createRateLimit(db, {
    name: 'lock_mails',
    points: 1,
    seconds: limits.lockOutMinutes * 60,
  });

  return async function recordFailure(
    user: Pick<UserRow, '_id' | 'email' | 'sign_up'>,
    { from, network }: Pick<FastifyRequest, 'from' | 'network'>,
    lock: Lock | SessionLock | null,
  ): Promise<void> {
    await recordActivity(db, user._id, 'sign-in-failed', from);
    if (!lock) return;
    if (lock.of === 'everybody') await setLocked(db, user._id, true);
    await recordActivity(db, user._id, 'locked-out', from);
    // An address that nobody has confirmed may be anybody's: its mailbox did not ask for mails.
    if (user.sign_up !== null) return;
    if (await limitMails.allows(`${lock.secret} ${lock.of} ${user._id}`))
      await mailOwner(user, network, lock, from.device);
  };

  async function mailOwner(
    user: Pick<UserRow, '_id' | 'email'>,
    network: string,
    lock: Lock | SessionLock,
    device: string,
  ): Promise<void> {
    const profile = await findProfile(db, user._id);
    const about = {
      fullName: greetingName(profile),
      network,
      minutes: limits.lockOutMinutes,
      resetLink: config.linkUrl + pages.forgotPassword,
    };
    if ('key' in lock) {
      const sessionsLink = `${config.linkUrl}${pages.security}#sessions`;
      const ended = lock.of === 'ended session';
      await enqueueMail(db, relay, 'sessionLocked', user.email, { ...about, device, ended, sessionsLink });
      return;
    }
    // No link unlocks codes: whoever can open one could go on guessing them.
    const unlockLink = lock.secret === 'code' ? null : await unlockLinkOf(user._id, lock.deviceKey);
    await enqueueMail(db, relay, 'accountLocked', user.email, {
      ...about,
      locked: lock.of,
      network: lock.network,
      unlockLink,
    });
  }

  async function unlockLinkOf(sellerId: string, lock: string | null): Promise<string> {
    const lifeMs = limits.lockOutMinutes * 60_000;
    const token = await issueToken(db, { kind: 'unlock', sellerId, lock, lifeMs });
    return `${config.linkUrl}${pages.unlock}?token=${token}`;
  }
}
