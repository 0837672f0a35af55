import { isDeepStrictEqual } from 'node:util';
import { liveStatuses, plans } from '#contract';
import { availableImages } from '#shared/credits/holds.ts';
import type { PendingEmail, PendingLedgerEntry, ProfileRow } from '#shared/data/profiles/schema.ts';
import type { BillingState, PaidInvoice } from './billing-state.ts';

/** The part of a profile that Stripe decides, and the balance that follows from it. */
type Billed = Pick<
  ProfileRow,
  | 'subscription_plan'
  | 'subscription_status'
  | 'subscription_id'
  | 'subscription_data'
  | 'grace_until'
  | 'period_refunded'
  | 'credits'
  | 'total_generations'
  | 'fair_use'
  | 'holds'
  | 'generations_left'
  | 'granted'
  | 'forfeited'
  | 'refunded'
>;

/** What has to change: fields to set, bookings to add, and mails to post. */
export interface BillingChange {
  set: Billed;
  grants: PendingLedgerEntry[];
  forfeits: PendingLedgerEntry[];
  refunds: PendingLedgerEntry[];
  reinstates: PendingLedgerEntry[];
  pending_emails: PendingEmail[];
}

/**
 * What a profile becomes when Stripe says this. It depends on nothing but the two: whoever applies the newest state
 * last, however often and after whatever came before, gets the same.
 * @param graceMs how long an overdue plan works from the start of the period that was not paid
 * @param now when it is booked
 * @returns null when the profile says the same already
 */
export function applyBilling(
  profile: ProfileRow,
  state: BillingState,
  graceMs: number,
  now: Date,
): BillingChange | null {
  const change: BillingChange = {
    set: billedPart(profile),
    grants: [],
    forfeits: [],
    refunds: [],
    reinstates: [],
    pending_emails: [],
  };
  for (const invoice of state.paid) {
    const known = profile.grants.some(({ key }) => key === grantKey(invoice));
    if (!known) refill(change, invoice, now);
  }
  followRefund(change, profile, state, now);
  followSubscription(change.set, profile, state, graceMs);
  const notice = noticeOf(profile, change.set, state, now);
  if (notice) change.pending_emails.push(notice);
  const same = change.grants.length === 0 && isDeepStrictEqual(change.set, billedPart(profile));
  return same ? null : change;
}

const grantKey = (invoice: PaidInvoice) => `invoice:${invoice.id}`;

/** A paid period brings the plan's images; what was left is forfeited, what is held is still made from the old ones. */
function refill({ set, grants, forfeits }: BillingChange, invoice: PaidInvoice, now: Date): void {
  const count = plans[invoice.period.plan].monthlyGenerations;
  const booking = { key: grantKey(invoice), period: invoice.period, at: now, posted: false };
  if (count === null) {
    // Unlimited: nothing is added, and what was left waits for the next period that is counted.
    grants.push({ ...booking, count: 0 });
    return;
  }
  const left = availableImages(set);
  if (left > 0) forfeits.push({ ...booking, count: left });
  grants.push({ ...booking, count });
  set.forfeited += left;
  set.granted += count;
  set.generations_left += count - left;
  set.holds = set.holds.map((hold) => (hold.metered ? { ...hold, lapsed: true } : hold));
}

/**
 * Images whose money went back are taken back, as far as they are there: those that were made or are being made stay.
 * They come back when the money does. Only the newest images can be there: what was left of older ones was forfeited.
 */
