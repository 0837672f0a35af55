import { type OperatorBilling, type OperatorBillingChoice, type OperatorSellerView, plans } from '#contract';
import type { Dates } from '#web/lib/dates.ts';
import type { Choice } from '#web/ui/choices.tsx';

/* What a dialog says of a seller's billing, with dates and amounts. */

type BillingChoice = Choice<OperatorBillingChoice>;

function money({ cents, currency }: { cents: number; currency: string }): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(cents / 100);
}

/** What runs and what was paid, a sentence each. */
export function billingFacts(
  { subscription, others, unpaid, lastPayment }: OperatorBilling,
  dates: Dates,
): string[] {
  if (!subscription) return ['No plan: nothing is charged.'];
  const { plan, status, periodEnd, ends, nextPlan, price } = subscription;
  const name = plan === null ? 'A plan of Stripe’s Dashboard' : plans[plan].name;
  const amount = price ? ` for ${money(price)} before tax and discounts` : '';
  const end = dates.day(periodEnd);
  return [
    `${name}, ${status}. ${
      ends
        ? `It ends on ${end}.`
        : nextPlan
          ? `It becomes ${plans[nextPlan].name} on ${end}.`
          : `It renews on ${end}${amount}.`
    }`,
    ...(others > 0 ? [`${others} more with Stripe: what you choose is done with all of them.`] : []),
    ...unpaid.map((each) => `${money(each)} is due and not paid. Stripe may go on trying to charge it.`),
    ...(lastPayment
      ? [
          `Last payment: ${money(lastPayment)} on ${dates.day(lastPayment.at)}${
            lastPayment.refundedCents > 0
              ? `, of which ${money({ ...lastPayment, cents: lastPayment.refundedCents })} was refunded`
              : ''
          }.`,
        ]
      : []),
  ];
}

/** What an operator who disables an account can choose. */
export function banChoices(
  { balance: { left } }: Pick<OperatorSellerView, 'balance'>,
  { subscription, unpaid, lastPayment, choices }: OperatorBilling,
  dates: Dates,
): BillingChoice[] {
  if (!subscription) return [];
  const end = dates.day(subscription.periodEnd);
  const amount = subscription.price ? ` for ${money(subscription.price)}` : '';
  // What was given back already is said above.
  const kept =
    lastPayment && lastPayment.refundedCents < lastPayment.cents
      ? ` The payment of ${money(lastPayment)} on ${dates.day(lastPayment.at)} is not refunded.`
      : '';
  const images = left > 0 ? ` ${left === 1 ? '1 image' : `${left} images`} of the plan expire.` : '';
  const dropped = subscription.nextPlan ? ' The change of plan is dropped.' : '';
  const due = unpaid.length > 0 ? ' What is due is no longer collected.' : '';
  const all: Readonly<Record<OperatorBillingChoice, Omit<BillingChoice, 'value'>>> = {
    'end-now': {
      label: 'End billing at once',
      effect: `The plan ends now.${images}${due} Nothing is charged any more.${kept}`,
    },
    'end-with-period': {
      label: `End billing on ${end}`,
      effect: `The plan is not renewed.${dropped} Nothing is charged any more. If you enable the account before then, you can have the plan renew again.`,
    },
    leave: {
      label: 'Leave billing as it is',
      effect: subscription.ends
        ? `The plan ends on ${end} in any case.`
        : `The plan renews on ${end}${amount}, and each month after that, while the seller cannot sign in. Only for a short check.`,
    },
    renew: { label: '', effect: '' },
  };
  return choices.map((value) => ({ value, ...all[value] }));
}

/** What an operator who enables an account can choose: nothing if the plan simply goes on, or there is none. */
export function enableChoices(
  { billingOrder }: Pick<OperatorSellerView, 'billingOrder'>,
  { subscription }: OperatorBilling,
  dates: Dates,
): BillingChoice[] {
  const isPending = billingOrder?.pending === true && billingOrder.kind !== 'renew';
  if (!subscription || !(subscription.ends || isPending)) return [];
  const end = dates.day(subscription.periodEnd);
  const amount = subscription.price ? ` for ${money(subscription.price)}` : '';
  const stays =
    isPending && billingOrder.kind === 'end-now'
      ? 'The plan ends as soon as Stripe answers.'
      : `The plan ends on ${end}.`;
  return [
    {
      value: 'renew',
      label: 'Renew the plan again',
      effect: `Its end is withdrawn, whoever planned it: it renews on ${end}${amount}. The seller is told by mail.`,
    },
    { value: 'leave', label: 'Let the plan end', effect: `${stays} The seller can subscribe again.` },
  ];
}
