import type Stripe from 'stripe';
import { liveStatuses, type PlanId, type SubscriptionStatus } from '#contract';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import type { BillingState, PackPayment, PaidInvoice, SubscriptionState } from './billing-state.ts';
import { endsWithPeriod, isWithdrawalDue } from './cancellation.ts';
import { idOf, planOfProduct } from './catalogue.ts';
import { type Billing, nullIfMissing } from './client.ts';
import { readPackPayments } from './read-pack-payments.ts';
import { findRefundedPayments } from './refunded-payments.ts';

/** Paid invoices of one reading, the newest. Older ones were granted long ago: there is about one each month. */
const maxInvoices = 100;

const date = (seconds: number) => new Date(seconds * 1_000);

/** What Stripe says about one customer. */
interface CustomerReading {
  status: BillingState['customer'];
  defaultPayment: string | Stripe.PaymentMethod | null;
  subscriptions: readonly Stripe.Subscription[];
  /** Paid invoices. */
  invoices: readonly Stripe.Invoice[];
  /** Ids of the invoices whose whole amount was refunded or is disputed. */
  refunded: ReadonlySet<string>;
}

/**
 * Reads a seller's billing state from Stripe.
 * @param customers the seller's customers at Stripe: the current one first, then those that were deleted there
 * @param profile packs are read once the seller has opened a checkout for one
 * @throws Stripe's error when it does not answer
 */
export async function fetchBillingState(
  billing: Billing,
  customers: readonly string[],
  { pack_images: buysPacks }: Pick<ProfileRow, 'pack_images'>,
): Promise<BillingState> {
  const [readings, packs] = await Promise.all([
    Promise.all(customers.map((customer) => readCustomer(billing, customer))),
    buysPacks ? readPackPayments(billing.stripe, customers) : ([] as PackPayment[]),
  ]);
  const all = readings.flatMap(({ subscriptions }) => subscriptions);
  const current = currentSubscription(all);
  const owner = readings.find(({ subscriptions }) => current && subscriptions.includes(current));
  return {
    customer: readings[0]?.status ?? 'there',
    subscription: current && owner ? await readSubscription(billing, current, owner) : null,
    paid: readings
      .flatMap(({ invoices, refunded }) => invoices.flatMap((each) => readInvoice(each, refunded) ?? []))
      .sort(
        (left, right) =>
          left.paidAt.getTime() - right.paidAt.getTime() ||
          left.period.start.getTime() - right.period.start.getTime() ||
          left.id.localeCompare(right.id),
      ),
    packs,
  };
}

async function readCustomer({ stripe }: Billing, customer: string): Promise<CustomerReading> {
  // Stripe lists the history of a deleted customer; for an unknown one each request fails.
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
      .list({ customer, status: 'paid', limit: maxInvoices, expand: ['data.payments'] })
      .catch(nullIfMissing),
  ]);
  const invoices = paid?.data ?? [];
  return {
    status: owner === null ? 'unknown' : owner.deleted ? 'deleted' : 'there',
    defaultPayment: owner && !owner.deleted ? owner.invoice_settings.default_payment_method : null,
    subscriptions: subscriptions?.data ?? [],
    invoices,
    refunded: await findRefundedPayments(stripe, customer, invoices),
  };
}

