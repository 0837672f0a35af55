import { isDeepStrictEqual } from 'node:util';
import { generatingStatuses, plans } from '#contract';
import { grantKey } from '#shared/credits/returned-images.ts';
import type { BilledFields, BillingChange } from '#shared/data/profiles/billing.ts';
import type { Hold, PendingEmail, ProfileRow } from '#shared/data/profiles/schema.ts';
import type { BillingState } from './billing-state.ts';
import { applyPacks } from './pack-payments.ts';
import { applyRefund, grantImages } from './paid-images.ts';
import { applySubscription } from './subscription.ts';

/**
 * Computes what a billing state changes in a profile. It depends on the two alone: whatever states were applied before,
 * and however often, the result after the newest state is the same.
 * @param graceMs how long an overdue plan works from the start of the period that was not paid
 * @param now the time of the ledger entries and mails
 * @param imagesKeptMs how long images are kept when the plan ends; null for ever
 * @returns null when the profile already agrees with the state
 */
export function computeBillingChange(
  profile: ProfileRow,
  state: BillingState,
  graceMs: number,
  now: Date,
  imagesKeptMs: number | null = null,
): BillingChange | null {
  const change: BillingChange = {
    set: billedFields(profile),
    grants: [],
    packs: [],
    forfeits: [],
    refunds: [],
    reinstates: [],
    pendingEmails: [],
  };
  for (const invoice of state.paid) {
    const isGranted = profile.grants.some(({ key }) => key === grantKey(invoice.id));
    if (!isGranted) grantImages(change, invoice, now);
  }
  applyRefund(change, profile, state, now);
  applyPacks(change, profile, state, now);
  applySubscription(change.set, profile, state, graceMs);
  endWaitingHolds(change.set);
  change.set.images_end_at = imagesEndAt(profile, change.set, now, imagesKeptMs);
  const email = statusEmail(profile, change.set, state, now);
  if (email) change.pendingEmails.push(email);
  const isSame = change.grants.length === 0 && isDeepStrictEqual(change.set, billedFields(profile));
  return isSame ? null : change;
}

/**
 * Ends the holds of images of batches that wait when the plan under which they were placed allows no images any more: it has
 * ended, its payment was returned, or another plan has followed. Free images and those of packs stay on hold.
 */
function endWaitingHolds(set: BilledFields): void {
  const { subscription_status: status, period_refunded: refunded, subscription_plan: plan } = set;
  // Overdue: the batch waits for the payment, which may come.
  const isInOrder = !refunded && (generatingStatuses.includes(status) || status === 'past_due');
  const stays = ({ balance, waiting }: Hold) =>
    !waiting ||
    balance === 'free' ||
    balance === 'pack' ||
    (isInOrder && (balance === 'metered' || plans[plan].monthlyGenerations === null));
  set.holds = set.holds.filter(stays);
}

/** The date is set once, when the plan ends: the mail about that names it. */
function imagesEndAt(
  profile: ProfileRow,
  { subscription_status: status, images_end_at: date }: BilledFields,
  now: Date,
  imagesKeptMs: number | null,
): Date | null {
  if (status !== 'canceled') return null;
  if (status === profile.subscription_status) return date;
  return imagesKeptMs === null ? null : new Date(now.getTime() + imagesKeptMs);
}

/** The mail to a seller whose payment failed or whose plan has ended. */
function statusEmail(
  profile: ProfileRow,
  { subscription_status: status, subscription_plan: plan, grace_until: graceUntil }: BilledFields,
  { subscription }: BillingState,
  now: Date,
): PendingEmail | undefined {
  // A seller who deletes the account gets a mail about that, and no other.
  if (status === profile.subscription_status || profile.deletion_asked_at) return undefined;
  const content = { plan, grace_until: graceUntil, at: now };
  const id = subscription?.id ?? profile.subscription_id;
  if (status === 'past_due') {
    const period = subscription?.periodStart.getTime();
    return { ...content, id: `payment-failed-${id}-${period}`, kind: 'paymentFailed' };
  }
  return status === 'canceled' ? { ...content, id: `ended-${id}`, kind: 'subscriptionEnded' } : undefined;
}

function billedFields(profile: ProfileRow): BilledFields {
  return {
    subscription_plan: profile.subscription_plan,
    subscription_status: profile.subscription_status,
    subscription_id: profile.subscription_id,
    subscription_data: profile.subscription_data,
    grace_until: profile.grace_until,
    images_end_at: profile.images_end_at ?? null,
    period_refunded: profile.period_refunded,
    returned_grant: profile.returned_grant ?? null,
    credits: profile.credits,
    total_generations: profile.total_generations,
    fair_use: profile.fair_use,
    holds: profile.holds,
    generations_left: profile.generations_left,
    granted: profile.granted,
    forfeited: profile.forfeited,
    refunded: profile.refunded,
    ...(profile.pack_images && { pack_images: profile.pack_images }),
    pack_returns: profile.pack_returns ?? [],
  };
}
