import {
  liveStatuses,
  type PlanId,
  planIds,
  plans,
  type SubscriptionStatus,
  type SubscriptionView,
} from '#contract';
import type { Dates } from '#web/lib/dates.ts';

/** Labels of the subscription statuses. */
export const statusLabels: Readonly<Record<SubscriptionStatus, string>> = {
  inactive: 'Inactive',
  active: 'Active',
  trialing: 'Trial',
  past_due: 'Payment overdue',
  unpaid: 'Unpaid',
  incomplete: 'Payment not completed',
  incomplete_expired: 'Expired',
  paused: 'Paused',
  canceled: 'Cancelled',
};

/** Whether there is a subscription that has not ended, so that it can be changed. */
export function isLive(subscription: SubscriptionView): boolean {
  return liveStatuses.includes(subscription.status);
}

/** The plan that the change button offers: the next more expensive one, else the next cheaper one. */
export function offeredPlan(current: PlanId): { plan: PlanId; upgrade: boolean } {
  const byPrice = planIds.toSorted((a, b) => plans[a].monthlyPriceCents - plans[b].monthlyPriceCents);
  const index = byPrice.indexOf(current);
  const upgrade = index < byPrice.length - 1;
  return { plan: byPrice[upgrade ? index + 1 : index - 1] ?? current, upgrade };
}

/** The subscription's next dates with their labels, most important first. */
export function upcomingDates(
  subscription: SubscriptionView,
  dates: Dates,
): [label: string, value: string][] {
  const { status, currentPeriodEnd, cancelAtPeriodEnd, isTrial, trialEnd, nextPlan, graceUntil } =
    subscription;
  const entries: [string, string][] = [];
  if (status === 'past_due' && graceUntil) entries.push(['Active until', dates.day(graceUntil)]);
  if (isTrial && trialEnd) entries.push(['Trial until', dates.day(trialEnd)]);
  if (cancelAtPeriodEnd && currentPeriodEnd) entries.push(['Ends on', dates.day(currentPeriodEnd)]);
  else if (nextPlan) entries.push([`Changes to ${plans[nextPlan.plan].name} on`, dates.day(nextPlan.at)]);
  else if (currentPeriodEnd && (status === 'active' || status === 'trialing')) {
    entries.push(['Next billing date', dates.day(currentPeriodEnd)]);
  }
  return entries;
}

const brands: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** The payment method, such as `Visa ending in 4242`; null if none is known. */
export function paymentLabel({ paymentMethod, cardBrand, last4 }: SubscriptionView): string | null {
  if (cardBrand && last4) return `${brands[cardBrand] ?? cardBrand} ending in ${last4}`;
  return paymentMethod === null ? null : paymentMethod.replaceAll('_', ' ');
}
