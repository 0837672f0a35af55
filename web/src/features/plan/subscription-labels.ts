import { liveStatuses, type PlanId, plans, type SubscriptionStatus, type SubscriptionView } from '#contract';
import type { Dates } from '#web/lib/dates.ts';

/** Subscription statuses as a seller reads them. */
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

/** Whether there is a subscription that has not ended: something to change, not to begin. */
export function isLive(subscription: SubscriptionView): boolean {
  return liveStatuses.includes(subscription.status);
}

/** The other one of the two plans, and whether going there is an upgrade. */
export function otherPlan(plan: PlanId): { plan: PlanId; upgrade: boolean } {
  return plan === 'freelance' ? { plan: 'enterprise', upgrade: true } : { plan: 'freelance', upgrade: false };
}

/** What comes next and when: label and date, first what the seller should know first. */
export function whatComesNext(
  subscription: SubscriptionView,
  dates: Dates,
): [label: string, value: string][] {
  const { status, currentPeriodEnd, cancelAtPeriodEnd, isTrial, trialEnd, nextPlan, graceUntil } =
    subscription;
  const lines: [string, string][] = [];
  if (status === 'past_due' && graceUntil) lines.push(['Works until', dates.day(graceUntil)]);
  if (isTrial && trialEnd) lines.push(['Trial until', dates.day(trialEnd)]);
  if (cancelAtPeriodEnd && currentPeriodEnd) lines.push(['Ends on', dates.day(currentPeriodEnd)]);
  else if (nextPlan) lines.push([`Changes to ${plans[nextPlan.plan].name} on`, dates.day(nextPlan.at)]);
  else if (currentPeriodEnd && (status === 'active' || status === 'trialing')) {
    lines.push(['Next billing date', dates.day(currentPeriodEnd)]);
  }
  return lines;
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

/** How the plan is paid for, `Visa ending in 4242`; null while nothing is known. */
export function paymentLabel({ paymentMethod, cardBrand, last4 }: SubscriptionView): string | null {
  if (cardBrand && last4) return `${brands[cardBrand] ?? cardBrand} ending in ${last4}`;
  return paymentMethod === null ? null : paymentMethod.replaceAll('_', ' ');
}

/** What happens when a running subscription goes to a plan, and when: the words of the dialog that asks. */
export function changeLabel(
  subscription: SubscriptionView,
  to: PlanId,
  dates: Dates,
): { title: string; points: string[]; confirm: string } {
  const from = plans[subscription.plan];
  const target = plans[to];
  const price = (cents: number) => `$${cents / 100}`;
  const images =
    target.monthlyGenerations === null ? 'unlimited images' : `${target.monthlyGenerations} images a month`;
  const end = subscription.currentPeriodEnd ? dates.day(subscription.currentPeriodEnd) : null;
  if (target.monthlyPriceCents > from.monthlyPriceCents) {
    return {
      title: `Upgrade to ${target.name}?`,
      points: [
        `${target.name} with ${images} starts at once.`,
        subscription.isTrial
          ? `Your trial goes on${subscription.trialEnd ? ` until ${dates.day(subscription.trialEnd)}` : ''}; after that it is ${price(target.monthlyPriceCents)} a month.`
          : `The difference for the rest of this period is charged now: at most ${price(target.monthlyPriceCents - from.monthlyPriceCents)}.${end ? ` From ${end} on it is ${price(target.monthlyPriceCents)} a month.` : ''}`,
        ...(subscription.cancelAtPeriodEnd ? ['Your cancellation is taken back: the plan renews.'] : []),
      ],
      confirm: 'Upgrade Plan',
    };
  }
  return {
    title: `Downgrade to ${target.name}?`,
    points: [
      `You keep ${from.name} until ${end ?? 'the end of the period'}: it is paid for.`,
      `From then on it is ${target.name} with ${images}, at ${price(target.monthlyPriceCents)} a month.`,
      'Until then you can change your mind. Nothing is charged now.',
      ...(subscription.cancelAtPeriodEnd ? ['Your cancellation is taken back: the plan goes on.'] : []),
    ],
    confirm: 'Downgrade Plan',
  };
}
