import type { FastifyRequest } from 'fastify';
import { limits, pages } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { createRateLimit } from '#server/http/rate-limit.ts';
import { issueToken } from '#shared/data/account-tokens.ts';
import { recordActivity } from '#shared/data/activities.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { setLocked } from '#shared/data/profiles/update.ts';
import type { UserRow } from '#shared/data/users.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';
import { AppError } from '#shared/platform/errors.ts';
import type { Lock } from './lock-out.ts';

/**
 * Creates a function that records a failed sign-in to an account. If it caused a lock, the owner gets a mail: at most one
 * for each kind of lock within `limits.lockOutMinutes`.
 */
export function createFailureRecorder(context: ServerContext) {
  const { db, relay, config } = context;
  const limitMails = createRateLimit(db, {
    name: 'lock_mails',
    points: 1,
    seconds: limits.lockOutMinutes * 60,
  });

  return async function recordFailure(
    user: Pick<UserRow, '_id' | 'email'>,
    { from, network }: Pick<FastifyRequest, 'from' | 'network'>,
    lock: Lock | null,
  ): Promise<void> {
    await recordActivity(db, user._id, 'sign-in-failed', from);
    if (!lock) return;
    if (lock.of === 'everybody') await setLocked(db, user._id, true);
    await recordActivity(db, user._id, 'locked-out', from);
    if (await mayMail(`${lock.of} ${user._id}`)) await mailOwner(user, network, lock);
  };

  async function mayMail(key: string): Promise<boolean> {
    try {
      await limitMails(key);
      return true;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  }

  async function mailOwner(user: Pick<UserRow, '_id' | 'email'>, network: string, lock: Lock): Promise<void> {
    const profile = await findProfile(db, user._id);
    const lifeMs = limits.lockOutMinutes * 60_000;
    const token = await issueToken(db, { kind: 'unlock', sellerId: user._id, lock: lock.key, lifeMs });
    await enqueueMail(db, relay, 'accountLocked', user.email, {
      fullName: profile?.full_name ?? '',
      locked: lock.of,
      network,
      unlockLink: `${config.linkUrl}${pages.unlock}?token=${token}`,
      resetLink: config.linkUrl + pages.forgotPassword,
      minutes: limits.lockOutMinutes,
    });
  }
}
