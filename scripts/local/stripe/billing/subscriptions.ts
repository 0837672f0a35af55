/** Creates subscriptions. */
import type Stripe from 'stripe';
import { nextBoundary } from '../core/calendar.ts';
import { type Core, newId } from '../core/core.ts';
import { invalidRequest } from '../errors.ts';
import type { Price, Subscription, SubscriptionItem } from '../objects.ts';
import type { Presence } from './charge.ts';
import { type Collection, collect } from './collection.ts';
import { chosenDiscounts, type DiscountChoice, lastingDiscounts } from './discounts.ts';
import { draftInvoice, issueInvoice } from './invoices.ts';
import { periodLine } from './lines.ts';
import { assertLocated } from './tax.ts';

/** Parameters of a new subscription. */
interface SubscriptionParams {
  customer: string;
  price: Price;
  metadata: Record<string, string>;
  defaultPaymentMethod: string | null;
  /** In Unix seconds; the first period is then free and ends at this time. */
  trialEnd: number | null;
  automaticTax?: boolean;
  discounts?: readonly DiscountChoice[];
  presence: Presence;
}

/** A new subscription and the result of its first payment. */
interface CreatedSubscription {
  subscription: Subscription;
  collection: Collection;
}

/**
 * Creates a subscription that starts now, with its first invoice.
 * @throws StripeApiError 400 when there is no card
 */
export function createSubscription(core: Core, params: SubscriptionParams): CreatedSubscription {
  const customer = core.getOrThrow('customer', params.customer, 'customer');
  const { price, trialEnd } = params;
  if (!price.active) throw invalidRequest(`The price ${price.id} is inactive.`, 'items[0][price]');
  if (customer.currency !== null && customer.currency !== price.currency) {
    throw invalidRequest(
      `The customer already pays in ${customer.currency}: currencies cannot be mixed.`,
      'currency',
    );
  }
  const now = core.now();
  const trialing = trialEnd !== null && trialEnd > now;
  const end = trialing ? trialEnd : nextBoundary(now, now);
  const id = newId('sub');
  const item: SubscriptionItem = {
    id: newId('si'),
    object: 'subscription_item',
    created: now,
    current_period_end: end,
    current_period_start: now,
    metadata: {},
    price,
    quantity: 1,
    subscription: id,
  };
  const bare = newSubscription(core, id, params, item, trialing);
  const fresh = { ...bare, discounts: chosenDiscounts(core, bare, params.discounts ?? []) };
  assertLocated(core, fresh);
  const facts = {
    subscription: fresh,
    reason: 'subscription_create' as const,
    lines: [periodLine(core, fresh, item, { start: now, end }, trialing)],
    period: { start: now, end: now },
  };
  if (draftInvoice(core, facts).amount_due > 0) {
    const card = fresh.default_payment_method ?? customer.invoice_settings.default_payment_method;
    if (card === null) {
      throw invalidRequest(
        'This customer has no attached payment source or default payment method. Add one first.',
        undefined,
        'resource_missing',
      );
    }
  }
  core.create(fresh, 'customer.subscription.created');
  if (customer.currency === null) core.change(customer, { currency: price.currency }, 'customer.updated');
  const invoice = issueInvoice(core, facts);
  core.change(fresh, { latest_invoice: invoice.id, discounts: lastingDiscounts(core, fresh) });
  const collection = collect(core, invoice, { presence: params.presence });
  return { subscription: core.getOrThrow('subscription', id), collection };
}

/** As at Stripe, where each new subscription is in this mode. */
const flexibleMode: Stripe.Subscription.BillingMode = {
  type: 'flexible',
  flexible: { proration_discounts: 'included' },
};

function newSubscription(
  core: Core,
  id: string,
  params: SubscriptionParams,
  item: SubscriptionItem,
  trialing: boolean,
): Subscription {
  const now = core.now();
  return {
    id,
    object: 'subscription',
    automatic_tax: { enabled: params.automaticTax === true },
    billing_cycle_anchor: trialing ? item.current_period_end : now,
    billing_mode: core.billingMode === 'flexible' ? flexibleMode : { type: 'classic', flexible: null },
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { reason: null },
    collection_method: 'charge_automatically',
    created: now,
    currency: item.price.currency,
    customer: params.customer,
    default_payment_method: params.defaultPaymentMethod,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: null,
    items: {
      object: 'list',
      data: [item],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    metadata: params.metadata,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: trialing ? 'trialing' : 'incomplete',
    trial_end: trialing ? item.current_period_end : null,
    trial_start: trialing ? now : null,
  };
}

/** The only item of a subscription. */
export function itemOf(subscription: Subscription): SubscriptionItem {
  const [item] = subscription.items.data;
  if (item === undefined) throw new Error(`subscription ${subscription.id} has no item`);
  return item;
}

/** Whether a subscription still creates invoices. */
export function isRunning(subscription: Subscription): boolean {
  return ['active', 'trialing', 'past_due', 'unpaid', 'incomplete', 'paused'].includes(subscription.status);
}

/** The customer's newest subscription that has not ended. */
export function runningSubscription(core: Core, customer: string): Subscription | undefined {
  return core.store.list('subscription', { customer }).find(isRunning);
}

/** The card that the customer's next invoice is charged to. */
export function nextCard(core: Core, customer: string): string | null {
  const subscription = runningSubscription(core, customer);
  return (
    subscription?.default_payment_method ??
    core.getOrThrow('customer', customer).invoice_settings.default_payment_method
  );
}
