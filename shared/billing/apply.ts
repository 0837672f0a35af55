import { isDeepStrictEqual } from 'node:util';
import { liveStatuses, plans } from '../contract/index.ts';
import { availableImages } from '../credits.ts';
import type { Booking, ProfileRow } from '../data/profile.ts';
import type { BillingState, PaidInvoice } from './state.ts';

/** The part of a profile that Stripe decides, and the balance that follows from it. */
type Billed = Pick<
  ProfileRow,
  | 'subscription_plan'
  | 'subscription_status'
  | 'subscription_id'
  | 'subscription_data'
  | 'grace_until'
  | 'credits'
  | 'total_generations'
  | 'fair_use'
  | 'holds'
  | 'generations_left'
  | 'granted'
  | 'forfeited'
>;

/** What has to change: fields to set, and bookings to add. */
export interface BillingChange {
  set: Billed;
  grants: Booking[];
  forfeits: Booking[];
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
  const change: BillingChange = { set: billedPart(profile), grants: [], forfeits: [] };
  for (const invoice of state.paid) {
    const known = profile.grants.some(({ key }) => key === grantKey(invoice));
    if (!known) refill(change, invoice, now);
  }
  followSubscription(change.set, profile, state, graceMs);
  const same = change.grants.length === 0 && isDeepStrictEqual(change.set, billedPart(profile));
  return same ? null : change;
}

const grantKey = (invoice: PaidInvoice) => `invoice:${invoice.id}`;

/** A paid period brings the plan's images; what was left is forfeited, what is held is still made from the old ones. */
function refill({ set, grants, forfeits }: BillingChange, invoice: PaidInvoice, now: Date): void {
  const count = plans[invoice.period.plan].monthlyGenerations;
  const booking = { key: grantKey(invoice), period: invoice.period, at: now, entered: false };
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
  set.grace_until = subscription.status === 'past_due' ? new Date(periodStart.getTime() + graceMs) : null;
}

function clearSubscription(set: Billed): void {
  set.subscription_id = null;
  set.subscription_data = null;
  set.grace_until = null;
}

function billedPart(profile: ProfileRow): Billed {
  return {
    subscription_plan: profile.subscription_plan,
    subscription_status: profile.subscription_status,
    subscription_id: profile.subscription_id,
    subscription_data: profile.subscription_data,
    grace_until: profile.grace_until,
    credits: profile.credits,
    total_generations: profile.total_generations,
    fair_use: profile.fair_use,
    holds: profile.holds,
    generations_left: profile.generations_left,
    granted: profile.granted,
    forfeited: profile.forfeited,
  };
}
