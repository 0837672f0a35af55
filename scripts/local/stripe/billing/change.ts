/** Changes to running subscriptions: price and cancellation. */
import { nextBoundary } from '../core/calendar.ts';
import type { Core } from '../core/core.ts';
import { invalidRequest, noSuch, StripeApiError } from '../errors.ts';
import type { Invoice, InvoiceLine } from '../invoice-objects.ts';
import type { Price, Subscription, SubscriptionItem } from '../objects.ts';
import { type PlannedCancellation, plannedCancellation } from './cancellation.ts';
import { noPaymentMethod, type Presence } from './charge.ts';
import { assertPaid, type Collection, collect, markPastDue } from './collection.ts';
import { mergeMetadata } from './customers.ts';
import { chosenDiscounts, type DiscountChoice, lastingDiscounts } from './discounts.ts';
import { draftInvoice, issueInvoice } from './invoices.ts';
import { periodLine, prorationLines } from './lines.ts';
import { awaitDebit, itemWith, pendingUpdate, withItems } from './pending-update.ts';
import { updateCurrentPhase } from './schedules.ts';
import { isRunning, itemOf, nextCard } from './subscriptions.ts';
import { assertLocated } from './tax.ts';

/** How a change of price is prorated: not at all, or by an invoice at once. */
export type ProrationBehavior = 'none' | 'always_invoice';

/** What can be changed. */
interface ChangeParams extends PlannedCancellation {
  price?: Price | undefined;
  prorationBehavior?: ProrationBehavior | undefined;
  /** Starts a new period at once. */
  newPeriod?: boolean | undefined;
  /** What happens to a change that is invoiced at once when the card is declined. */
  paymentBehavior?: 'allow_incomplete' | 'error_if_incomplete' | 'pending_if_incomplete' | undefined;
  metadata?: Record<string, string> | '' | undefined;
  /** Replace the subscription's discounts. */
  discounts?: readonly DiscountChoice[] | undefined;
  defaultPaymentMethod?: string | undefined;
  automaticTax?: boolean | undefined;
  /** As of when the change is prorated, in Unix seconds: now by default. */
  prorationDate?: number | undefined;
  presence?: Presence | undefined;
}

/** The result of a change of price, calculated in advance. */
interface PlannedChange {
  item: SubscriptionItem;
  lines: InvoiceLine[];
  /** A new period starts now and is invoiced at once. */
  newPeriod: boolean;
}

/** Calculates the item and the invoice lines of a change. A new period starts without prorations only. */
function planChange(core: Core, subscription: Subscription, params: ChangeParams): PlannedChange {
  const before = itemOf(subscription);
  const price = params.price ?? before.price;
  const now = core.now();
  if (price.currency !== subscription.currency) {
    throw invalidRequest(`The price must be in ${subscription.currency}.`, 'items[0][price]');
  }
  const changed = itemWith(before, price);
  const trialing = subscription.status === 'trialing';
  checkProrationDate(params, before);
  const newPeriod = !trialing && params.newPeriod === true;
  const isFree = trialing || params.prorationBehavior === 'none';
  if (newPeriod) {
    if (!isFree)
      throw invalidRequest("With a new period, this server has 'none' only.", 'proration_behavior');
    const end = nextBoundary(now, now);
    const item = { ...changed, current_period_start: now, current_period_end: end };
    return { item, lines: [periodLine(core, subscription, item, { start: now, end })], newPeriod };
  }
  const isProrated = !isFree && price.id !== before.price.id;
  const at = params.prorationDate ?? now;
  const lines = isProrated ? prorationLines(core, { subscription, item: before, to: price, at }) : [];
  return { item: changed, lines, newPeriod };
}

/** @throws StripeApiError 400 for a time of proration outside the period, or where nothing is prorated */
function checkProrationDate(
  { prorationDate: at, prorationBehavior, newPeriod, price }: ChangeParams,
  { current_period_start: start, current_period_end: end }: SubscriptionItem,
): void {
  if (at === undefined) return;
  const refuse = (message: string) => invalidRequest(message, 'proration_date');
  if (newPeriod) throw refuse('You cannot specify `proration_date` when `billing_cycle_anchor=now`.');
  if (prorationBehavior === 'none') {
    throw refuse('You cannot specify `proration_date` when `proration_behavior=none`.');
  }
  if (price === undefined) throw refuse('A proration date needs items that change.');
  if (at < start) throw refuse('Cannot specify proration date before the current subscription period.');
  if (at > end) throw refuse('Cannot specify proration date after the current subscription period.');
}

