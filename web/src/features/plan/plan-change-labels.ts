import { type Agreement, type PlanChangePreview, type PlanId, plans, type SubscriptionView } from '#contract';
import type { Dates } from '#web/lib/dates.ts';
import { formatPrice } from '#web/lib/price.ts';

interface PlanChangeLabels {
  title: string;
  /** What is charged now, and how it comes about; the last one is the sum. None if nothing is charged. */
  amounts: [label: string, amount: string][];
  /** What happens, and when. */
  points: string[];
  /** What to know where the amount is not known. */
  warning: string | null;
  /** The label of the button. */
  confirm: string;
  /** What the seller agrees to with the button. */
  agreed: Agreement | undefined;
}

/** The texts of the dialog that confirms a change of plan. @param preview undefined where there is none */
export function planChangeLabels(
  subscription: SubscriptionView,
  to: PlanId,
  dates: Dates,
  preview: PlanChangePreview | undefined,
): PlanChangeLabels {
  const isUpgrade = plans[to].monthlyPriceCents > plans[subscription.plan].monthlyPriceCents;
  const action = isUpgrade ? 'Upgrade' : 'Downgrade';
  const dueNow = preview?.dueNow ?? null;
  const isCharged = isUpgrade && !subscription.isTrial;
  return {
    title: `${action} to ${plans[to].name}?`,
    amounts: dueNow && preview ? amountRows(subscription, to, dates, preview.currency, dueNow) : [],
    points: [
      ...(isUpgrade
        ? upgradePoints(subscription, to, dates, preview, isCharged)
        : downgradePoints(subscription, to, dates, preview)),
      ...(subscription.cancelAtPeriodEnd ? ['Your cancellation will be reversed: the plan renews.'] : []),
    ],
    warning: isCharged && !dueNow ? boundText(subscription, to) : null,
    confirm: `${action} Plan`,
    agreed: isCharged ? agreementTo(subscription, to, dueNow) : undefined,
  };
}

/** An amount with its cents: `$94.44`. @param cents in the currency's smallest unit */
function formatAmount(cents: number, currency: string): string {
  const amount = new Intl.NumberFormat('en', { style: 'currency', currency }).format(Math.abs(cents) / 100);
  return cents < 0 ? `−${amount}` : amount;
}

function amountRows(
  { plan, currentPeriodEnd }: SubscriptionView,
  to: PlanId,
  dates: Dates,
  currency: string,
  {
    amount,
    remaining,
    unused,
    discount,
    tax,
    taxIncluded,
    balance,
  }: NonNullable<PlanChangePreview['dueNow']>,
): [string, string][] {
  const until = currentPeriodEnd ? ` until ${dates.day(currentPeriodEnd)}` : '';
  const rows: [label: string, cents: number][] = [
    [`${plans[to].name}${until}`, remaining],
    [`Unused time on ${plans[plan].name}`, -unused],
    ['Discount', -discount],
    [taxIncluded ? 'Tax, included' : 'Tax', tax],
    [balance < 0 ? 'Your credit' : 'Balance due', balance],
  ];
  return [...rows.filter(([, cents]) => cents !== 0), ['Charged now', amount] satisfies [string, number]].map(
    ([label, cents]) => [label, formatAmount(cents, currency)],
  );
}

/** The difference of the prices: the rest of a period costs no more, except with tax. */
const bound = ({ plan }: SubscriptionView, to: PlanId): number =>
  plans[to].monthlyPriceCents - plans[plan].monthlyPriceCents;

function agreementTo(
  subscription: SubscriptionView,
  to: PlanId,
  dueNow: PlanChangePreview['dueNow'],
): Agreement {
  if (!dueNow) return { amount: bound(subscription, to) };
  return { amount: dueNow.amount, prorationDate: dueNow.prorationDate };
}

function boundText(subscription: SubscriptionView, to: PlanId): string {
  return (
    `We can't show the exact amount right now. You'll be charged at most ${formatPrice(bound(subscription, to))}. ` +
    'If it comes to more, for example with tax, nothing is charged and you can confirm the exact amount.'
  );
}

/** An upgrade takes effect at once. */
function upgradePoints(
  { currentPeriodEnd, trialEnd }: SubscriptionView,
  to: PlanId,
  dates: Dates,
  preview: PlanChangePreview | undefined,
  isCharged: boolean,
): string[] {
  const start = `${plans[to].name} with ${imagesOf(to)} starts right away.`;
  const monthly = formatPrice(plans[to].monthlyPriceCents);
  const next = nextText(preview, dates);
  if (!isCharged) {
    const until = trialEnd ? ` until ${dates.day(trialEnd)}` : '';
    return [start, `Your trial continues${until}. ${next ?? `After that, you pay ${monthly} a month.`}`];
  }
  const later = currentPeriodEnd
    ? [`From ${dates.day(currentPeriodEnd)}, you pay ${monthly} a month, plus tax where it applies.`]
    : [];
  return [
    start,
    ...(next ? [next] : later),
    "If the payment needs your confirmation, Stripe's page shows the amount first. Your plan changes once it is paid.",
  ];
}

/** A downgrade takes effect at the end of the period. */
function downgradePoints(
  { plan, currentPeriodEnd }: SubscriptionView,
  to: PlanId,
  dates: Dates,
  preview: PlanChangePreview | undefined,
): string[] {
  const end = currentPeriodEnd ? dates.day(currentPeriodEnd) : 'the end of the period';
  const next = nextText(preview, dates);
  return [
    `You'll keep ${plans[plan].name} until ${end}.`,
    `After that, you have ${plans[to].name} with ${imagesOf(to)}, at ${formatPrice(plans[to].monthlyPriceCents)} a month.`,
    ...(next ? [next] : []),
    'Nothing is charged now, and you can change your mind until then.',
  ];
}

function nextText(preview: PlanChangePreview | undefined, dates: Dates): string | undefined {
  return preview?.next ? `On ${dates.day(preview.next.at)}, you pay ${nextPaymentText(preview)}.` : undefined;
}

/** The next payment: `$236.81, including $37.81 tax`; null if it is not known. */
export function nextPaymentText({ next, currency }: PlanChangePreview): string | null {
  if (!next) return null;
  const amount = formatAmount(next.amount, currency);
  return next.tax === 0 ? amount : `${amount}, including ${formatAmount(next.tax, currency)} tax`;
}

function imagesOf(plan: PlanId): string {
  const { monthlyGenerations } = plans[plan];
  return monthlyGenerations === null ? 'unlimited images' : `${monthlyGenerations} images a month`;
}
