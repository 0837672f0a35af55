import { liveStatuses, plans } from '#contract';
import type { BilledFields } from '#shared/data/profiles/billing.ts';
import type { ProfileRow, SubscriptionData } from '#shared/data/profiles/schema.ts';
import type { BillingState, SubscriptionState } from './billing-state.ts';

/** Sets plan, status, period and grace period to those of the current subscription, and begins a period's fair use. */
export function applySubscription(
  set: BilledFields,
  profile: Pick<ProfileRow, 'subscription_id' | 'subscription_status'>,
  { subscription }: BillingState,
  graceMs: number,
): void {
  if (!subscription) {
    set.subscription_status = profile.subscription_id === null ? profile.subscription_status : 'canceled';
    clearSubscription(set);
    return;
  }
  const { plan, status, periodStart } = subscription;
  const monthly = plans[plan].monthlyGenerations ?? 0;
  set.subscription_status = status;
  set.subscription_plan = plan;
  set.credits = monthly;
  set.total_generations = monthly;
  if (set.fair_use.period_start?.getTime() !== periodStart.getTime()) {
    set.fair_use = { period_start: periodStart, used: 0 };
    // Images of batches that wait count in the new period.
    set.holds = set.holds.map((hold) =>
      hold.balance === 'unlimited' && !hold.waiting ? { ...hold, lapsed: true } : hold,
    );
  }
  if (!liveStatuses.includes(status)) {
    clearSubscription(set);
    return;
  }
  set.subscription_id = subscription.id;
  set.subscription_data = subscriptionData(subscription);
  set.period_refunded = subscription.refunded;
  set.grace_until = status === 'past_due' ? new Date(periodStart.getTime() + graceMs) : null;
}

function clearSubscription(set: BilledFields): void {
  set.subscription_id = null;
  set.subscription_data = null;
  set.grace_until = null;
  set.period_refunded = false;
}

function subscriptionData(subscription: SubscriptionState): SubscriptionData {
  const { payment } = subscription;
  return {
    current_period_start: subscription.periodStart,
    current_period_end: subscription.periodEnd,
    cancel_at_period_end: subscription.cancelAtPeriodEnd,
    payment_method: payment?.method ?? null,
    last4: payment?.last4 ?? null,
    card_brand: payment?.brand ?? null,
    is_trial: subscription.status === 'trialing',
    trial_end: subscription.trialEnd,
    next_plan: subscription.nextPlan,
    plan_since: subscription.planSince,
  };
}
