import { limits } from '#contract';
import { canUndoAddressChange } from '#shared/data/accounts/address-changes.ts';
import {
  beginDeletion,
  findDueDeletions,
  planDeletion,
  stopPlannedDeletion,
} from '#shared/data/accounts/deletion.ts';
import { endSessionsOf } from '#shared/data/accounts/sessions.ts';
import { findUser, type UserRow } from '#shared/data/accounts/users.ts';
import type { Db } from '#shared/data/db.ts';
import { newBillingOrder } from '#shared/data/profiles/billing-orders.ts';
import { findActiveProfile, findProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';
import { AppError } from '#shared/platform/errors.ts';
import type { EventRelay } from '#shared/platform/relay.ts';
import { inAuditLog, lineWithoutOperator } from './in-audit-log.ts';

/*
 * The deletion of an account on request (docs/decisions/0100-bans-end-billing.md): by an operator, for a person who asked for
 * it. From the mark on it is the deletion of decision 10.
 */

/**
 * Marks an account for deletion and ends its sessions: nobody can sign in any more. The caller, or upkeep, continues with
 * `finishDeletion`. Idempotent.
 * @returns ids of the sessions that were ended
 * @throws AppError NOT_FOUND, NOT_DELETABLE for an operator's account, DELETION_TOO_SOON
 */
export async function deleteAccount(db: Db, sellerId: string): Promise<string[]> {
  const profile = await findProfile(db, sellerId);
  if (!profile) throw new AppError('NOT_FOUND');
  if (profile.deletion_asked_at) return [];
  assertNoOperator(profile);
  const user = await findUser(db, sellerId);
  if (user && (await canUndoAddressChange(db, user))) throw tooSoon();
  await beginDeletion(db, sellerId, { byOperator: true });
  return endSessionsOf(db, sellerId);
}

/** Whoever asks may have taken over the account, and the person who lost it can still undo that. */
function tooSoon(): AppError {
  return new AppError('DELETION_TOO_SOON', {
    message: `The email address of this account was changed less than ${limits.undoDays} days ago, and its owner can still undo that. Until then it can only be deleted with notice.`,
  });
}

/** So that no operator, and not the last one, goes by mistake. */
function assertNoOperator({ operator_since: since }: ProfileRow): void {
  if (!since) return;
  throw new AppError('NOT_DELETABLE', {
    message:
      'This account has the role of operator. Revoke the role first: npm run operator -- revoke ADDRESS',
  });
}

/** What a planned deletion needs. */
interface NoticeContext {
  db: Db;
  relay: Pick<EventRelay, 'publishMail'>;
}

/**
 * Has an account deleted after `limits.deletionNoticeDays`. A mail tells the person, who can object; the plan is not renewed
 * meanwhile.
 * @throws AppError NOT_FOUND, NOT_DELETABLE for an operator's account, NOT_REPEATABLE if a deletion is planned already
 */
export async function deleteAfterNotice({ db, relay }: NoticeContext, sellerId: string): Promise<void> {
  const [profile, user] = await Promise.all([findActiveProfile(db, sellerId), findUser(db, sellerId)]);
  if (!profile || !user) throw new AppError('NOT_FOUND');
  assertNoOperator(profile);
  const dueAt = new Date(Date.now() + limits.deletionNoticeDays * 86_400_000);
  // What was decided about the billing of an account that is disabled stays.
  const renews = profile.subscription_id !== null && !profile.disabled_at;
  const order = renews ? newBillingOrder('end-with-period', profile) : null;
  if (!(await planDeletion(db, sellerId, dueAt, order))) throw new AppError('NOT_REPEATABLE');
  await tell({ db, relay }, profile, user, dueAt);
}

function tell(
  { db, relay }: NoticeContext,
  { _id: id, full_name: fullName }: ProfileRow,
  { email }: UserRow,
  dueAt: Date,
): Promise<void> {
  const key = `deletion-planned-${id}-${dueAt.getTime()}`;
  return enqueueMail(db, relay, 'deletionPlanned', email, { fullName, dueAt }, { id: key });
}

/**
 * Keeps an account whose deletion is planned; its plan renews again.
 * @throws AppError NOT_REPEATABLE if none is planned any more
 */
export async function keepAccount(db: Db, sellerId: string): Promise<void> {
  const profile = await findActiveProfile(db, sellerId);
  const planned = profile?.deletion_planned;
  if (!profile || !planned) throw new AppError('NOT_REPEATABLE');
  const isOwnOrder = planned.order !== null && profile.billing_order?.id === planned.order;
  const order = isOwnOrder ? newBillingOrder('renew', profile) : null;
  if (!(await stopPlannedDeletion(db, sellerId, order))) throw new AppError('NOT_REPEATABLE');
}

/**
 * Begins the deletions whose notice is over, for upkeep. One that is refused, because the address was changed meanwhile,
 * is not planned any more, and the audit log says why.
 * @returns how many were begun
 */
export async function beginDueDeletions(
  { db, relay }: { db: Db; relay: EventRelay },
  limit: number,
): Promise<number> {
  let begun = 0;
  for (const { _id: sellerId, deletion_planned: planned } of await findDueDeletions(db, limit)) {
    if (!planned) continue;
    const details = `planned on ${planned.asked_at.toISOString()}`;
    const line = lineWithoutOperator(sellerId, { action: 'delete-account', by: 'upkeep', details });
    try {
      await inAuditLog(db, line, async () => {
        for (const session of await deleteAccount(db, sellerId)) relay.publishSessionEnd(session);
      });
      begun += 1;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await keepAccount(db, sellerId);
    }
  }
  return begun;
}
