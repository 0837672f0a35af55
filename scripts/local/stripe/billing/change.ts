/** Changes to running subscriptions: price, quantity, card, cancellation and metadata. */
import { nextBoundary } from '../core/calendar.ts';
import type { Core } from '../core/core.ts';
import { invalidRequest, noSuch } from '../errors.ts';
import type { InvoiceLine, Price, Subscription, SubscriptionItem } from '../objects.ts';
import { atPeriodEnd } from './cancellation.ts';
import type { Presence } from './charge.ts';
import { assertPaid, type Collection, collect, markPastDue } from './collection.ts';
import { assertCardOf } from './customers.ts';
import { addPendingLines, issueInvoice, takePendingLines } from './invoices.ts';
import { periodLine, prorationLines } from './lines.ts';
import { mergeMetadata } from './metadata.ts';
import { itemWith, pendingUpdate, withItems } from './pending-update.ts';
import { updateCurrentPhase } from './schedules.ts';
import { isRunning, itemOf } from './subscriptions.ts';

/** How a change of price is prorated. */
export type ProrationBehavior = 'none' | 'create_prorations' | 'always_invoice';
/** What happens to a change that is invoiced at once when the card is declined. */
type PaymentBehavior =
  | 'allow_incomplete'
  | 'default_incomplete'
  | 'error_if_incomplete'
  | 'pending_if_incomplete';

/** What can be changed. */
export interface ChangeParams {
  item?: { price?: Price | undefined; quantity?: number | undefined } | undefined;
  prorationBehavior?: ProrationBehavior | undefined;
  prorationDate?: number | undefined;
  /** `now` starts a new period at once. */
  billingCycleAnchor?: 'now' | 'unchanged' | undefined;
  paymentBehavior?: PaymentBehavior | undefined;
  /** `now` ends the trial. */
  trialEnd?: 'now' | number | undefined;
  cancelAtPeriodEnd?: boolean | undefined;
  cancellationDetails?: { comment?: string | undefined; feedback?: string | undefined } | undefined;
  metadata?: Record<string, string> | '' | undefined;
  defaultPaymentMethod?: string | undefined;
  description?: string | undefined;
  presence?: Presence | undefined;
}

/** The result of a change of price, calculated in advance. */
export interface PlannedChange {
  item: SubscriptionItem;
  lines: InvoiceLine[];
  /** A new period starts now and is invoiced at once. */
  newPeriod: boolean;
  prorationDate: number;
}

/**
 * Calculates the item and the invoice lines of a change. As at Stripe, a different interval, or the first price that
 * is not free, starts a new period.
 */
