import type Stripe from 'stripe';
import { liveStatuses, type PlanId, type SubscriptionStatus } from '#contract';
import type { BillingState, PaidInvoice, SubscriptionState } from './billing-state.ts';
import { idOf, planOfProduct } from './catalogue.ts';
import { type Billing, nullIfMissing } from './client.ts';
import { findRefundedPayments } from './refunded-payments.ts';

/** Invoices of one read: the newest, so many that none was paid before them and not yet seen. */
const invoicesRead = 100;

const date = (seconds: number) => new Date(seconds * 1_000);

/** What Stripe says of one customer. */
interface CustomerReading {
  standing: BillingState['customer'];
  usualPayment: string | Stripe.PaymentMethod | null;
  subscriptions: readonly Stripe.Subscription[];
  /** Paid ones. */
  invoices: readonly Stripe.Invoice[];
  /** Ids of the invoices whose money went back. */
  returned: ReadonlySet<string>;
}

/**
 * Asks Stripe for all that it decides about a seller.
 * @param customers the seller's customers at Stripe, the current one first; those before it were deleted there
 * @throws Stripe's error when it does not answer
 */
export async function fetchBillingState(
  billing: Billing,
  customers: readonly string[],
): Promise<BillingState> {
  const readings = await Promise.all(customers.map((customer) => readCustomer(billing, customer)));
  const all = readings.flatMap(({ subscriptions }) => subscriptions);
  const current = currentSubscription(all);
  const owner = readings.find(({ subscriptions }) => current && subscriptions.includes(current));
  return {
    customer: readings[0]?.standing ?? 'there',
    subscription: current && owner ? await readSubscription(billing, current, owner) : null,
    paid: readings
      .flatMap(({ invoices, returned }) => invoices.flatMap((each) => readInvoice(each, returned) ?? []))
      .sort(
        (left, right) =>
          left.paidAt.getTime() - right.paidAt.getTime() ||
          left.period.start.getTime() - right.period.start.getTime() ||
          left.id.localeCompare(right.id),
      ),
  };
}

async function readCustomer({ stripe }: Billing, customer: string): Promise<CustomerReading> {
  // Of a deleted customer Stripe keeps the history; of an unknown one it has nothing to list.
  const [owner, subscriptions, paid] = await Promise.all([
    stripe.customers.retrieve(customer).catch(nullIfMissing),
    stripe.subscriptions
      .list({
        customer,
        status: 'all',
        limit: 100,
        expand: ['data.default_payment_method', 'data.schedule'],
      })
      .catch(nullIfMissing),
    stripe.invoices
      .list({ customer, status: 'paid', limit: invoicesRead, expand: ['data.payments'] })
      .catch(nullIfMissing),
  ]);
  const invoices = paid?.data ?? [];
  return {
    standing: owner === null ? 'unknown' : owner.deleted ? 'deleted' : 'there',
    usualPayment: owner && !owner.deleted ? owner.invoice_settings.default_payment_method : null,
    subscriptions: subscriptions?.data ?? [],
    invoices,
    returned: await findRefundedPayments(stripe, customer, invoices),
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
  { usualPayment, invoices, returned }: CustomerReading,
): Promise<SubscriptionState> {
  const items = subscription.items.data;
  const item = items.find(({ price }) => planOfProduct(idOf(price.product)) !== undefined)!;
  const plan = planOf(items)!;
  const payment = await expanded(billing, subscription.default_payment_method ?? usualPayment);
  const paying = invoices.filter((invoice) => paysUntil(invoice, plan, item.current_period_end));
  const { cancel_at: cancelAt } = subscription;
  return {
    id: subscription.id,
    status: subscription.status as SubscriptionState['status'],
    plan,
    periodStart: date(item.current_period_start),
    periodEnd: date(item.current_period_end),
    cancelAtPeriodEnd:
      subscription.cancel_at_period_end || (cancelAt !== null && cancelAt <= item.current_period_end),
    trialEnd: subscription.trial_end === null ? null : date(subscription.trial_end),
    payment:
      payment === null
        ? null
        : {
            method: payment.type,
            last4: payment.card?.last4 ?? null,
            brand: payment.card?.brand ?? null,
          },
    nextPlan: await readNextPlan(billing, subscription, item.current_period_end),
    scheduleId: subscription.schedule === null ? null : idOf(subscription.schedule),
    itemId: item.id,
    refunded: paying.length > 0 && paying.every(({ id }) => returned.has(id!)),
  };
}

/** Subscriptions come with their payment method; what a customer uses otherwise is asked for. */
async function expanded(
  { stripe }: Billing,
  method: string | Stripe.PaymentMethod | null,
): Promise<Stripe.PaymentMethod | null> {
  return typeof method === 'string' ? stripe.paymentMethods.retrieve(method).catch(nullIfMissing) : method;
}

/** Whether an invoice paid for a plan until then: for the whole period, or as the difference of an upgrade. */
function paysUntil(invoice: Stripe.Invoice, plan: PlanId, end: number): boolean {
  return invoice.lines.data.some(
    (line) => line.period.end === end && line.amount >= 0 && planOfLine(line) === plan,
  );
}

function planOfLine({ pricing }: Stripe.InvoiceLineItem): PlanId | undefined {
  const product = pricing?.price_details?.product;
  return product === undefined ? undefined : planOfProduct(product);
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
function readInvoice(invoice: Stripe.Invoice, returned: ReadonlySet<string>): PaidInvoice | null {
  for (const line of invoice.lines.data) {
    const plan = planOfLine(line);
    const proration = line.parent?.subscription_item_details?.proration;
    if (plan === undefined || proration !== false) continue;
    return {
      id: invoice.id!,
      paidAt: date(invoice.status_transitions.paid_at ?? invoice.created),
      period: { plan, start: date(line.period.start), end: date(line.period.end) },
      refunded: returned.has(invoice.id!),
    };
  }
  return null;
}