function followRefund(change: BillingChange, profile: ProfileRow, state: BillingState, now: Date): void {
  const newest = [...profile.grants, ...change.grants].findLast(({ count }) => count > 0);
  const invoice = newest && state.paid.find((each) => grantKey(each) === newest.key);
  if (!newest || !invoice) return;
  const { set, refunds, reinstates } = change;
  const ofNewest = ({ key }: PendingLedgerEntry) => key.startsWith(`${newest.key}:`);
  const taken = profile.refunds.filter(ofNewest);
  const given = profile.reinstates.filter(ofNewest);
  const missing = sum(taken) - sum(given);
  const booking = { period: newest.period, at: now, posted: false };
  if (invoice.refunded) {
    const count = Math.min(availableImages(set), newest.count - missing);
    if (count <= 0) return;
    refunds.push({ ...booking, key: `${newest.key}:${taken.length + 1}`, count });
    set.generations_left -= count;
    set.refunded += count;
  } else if (missing > 0) {
    reinstates.push({ ...booking, key: `${newest.key}:${given.length + 1}`, count: missing });
    set.generations_left += missing;
    set.refunded -= missing;
  }
}

const sum = (bookings: readonly PendingLedgerEntry[]) =>
  bookings.reduce((total, { count }) => total + count, 0);

/** The mail to a seller whose payment failed or whose plan has ended. */
function noticeOf(
  profile: ProfileRow,
  { subscription_status: status, subscription_plan: plan, grace_until: graceUntil }: Billed,
  { subscription }: BillingState,
  now: Date,
): PendingEmail | undefined {
  // Whoever deletes the account gets one mail, about that.
  if (status === profile.subscription_status || profile.deletion_asked_at) return undefined;
  const about = { plan, grace_until: graceUntil, at: now };
  const id = subscription?.id ?? profile.subscription_id;
  if (status === 'past_due') {
    const period = subscription?.periodStart.getTime();
    return { ...about, id: `payment-failed-${id}-${period}`, kind: 'paymentFailed' };
  }
  return status === 'canceled' ? { ...about, id: `ended-${id}`, kind: 'subscriptionEnded' } : undefined;
}

function followSubscription(
  set: Billed,
  profile: ProfileRow,
  { subscription }: BillingState,
  graceMs: number,
): void {
  if (!subscription) {
    set.subscription_status = profile.subscription_id === null ? profile.subscription_status : 'canceled';
    clearSubscription(set);
    return;
  }
  const { plan, periodStart, periodEnd, payment, nextPlan } = subscription;
  const monthly = plans[plan].monthlyGenerations ?? 0;
  set.subscription_status = subscription.status;
  set.subscription_plan = plan;
  set.credits = monthly;
  set.total_generations = monthly;
  if (set.fair_use.period_start?.getTime() !== periodStart.getTime()) {
    set.fair_use = { period_start: periodStart, used: 0 };
    set.holds = set.holds.map((hold) => (hold.metered ? hold : { ...hold, lapsed: true }));
  }
  if (!liveStatuses.includes(subscription.status)) {
    clearSubscription(set);
    return;
  }
  set.subscription_id = subscription.id;
  set.subscription_data = {
    current_period_start: periodStart,
    current_period_end: periodEnd,
    cancel_at_period_end: subscription.cancelAtPeriodEnd,
    payment_method: payment?.method ?? null,
    last4: payment?.last4 ?? null,
    card_brand: payment?.brand ?? null,
    is_trial: subscription.status === 'trialing',
    trial_end: subscription.trialEnd,
    next_plan: nextPlan,
  };
  set.period_refunded = subscription.refunded;
  set.grace_until = subscription.status === 'past_due' ? new Date(periodStart.getTime() + graceMs) : null;
}

function clearSubscription(set: Billed): void {
  set.subscription_id = null;
  set.subscription_data = null;
  set.grace_until = null;
  set.period_refunded = false;
}

function billedPart(profile: ProfileRow): Billed {
  return {
    subscription_plan: profile.subscription_plan,
    subscription_status: profile.subscription_status,
    subscription_id: profile.subscription_id,
    subscription_data: profile.subscription_data,
    grace_until: profile.grace_until,
    period_refunded: profile.period_refunded,
    credits: profile.credits,
    total_generations: profile.total_generations,
    fair_use: profile.fair_use,
    holds: profile.holds,
    generations_left: profile.generations_left,
    granted: profile.granted,
    forfeited: profile.forfeited,
    refunded: profile.refunded,
  };
}
