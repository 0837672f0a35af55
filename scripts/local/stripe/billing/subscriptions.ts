/** Creates subscriptions. */
import { nextBoundary } from '../core/calendar.ts';
import { type Core, newId } from '../core/core.ts';
import { invalidRequest } from '../errors.ts';
import type { Price, Subscription, SubscriptionItem } from '../objects.ts';
import { planOf } from './catalog.ts';
import type { Presence } from './charge.ts';
import { assertPaid, type Collection, collect } from './collection.ts';
import { issueInvoice } from './invoices.ts';
import { periodLine } from './lines.ts';

/** Parameters of a new subscription. */
export interface SubscriptionParams {
  customer: string;
  price: Price;
  metadata: Record<string, string>;
  defaultPaymentMethod: string | null;
  /** In Unix seconds; the first period is then free and ends at this time. */
  trialEnd: number | null;
  paymentBehavior: 'allow_incomplete' | 'error_if_incomplete';
  presence: Presence;
}

/** A new subscription and the result of its first payment. */
interface CreatedSubscription {
  subscription: Subscription;
  collection: Collection;
}

/**
 * Creates a subscription that starts now, with its first invoice.
 * @throws StripeApiError 402 under `error_if_incomplete` when the card is declined, 400 when there is no card
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
    billing_thresholds: null,
    created: now,
    current_period_end: end,
    current_period_start: now,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(price),
    price,
    quantity: 1,
    subscription: id,
    tax_rates: [],
  };
  const fresh = newSubscription(core, id, params, item, trialing);
  const first = periodLine(core, item, { start: now, end }, trialing);
  if (first.amount > 0) {
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
  const invoice = issueInvoice(core, {
    subscription: fresh,
    reason: 'subscription_create',
    lines: [first],
    period: { start: now, end: now },
  });
  core.change(fresh, { latest_invoice: invoice.id });
  const collection = collect(core, invoice, { presence: params.presence });
  if (params.paymentBehavior === 'error_if_incomplete') assertPaid(collection);
  return { subscription: core.getOrThrow('subscription', id), collection };
}

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
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: trialing ? item.current_period_end : now,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: now,
    currency: item.price.currency,
    customer: params.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: params.defaultPaymentMethod,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: {
      object: 'list',
      data: [item],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: params.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: trialing ? 'trialing' : 'incomplete',
    test_clock: null,
    transfer_data: null,
    trial_end: trialing ? item.current_period_end : null,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' },
    },
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
