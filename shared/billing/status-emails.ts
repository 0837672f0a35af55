import { pages, plans } from '#contract';
import { removePendingEmail } from '#shared/data/profiles/billing.ts';
import type { PendingEmail, ProfileRow } from '#shared/data/profiles/schema.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';
import { notifyOfStatus } from './billing-notifications.ts';
import type { BillingContext } from './client.ts';

type StatusEmailContext = Pick<BillingContext, 'db' | 'relay' | 'config'>;

/**
 * Puts a profile's pending emails into the outbox, writes a notification of each, and removes them from the profile.
 * Idempotent: a mail is sent once, however often it is enqueued, and upkeep finds those that a crash left.
 * @returns how many were pending
 */
export async function sendStatusEmails(context: StatusEmailContext, profile: ProfileRow): Promise<number> {
  for (const email of profile.pending_emails) {
    if (!profile.deletion_asked_at) {
      if (isUseful(profile, email)) await enqueueStatusEmail(context, profile, email);
      await notifyOfStatus(context, profile._id, email);
    }
    await removePendingEmail(context.db, profile._id, email.id);
  }
  return profile.pending_emails.length;
}

/**
 * A seller whose account is disabled cannot open the pages for payments. When billing is being ended, the mail about that
 * says when (billing-orders.ts).
 */
function isUseful(
  { disabled_at: disabledAt, billing_order: order }: ProfileRow,
  { kind }: PendingEmail,
): boolean {
  if (!disabledAt) return true;
  return kind === 'subscriptionEnded' && !(order && order.done_at === null);
}

async function enqueueStatusEmail(
  { db, relay, config }: StatusEmailContext,
  { email, full_name: fullName, images_end_at: imagesEndAt = null, disabled_at: disabledAt }: ProfileRow,
  { id, kind, plan, grace_until: graceUntil }: PendingEmail,
): Promise<void> {
  const link = config.linkUrl + pages.plan;
  if (kind === 'paymentFailed') {
    await enqueueMail(db, relay, kind, email, { fullName, graceUntil, portalLink: link }, { id });
  } else {
    const planName = plans[plan].name;
    const content = { fullName, planName, imagesEndAt, subscribeLink: disabledAt ? null : link };
    await enqueueMail(db, relay, kind, email, content, { id });
  }
}
