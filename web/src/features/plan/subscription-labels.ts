import {
  liveStatuses,
  type PlanId,
  planIds,
  plans,
  type SubscriptionStatus,
  type SubscriptionView,
} from '#contract';
import type { Dates } from '#web/lib/dates.ts';
import { formatPrice } from '#web/lib/price.ts';

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

interface PlanChangeLabels {
  title: string;
  /** What happens, and when. */
  points: string[];
  /** The label of the button. */
  confirm: string;
}

/** The texts of the dialog that confirms a change of plan. */
export function planChangeLabels(subscription: SubscriptionView, to: PlanId, dates: Dates): PlanChangeLabels {
  const upgrade = plans[to].monthlyPriceCents > plans[subscription.plan].monthlyPriceCents;
  const action = upgrade ? 'Upgrade' : 'Downgrade';
  return {
    title: `${action} to ${plans[to].name}?`,
    points: [
      ...(upgrade ? upgradePoints(subscription, to, dates) : downgradePoints(subscription, to, dates)),
      ...(subscription.cancelAtPeriodEnd ? ['Your cancellation will be reversed: the plan renews.'] : []),
    ],
    confirm: `${action} Plan`,
  };
}

/** An upgrade takes effect at once. */
function upgradePoints(subscription: SubscriptionView, to: PlanId, dates: Dates): string[] {
  const { currentPeriodEnd, isTrial, trialEnd } = subscription;
  const start = `${plans[to].name} with ${imagesOf(to)} starts right away.`;
  const monthly = formatPrice(plans[to].monthlyPriceCents);
  if (isTrial) {
    const until = trialEnd ? ` until ${dates.day(trialEnd)}` : '';
    return [start, `Your trial continues${until}. After that, you pay ${monthly} a month.`];
  }
  const difference = formatPrice(plans[to].monthlyPriceCents - plans[subscription.plan].monthlyPriceCents);
  const later = currentPeriodEnd ? ` From ${dates.day(currentPeriodEnd)}, you pay ${monthly} a month.` : '';
  return [
    start,
    `The difference for the rest of this period is charged now: at most ${difference}, plus tax where it applies.${later}`,
    "If the payment needs your confirmation, Stripe's page shows the amount first. Your plan changes once it is paid.",
  ];
}

/** A downgrade takes effect at the end of the period. */
function downgradePoints(subscription: SubscriptionView, to: PlanId, dates: Dates): string[] {
  const { currentPeriodEnd } = subscription;
  const end = currentPeriodEnd ? dates.day(currentPeriodEnd) : 'the end of the period';
  return [
    `You'll keep ${plans[subscription.plan].name} until ${end}.`,
    `After that, you have ${plans[to].name} with ${imagesOf(to)}, at ${formatPrice(plans[to].monthlyPriceCents)} a month.`,
    'Nothing is charged now, and you can change your mind until then.',
  ];
}

function imagesOf(plan: PlanId): string {
  const { monthlyGenerations } = plans[plan];
  return monthlyGenerations === null ? 'unlimited images' : `${monthlyGenerations} images a month`;
}
