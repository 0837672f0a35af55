import { pages, plans } from '#contract';
import type { PendingEmail, ProfileRow } from '#shared/data/profiles/schema.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';
import type { BillingContext } from './client.ts';

type StatusEmailContext = Pick<BillingContext, 'db' | 'relay' | 'config'>;

/**
 * Posts the mails about the plan that stand in a profile and takes them off it. Whoever dies in between leaves them to
 * the next one; a mail is sent once, however often it is posted.
 * @returns how many
 */
export async function sendStatusEmails(context: StatusEmailContext, profile: ProfileRow): Promise<number> {
  for (const notice of profile.pending_emails) {
    if (!profile.deletion_asked_at) await post(context, profile, notice);
    await context.db.profiles.updateOne(
      { _id: profile._id },
      { $pull: { pending_emails: { id: notice.id } } },
    );
  }
  return profile.pending_emails.length;
}

async function post(
  { db, relay, config }: StatusEmailContext,
  { email, full_name: fullName }: ProfileRow,
  { id, kind, plan, grace_until: graceUntil }: PendingEmail,
): Promise<void> {
  const link = config.linkUrl + pages.profile;
  if (kind === 'paymentFailed') {
    await enqueueMail(db, relay, kind, email, { fullName, graceUntil, portalLink: link }, { id });
  } else {
    const planName = plans[plan].name;
    await enqueueMail(db, relay, kind, email, { fullName, planName, subscribeLink: link }, { id });
  }
}