/** Prefers live subscriptions, in the order of `liveStatuses`, then newer ones. */
function currentSubscription(all: readonly Stripe.Subscription[]): Stripe.Subscription | undefined {
  const rank = ({ status }: Stripe.Subscription) => {
    const index = liveStatuses.indexOf(status as SubscriptionStatus);
    return index === -1 ? liveStatuses.length : index;
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
  { defaultPayment, invoices, refunded }: CustomerReading,
): Promise<SubscriptionState> {
  const items = subscription.items.data;
  const item = items.find(({ price }) => planOfProduct(idOf(price.product)) !== undefined)!;
  const plan = planOf(items)!;
  const payment = await expandPayment(billing, subscription.default_payment_method ?? defaultPayment);
  const paid = invoices.flatMap((invoice) =>
    linesUntil(invoice, plan, item.current_period_end).map(({ period }) => ({
      start: period.start,
      isReturned: refunded.has(invoice.id!),
    })),
  );
  const kept = paid.filter(({ isReturned }) => !isReturned).map(({ start }) => start);
  return {
    id: subscription.id,
    status: subscription.status as SubscriptionState['status'],
    plan,
    periodStart: date(item.current_period_start),
    periodEnd: date(item.current_period_end),
    planSince: date(kept.length === 0 ? item.current_period_start : Math.min(...kept)),
    cancelAtPeriodEnd: endsWithPeriod(subscription, item.current_period_end),
    isWithdrawalDue: isWithdrawalDue(subscription, plan),
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
    pinnedPrice: pinnedPrice(subscription, item.current_period_end),
    scheduleId: subscription.schedule === null ? null : idOf(subscription.schedule),
    itemId: item.id,
    refunded: paid.length > 0 && kept.length === 0,
  };
}

/** The payment method of a subscription is expanded, the customer's default one is retrieved here. */
async function expandPayment(
  { stripe }: Billing,
  method: string | Stripe.PaymentMethod | null,
): Promise<Stripe.PaymentMethod | null> {
  return typeof method === 'string' ? stripe.paymentMethods.retrieve(method).catch(nullIfMissing) : method;
}

/** The lines of an invoice that pay for a plan until the end of the period: for all of it, or the difference of an upgrade. */
function linesUntil(invoice: Stripe.Invoice, plan: PlanId, end: number): Stripe.InvoiceLineItem[] {
  return invoice.lines.data.filter(
    (line) => line.period.end === end && line.amount >= 0 && planOfLine(line) === plan,
  );
}

function planOfLine({ pricing }: Stripe.InvoiceLineItem): PlanId | undefined {
  const product = pricing?.price_details?.product;
  return product === undefined ? undefined : planOfProduct(product);
}

/** Our own schedules leave the payment method to the customer; one that was made in the portal or the Dashboard may not. */
function pinnedPrice({ schedule }: Stripe.Subscription, periodEnd: number): string | null {
  const next = nextPhase(schedule, periodEnd);
  const price = next?.items[0]?.price;
  return next?.default_payment_method && price ? idOf(price) : null;
}

function nextPhase(schedule: Stripe.Subscription['schedule'], periodEnd: number) {
  if (schedule === null || typeof schedule === 'string') return undefined;
  return schedule.phases.find((phase) => phase.start_date >= periodEnd);
}

/** The plan to which a schedule changes the subscription when its period ends. */
async function readNextPlan(
  { stripe }: Billing,
  { schedule }: Stripe.Subscription,
  periodEnd: number,
): Promise<SubscriptionState['nextPlan']> {
  const next = nextPhase(schedule, periodEnd);
  const price = next?.items[0]?.price;
  if (!next || !price) return null;
  const { product } =
    typeof price === 'string' || price.deleted ? await stripe.prices.retrieve(idOf(price)) : price;
  const plan = planOfProduct(idOf(product));
  return plan ? { plan, at: date(next.start_date) } : null;
}

/** @returns null for an invoice that does not pay for a whole period */
function readInvoice(invoice: Stripe.Invoice, refundedIds: ReadonlySet<string>): PaidInvoice | null {
  for (const line of invoice.lines.data) {
    const plan = planOfLine(line);
    const proration = line.parent?.subscription_item_details?.proration;
    if (plan === undefined || proration !== false) continue;
    return {
      id: invoice.id!,
      paidAt: date(invoice.status_transitions.paid_at ?? invoice.created),
      period: { plan, start: date(line.period.start), end: date(line.period.end) },
      refunded: refundedIds.has(invoice.id!),
    };
  }
  return null;
}
