import type Stripe from 'stripe';
import { liveStatuses, type PlanId, type SubscriptionStatus } from '../contract/index.ts';
import { idOf, planOfProduct } from './catalogue.ts';
import type { Billing } from './client.ts';
import type { BillingState, PaidInvoice, SubscriptionState } from './state.ts';

/** Invoices of one read: the newest, so many that none was paid before them and not yet seen. */
const invoices = 100;

const date = (seconds: number) => new Date(seconds * 1_000);

/** Asks Stripe for all that it decides about a customer. @throws Stripe's error when it does not answer */
export async function readBilling(billing: Billing, customer: string): Promise<BillingState> {
  const { stripe } = billing;
  const [owner, subscriptions, paid] = await Promise.all([
    stripe.customers.retrieve(customer, { expand: ['invoice_settings.default_payment_method'] }),
    stripe.subscriptions.list({
      customer,
      status: 'all',
      limit: 100,
      expand: ['data.default_payment_method', 'data.schedule'],
    }),
    stripe.invoices.list({ customer, status: 'paid', limit: invoices }),
  ]);
  const usual = owner.deleted ? null : owner.invoice_settings.default_payment_method;
  const current = currentSubscription(subscriptions.data);
  return {
    subscription: current ? await readSubscription(billing, current, usual) : null,
    paid: paid.data
      .flatMap((invoice) => readInvoice(invoice) ?? [])
      .sort(
        (left, right) =>
          left.paidAt.getTime() - right.paidAt.getTime() ||
          left.period.start.getTime() - right.period.start.getTime() ||
          left.id.localeCompare(right.id),
      ),
  };
}

/** Of several the one that is alive; of those the one that works best, then the newest. */
function currentSubscription(all: readonly Stripe.Subscription[]): Stripe.Subscription | undefined {
  const rank = ({ status }: Stripe.Subscription) => {
    const place = liveStatuses.indexOf(status as SubscriptionStatus);
    return place === -1 ? liveStatuses.length : place;
  };
  return all
    .filter((each) => planOf(each.items.data) !== undefined)
    .toSorted((left, right) => rank(left) - rank(right) || right.created - left.created)[0];
}

function planOf(items: readonly Stripe.SubscriptionItem[]): PlanId | undefined {
  return items.map((item) => planOfProduct(idOf(item.price.product))).find((plan) => plan !== undefined);
}

async function readSubscription(
  billing: Billing,
  subscription: Stripe.Subscription,
  usual: string | Stripe.PaymentMethod | null,
): Promise<SubscriptionState> {
  const items = subscription.items.data;
  const item = items.find(({ price }) => planOfProduct(idOf(price.product)) !== undefined)!;
  const payment = subscription.default_payment_method ?? usual;
  const { cancel_at: cancelAt } = subscription;
  return {
    id: subscription.id,
    status: subscription.status as SubscriptionState['status'],
    plan: planOf(items)!,
    periodStart: date(item.current_period_start),
    periodEnd: date(item.current_period_end),
    cancelAtPeriodEnd:
      subscription.cancel_at_period_end || (cancelAt !== null && cancelAt <= item.current_period_end),
    trialEnd: subscription.trial_end === null ? null : date(subscription.trial_end),
    payment:
      payment === null || typeof payment === 'string'
        ? null
        : {
            method: payment.type,
            last4: payment.card?.last4 ?? null,
            brand: payment.card?.brand ?? null,
          },
    nextPlan: await readNextPlan(billing, subscription, item.current_period_end),
    scheduleId: subscription.schedule === null ? null : idOf(subscription.schedule),
    itemId: item.id,
  };
}

/** What a schedule makes of the subscription when its period ends. */
async function readNextPlan(
  { stripe }: Billing,
  { schedule }: Stripe.Subscription,
  periodEnd: number,
): Promise<SubscriptionState['nextPlan']> {
  if (schedule === null || typeof schedule === 'string') return null;
  const next = schedule.phases.find((phase) => phase.start_date >= periodEnd);
  const price = next?.items[0]?.price;
  if (!next || !price) return null;
  const { product } =
    typeof price === 'string' || price.deleted ? await stripe.prices.retrieve(idOf(price)) : price;
  const plan = planOfProduct(idOf(product));
  return plan ? { plan, at: date(next.start_date) } : null;
}

/** @returns null for an invoice that paid for no whole period */
function readInvoice(invoice: Stripe.Invoice): PaidInvoice | null {
  for (const line of invoice.lines.data) {
    const product = line.pricing?.price_details?.product;
    const plan = product === undefined ? undefined : planOfProduct(product);
    const proration = line.parent?.subscription_item_details?.proration;
    if (plan === undefined || proration !== false) continue;
    return {
      id: invoice.id!,
      paidAt: date(invoice.status_transitions.paid_at ?? invoice.created),
      period: { plan, start: date(line.period.start), end: date(line.period.end) },
    };
  }
  return null;
}