export function planChange(core: Core, subscription: Subscription, params: ChangeParams): PlannedChange {
  const before = itemOf(subscription);
  const price = params.item?.price ?? before.price;
  const quantity = params.item?.quantity ?? before.quantity;
  const now = core.now();
  const at = params.prorationDate ?? now;
  if (at < before.current_period_start || at > before.current_period_end) {
    throw invalidRequest('The proration date must lie in the current period.', 'proration_date');
  }
  if (price.currency !== subscription.currency) {
    throw invalidRequest(`The price must be in ${subscription.currency}.`, 'items[0][price]');
  }
  const changed = itemWith(before, price, quantity);
  const trialing = subscription.status === 'trialing' && params.trialEnd !== 'now';
  const { interval, interval_count: count } = before.price.recurring;
  const otherInterval = interval !== price.recurring.interval || count !== price.recurring.interval_count;
  const nowCosts = before.price.unit_amount === 0 && price.unit_amount > 0;
  const newPeriod =
    !trialing &&
    (params.billingCycleAnchor === 'now' || params.trialEnd === 'now' || otherInterval || nowCosts);
  const change = { item: before, to: price, quantity, at };
  const wasFree = subscription.status === 'trialing';
  if (newPeriod) {
    const end = nextBoundary(now, price.recurring, now);
    const item = { ...changed, current_period_start: now, current_period_end: end };
    const credit = wasFree || params.prorationBehavior === 'none' ? [] : prorationLines(core, change, true);
    return {
      item,
      lines: [...credit, periodLine(core, item, { start: now, end })],
      newPeriod,
      prorationDate: at,
    };
  }
  const same = price.id === before.price.id && quantity === before.quantity;
  const free = wasFree || params.prorationBehavior === 'none' || same;
  return { item: changed, lines: free ? [] : prorationLines(core, change), newPeriod, prorationDate: at };
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
  if (params.defaultPaymentMethod !== undefined && params.defaultPaymentMethod !== '') {
    assertCardOf(core, subscription.customer, params.defaultPaymentMethod);
  }
  const facts: Partial<Subscription> = {
    metadata: mergeMetadata(subscription.metadata, params.metadata),
    default_payment_method:
      params.defaultPaymentMethod === undefined
        ? subscription.default_payment_method
        : params.defaultPaymentMethod || null,
    description: params.description === undefined ? subscription.description : params.description || null,
    ...(params.cancelAtPeriodEnd === undefined
      ? {}
      : atPeriodEnd(core, subscription, params.cancelAtPeriodEnd, params.cancellationDetails)),
  };
  if (params.item === undefined && params.trialEnd !== 'now' && params.billingCycleAnchor !== 'now') {
    return { subscription: core.change(subscription, facts, 'customer.subscription.updated') };
  }
  return changeItem(core, subscription, facts, params);
}

function changeItem(
  core: Core,
  subscription: Subscription,
  facts: Partial<Subscription>,
  params: ChangeParams,
): { subscription: Subscription; collection?: Collection } {
  if (params.item?.price?.active === false) {
    throw invalidRequest(`The price ${params.item.price.id} is inactive.`, 'items[0][price]');
  }
  const plan = planChange(core, subscription, params);
  const now = core.now();
  const invoicesNow = plan.newPeriod || params.prorationBehavior === 'always_invoice';
  const wait = params.paymentBehavior === 'pending_if_incomplete';
  const change: Partial<Subscription> = {
    ...withItems(subscription, [plan.item]),
    ...(plan.newPeriod
      ? {
          billing_cycle_anchor: now,
          ...(subscription.cancel_at_period_end ? { cancel_at: plan.item.current_period_end } : {}),
          ...(subscription.status === 'trialing' ? { status: 'active', trial_end: now } : {}),
        }
      : {}),
  };
  if (!invoicesNow) {
    const changed = core.change(subscription, { ...facts, ...change }, 'customer.subscription.updated');
    addPendingLines(core, changed, plan.lines);
    return { subscription: updateCurrentPhase(core, changed) };
  }
  const changed = wait
    ? core.change(subscription, facts, 'customer.subscription.updated')
    : core.change(subscription, { ...facts, ...change }, 'customer.subscription.updated');
  const lines = [...takePendingLines(core, subscription.id), ...plan.lines];
  if (lines.length === 0) {
    const done = wait ? core.change(changed, change, 'customer.subscription.updated') : changed;
    return { subscription: updateCurrentPhase(core, done) };
  }
  const invoice = issueInvoice(core, {
    subscription: changed,
    reason: 'subscription_update',
    lines,
    period: { start: now, end: now },
    prorationDate: plan.prorationDate,
  });
  const billed = core.change(
    changed,
    { latest_invoice: invoice.id, ...(wait ? { pending_update: pendingUpdate(core, [plan.item]) } : {}) },
    'customer.subscription.updated',
  );
  const collection = collect(core, invoice, { presence: params.presence ?? 'off-session' });
  if (collection.result.outcome !== 'paid') {
    if ((params.paymentBehavior ?? 'allow_incomplete') === 'error_if_incomplete') {
      assertPaid(collection, false);
    }
    if (!wait) markPastDue(core, collection.invoice);
  }
  return { subscription: updateCurrentPhase(core, core.getOrThrow('subscription', billed.id)), collection };
}
