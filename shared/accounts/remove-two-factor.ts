import { limits } from '#contract';
import { removeTokens } from '#shared/data/accounts/account-tokens.ts';
import { recordActivity } from '#shared/data/accounts/activities.ts';
import { endSessionsOf } from '#shared/data/accounts/sessions.ts';
import { setTwoFactorEnabled, turnTwoFactorOff } from '#shared/data/accounts/two-factor.ts';
import {
  beginTwoFactorRemoval,
  endTwoFactorRemoval,
  findDueRemovals,
  stopTwoFactorRemoval,
} from '#shared/data/accounts/two-factor-removal.ts';
import type { UserRow } from '#shared/data/accounts/users.ts';
import { type Db, newId } from '#shared/data/db.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';
import type { EventRelay } from '#shared/platform/relay.ts';
import { bySupport } from './by-support.ts';
import { inAuditLog, lineWithoutOperator } from './in-audit-log.ts';

/** What removing two-factor sign-in needs. A command has no relay: servers notice the ends of sessions within seconds. */
interface RemovalContext {
  db: Db;
  relay: Pick<EventRelay, 'publishMail' | 'publishSessionEnd'>;
}

/**
 * Turns two-factor sign-in off at once for a seller who cannot give a code any more. The caller writes the audit log.
 * @returns false if it was off
 */
export async function removeTwoFactorNow(context: RemovalContext, user: UserRow): Promise<boolean> {
  if (!user.two_factor) return false;
  await turnTwoFactorOff(context.db, user._id);
  await afterRemoval(context, user, newId());
  return true;
}

/**
 * Does what follows when the secret is removed: ends all sessions, and tells the seller by mail and in the activity log.
 * @param key of the removal: its mail is sent once
 */
async function afterRemoval(
  { db, relay }: RemovalContext,
  user: Pick<UserRow, '_id' | 'email'>,
  key: string,
): Promise<void> {
  await setTwoFactorEnabled(db, user._id, false);
  for (const session of await endSessionsOf(db, user._id)) relay.publishSessionEnd(session);
  await removeTokens(db, user._id, 'keep-two-factor');
  const fullName = (await findProfile(db, user._id))?.full_name ?? '';
  const data = { fullName, by: 'support', at: new Date(), days: limits.youngFactorDays, on: false } as const;
  const id = `two-factor-removed-${user._id}-${key}`;
  await enqueueMail(db, relay, 'twoFactorRemoved', user.email, data, { id });
  await recordActivity(db, user._id, 'two-factor-off', bySupport);
}

/** Executes the removals that have waited long enough, for upkeep. @returns how many */
export async function removeDueTwoFactor(context: RemovalContext, limit: number): Promise<number> {
  const { db } = context;
  let removed = 0;
  for (const sellerId of await findDueRemovals(db, limit)) {
    const user = await beginTwoFactorRemoval(db, sellerId);
    if (!user?.two_factor_removal) continue;
    const { asked_at: asked } = user.two_factor_removal;
    const details = `asked for at ${asked.toISOString()}, not stopped`;
    const line = lineWithoutOperator(sellerId, { action: 'remove-two-factor', by: 'upkeep', details });
    await inAuditLog(db, line, () => afterRemoval(context, user, String(asked.getTime())));
    await endTwoFactorRemoval(db, sellerId);
    removed += 1;
  }
  return removed;
}

/**
 * Keeps two-factor sign-in that an operator is to remove, because its owner still has it or has stopped the removal. Does
 * nothing if none waits.
 * @param details what stopped it, for the audit log
 * @returns whether one waited
 */
export async function keepTwoFactor(db: Db, sellerId: string, details: string): Promise<boolean> {
  if (!(await stopTwoFactorRemoval(db, sellerId))) return false;
  const action = 'stop-two-factor-removal';
  const line = lineWithoutOperator(sellerId, { action, by: 'the seller', details });
  await inAuditLog(db, line, () => removeTokens(db, sellerId, 'keep-two-factor'));
  return true;
}
