import { plans } from '#contract';
import type { NewNotification } from '#shared/data/notifications.ts';
import type { PendingEmail, ProfileRow } from '#shared/data/profiles/schema.ts';
import { notify } from '#shared/views/announce.ts';
import type { BillingContext } from './client.ts';

/* Notifications about payments (docs/decisions/0056-notifications.md). Each is written once. */

type NotificationContext = Pick<BillingContext, 'db' | 'relay'>;

/** How old a payment may be that a seller is notified of: an older one was processed before there were notifications. */
const paymentMs = 86_400_000;

/** Notifies a seller of what a status email is about: a failed payment, or a plan that has ended. */
export async function notifyOfStatus(
  context: NotificationContext,
  sellerId: string,
  { id: key, kind, plan, grace_until }: PendingEmail,
): Promise<void> {
  const about = { profile: sellerId, key, generation: null, set: null };
  if (kind === 'paymentFailed') {
    await notify(context, { ...about, kind: 'payment-failed', data: { grace_until } });
  } else {
    await notify(context, { ...about, kind: 'plan-ended', data: { plan } });
  }
}

/** Notifies a seller of the payments that the profile has recorded lately. A trial's period costs nothing. */
export async function notifyOfPayments(context: NotificationContext, profile: ProfileRow): Promise<void> {
  if (profile.deletion_asked_at || profile.subscription_status === 'trialing') return;
  for (const { key, period, at } of profile.grants) {
    if (!period || Date.now() - at.getTime() > paymentMs) continue;
    const { plan, end: until } = period;
    const paid: NewNotification = {
      profile: profile._id,
      key: `paid:${key}`,
      generation: null,
      set: null,
      kind: 'payment-succeeded',
      data: { plan, images: plans[plan].monthlyGenerations, until },
    };
    await notify(context, paid);
  }
}