/**
 * The invoice that a change of price would create at once; undefined when it creates none. Nothing is stored.
 */
export function previewChangeInvoice(
  core: Core,
  subscription: Subscription,
  params: ChangeParams,
): Invoice | undefined {
  const plan = planChange(core, subscription, params);
  if (plan.lines.length === 0) return undefined;
  return draftInvoice(core, { subscription, ...invoiceFacts(core, plan) });
}

function invoiceFacts(core: Core, { lines }: PlannedChange) {
  const now = core.now();
  return { reason: 'subscription_update' as const, lines, period: { start: now, end: now } };
}

/**
 * Changes a subscription.
 * @returns the changed subscription, and the result of the payment if one was attempted
 * @throws StripeApiError 402 when the card is declined under `error_if_incomplete` (nothing changes), 400 for an
 * invalid change
 */
export function changeSubscription(
  core: Core,
  id: string,
  params: ChangeParams,
): { subscription: Subscription; collection?: Collection } {
  const subscription = core.getOrThrow('subscription', id);
  if (!isRunning(subscription)) throw noSuch('subscription', id);
  const facts = {
    ...plannedCancellation(core, subscription, params),
    metadata: mergeMetadata(subscription.metadata, params.metadata),
    default_payment_method: params.defaultPaymentMethod ?? subscription.default_payment_method,
    automatic_tax: { enabled: params.automaticTax ?? subscription.automatic_tax.enabled },
    discounts:
      params.discounts === undefined
        ? subscription.discounts
        : chosenDiscounts(core, subscription, params.discounts),
  };
  if (params.price === undefined && params.newPeriod !== true) {
    checkProrationDate(params, itemOf(subscription));
    assertLocated(core, { ...subscription, ...facts });
    const changed = core.change(subscription, facts, 'customer.subscription.updated');
    return { subscription: updateCurrentPhase(core, changed) };
  }
  const { discounts, automatic_tax } = facts;
  return changeItem(core, { ...subscription, discounts, automatic_tax }, facts, params);
}

function changeItem(
  core: Core,
  subscription: Subscription,
  facts: Partial<Subscription>,
  params: ChangeParams,
): { subscription: Subscription; collection?: Collection } {
  if (params.price?.active === false) {
    throw invalidRequest(`The price ${params.price.id} is inactive.`, 'items[0][price]');
  }
  const plan = planChange(core, subscription, params);
  const wait = params.paymentBehavior === 'pending_if_incomplete';
  const change: Partial<Subscription> = {
    ...withItems(subscription, [plan.item]),
    ...(plan.newPeriod
      ? {
          billing_cycle_anchor: core.now(),
          ...(subscription.cancel_at_period_end ? { cancel_at: plan.item.current_period_end } : {}),
        }
      : {}),
  };
  if (plan.lines.length === 0) {
    const changed = core.change(subscription, { ...facts, ...change }, 'customer.subscription.updated');
    return { subscription: updateCurrentPhase(core, changed) };
  }
  assertLocated(core, subscription);
  const { amount_due: due } = draftInvoice(core, { subscription, ...invoiceFacts(core, plan) });
  if (due > 0 && nextCard(core, subscription.customer) === null) throw noPaymentMethod();
  const changed = core.change(
    subscription,
    wait ? facts : { ...facts, ...change },
    'customer.subscription.updated',
  );
  const invoice = issueInvoice(core, { subscription: changed, ...invoiceFacts(core, plan) });
  const billed = core.change(
    changed,
    {
      latest_invoice: invoice.id,
      discounts: lastingDiscounts(core, changed),
      ...(wait ? { pending_update: pendingUpdate(core, [plan.item]) } : {}),
    },
    'customer.subscription.updated',
  );
  const collection = collect(core, invoice, { presence: params.presence ?? 'off-session' });
  const { outcome } = collection.result;
  if (outcome !== 'paid') {
    if (params.paymentBehavior === 'error_if_incomplete') assertCollected(collection);
    if (outcome === 'processing') awaitDebit(core, billed.id);
    else if (!wait) markPastDue(core, collection.invoice);
  }
  return { subscription: updateCurrentPhase(core, core.getOrThrow('subscription', billed.id)), collection };
}

/** @throws StripeApiError 402 when the invoice of a change was not paid: an authentication has an error of its own */
function assertCollected(collection: Collection): void {
  if (collection.result.outcome === 'authenticate') {
    throw new StripeApiError(402, {
      type: 'invalid_request_error',
      code: 'subscription_payment_intent_requires_action',
      message: 'The payment of this change requires an action of the customer, such as authentication.',
    });
  }
  assertPaid(collection);
}
