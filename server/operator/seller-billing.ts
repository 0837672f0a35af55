import type Stripe from 'stripe';
import {
  liveStatuses,
  type OperatorBilling,
  type OperatorBillingChoice,
  type SubscriptionStatus,
  unpaidStatuses,
} from '#contract';
import { endsWithPeriod, hasEnded, periodEndOf } from '#shared/billing/cancellation.ts';
import { idOf, planOfProduct } from '#shared/billing/catalogue.ts';
import { type BillingContext, nullIfMissing } from '#shared/billing/client.ts';
import { customersOf } from '#shared/billing/customer.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';

type Subscription = NonNullable<OperatorBilling['subscription']>;

/**
 * What an operator decides on who disables an account: what runs, what it costs, what is paid, and what can be chosen. As
 * Stripe has it now; if Stripe does not answer, as it is stored here.
 */
export async function billingOf(
  { billing: { stripe }, log }: Pick<BillingContext, 'billing' | 'log'>,
  profile: ProfileRow,
): Promise<OperatorBilling> {
  try {
    return await billingAtStripe(stripe, customersOf(profile));
  } catch (error) {
    log.warn({ err: error, profile: profile._id }, 'Stripe was not read for an operator');
    return billingHere(profile);
  }
}

async function billingAtStripe(stripe: Stripe, customers: readonly string[]): Promise<OperatorBilling> {
  const readings = await Promise.all(customers.map((customer) => readCustomer(stripe, customer)));
  const running = readings.flatMap((reading) => reading.running);
  const [first] = running.toSorted((left, right) => rank(left) - rank(right) || right.created - left.created);
  const subscription = first ? await presentSubscription(stripe, first) : null;
  return {
    source: 'stripe',
    subscription,
    others: Math.max(0, running.length - 1),
    unpaid: readings.flatMap(({ unpaid }) => unpaid),
    lastPayment: readings.find(({ lastPayment }) => lastPayment)?.lastPayment ?? null,
    choices: choicesFor(subscription),
  };
}

async function readCustomer(stripe: Stripe, customer: string) {
  const [subscriptions, open, charges] = await Promise.all([
    stripe.subscriptions
      .list({ customer, status: 'all', limit: 100, expand: ['data.schedule'] })
      .catch(nullIfMissing),
    stripe.invoices.list({ customer, status: 'open', limit: 100 }).catch(nullIfMissing),
    stripe.charges.list({ customer, limit: 20 }).catch(nullIfMissing),
  ]);
  const charge = charges?.data.find(({ paid }) => paid);
  return {
    running: (subscriptions?.data ?? []).filter((each) => !hasEnded(each)),
    unpaid: (open?.data ?? []).map(({ amount_remaining: cents, currency }) => ({ cents, currency })),
    lastPayment: charge
      ? {
          cents: charge.amount,
          currency: charge.currency,
          at: iso(charge.created),
          refundedCents: charge.amount_refunded,
        }
      : null,
  };
}

const iso = (seconds: number) => new Date(seconds * 1_000).toISOString();

function rank({ status }: Stripe.Subscription): number {
  return liveStatuses.indexOf(status as SubscriptionStatus);
}

async function presentSubscription(stripe: Stripe, subscription: Stripe.Subscription): Promise<Subscription> {
  const { items, status, schedule } = subscription;
  const price =
    items.data.find((item) => planOfProduct(idOf(item.price.product)))?.price ?? items.data[0]?.price;
  const end = periodEndOf(subscription);
  const next = schedule !== null && typeof schedule !== 'string' ? schedule.phases : [];
  const nextPrice = next.find((phase) => phase.start_date >= end)?.items[0]?.price;
  const nextProduct = nextPrice && (await stripe.prices.retrieve(idOf(nextPrice))).product;
  return {
    plan: price ? (planOfProduct(idOf(price.product)) ?? null) : null,
    status: status as SubscriptionStatus,
    periodEnd: iso(end),
    ends: endsWithPeriod(subscription, end),
    nextPlan: nextProduct ? (planOfProduct(idOf(nextProduct)) ?? null) : null,
    price: price?.unit_amount ? { cents: price.unit_amount, currency: price.currency } : null,
  };
}

function billingHere(profile: ProfileRow): OperatorBilling {
  const { subscription_data: details, subscription_plan: plan, subscription_status: status } = profile;
  const subscription: Subscription | null =
    details === null || !liveStatuses.includes(status)
      ? null
      : {
          plan,
          status,
          periodEnd: details.current_period_end.toISOString(),
          ends: details.cancel_at_period_end,
          nextPlan: details.next_plan?.plan ?? null,
          price: null,
        };
  return {
    source: 'stored',
    subscription,
    others: 0,
    unpaid: [],
    lastPayment: null,
    choices: choicesFor(subscription),
  };
}

/**
 * A period that is not paid is not waited for, and is not left either: Stripe would go on trying to charge a seller who
 * cannot sign in.
 */
function choicesFor(subscription: Subscription | null): OperatorBillingChoice[] {
  if (!subscription) return [];
  if (unpaidStatuses.includes(subscription.status)) return ['end-now'];
  return subscription.ends ? ['end-now', 'leave'] : ['end-now', 'end-with-period', 'leave'];
}
