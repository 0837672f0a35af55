/** Changes that take effect when their invoice is paid (`payment_behavior: pending_if_incomplete`). */
import type { Core } from '../core/core.ts';
import { debitSeconds, incompleteExpirySeconds } from '../core/links.ts';
import { invalidRequest } from '../errors.ts';
import type { Invoice } from '../invoice-objects.ts';
import type { Price, Subscription, SubscriptionItem } from '../objects.ts';
import { subscriptionOf, voidInvoice } from './invoices.ts';

/** The item with another price. */
export function itemWith(item: SubscriptionItem, price: Price): SubscriptionItem {
  return { ...item, price };
}

/** The subscription fields that change with its items. */
export function withItems(subscription: Subscription, data: SubscriptionItem[]): Pick<Subscription, 'items'> {
  return { items: { ...subscription.items, data } };
}

/**
 * A change that waits for the payment of the subscription's latest invoice: up to 23 hours, as at Stripe, or until the
 * money of a bank debit has arrived.
 */
export function pendingUpdate(core: Core, items: SubscriptionItem[]): Subscription['pending_update'] {
  return { expires_at: core.now() + incompleteExpirySeconds, subscription_items: items };
}

/** The invoice is debited from a bank account: the change waits for the money. */
export function awaitDebit(core: Core, id: string): void {
  const subscription = core.getOrThrow('subscription', id);
  const { pending_update: pending } = subscription;
  if (pending === null) return;
  const expires_at = core.now() + debitSeconds + incompleteExpirySeconds;
  core.change(subscription, { pending_update: { ...pending, expires_at } }, 'customer.subscription.updated');
}

/** The invoice was paid: applies the change. */
export function applyPendingUpdate(core: Core, id: string): void {
  const subscription = core.getOrThrow('subscription', id);
  const items = subscription.pending_update?.subscription_items ?? [];
  const changed = core.change(
    subscription,
    { ...withItems(subscription, items), pending_update: null },
    'customer.subscription.updated',
  );
  core.record('customer.subscription.pending_update_applied', changed);
}

/** The invoice was not paid in time, or authentication failed: discards the change. */
export function discardPendingUpdate(core: Core, id: string): void {
  const subscription = core.getOrThrow('subscription', id);
  if (subscription.pending_update === null) return;
  const invoice = subscription.latest_invoice;
  if (invoice !== null && core.getOrThrow('invoice', invoice).status === 'open') voidInvoice(core, invoice);
  const changed = core.change(subscription, { pending_update: null }, 'customer.subscription.updated');
  core.record('customer.subscription.pending_update_expired', changed);
}

/**
 * Voids an open invoice, and discards the change that waited for it.
 * @throws StripeApiError 400 unless it is open, and while its payment is being processed
 */
export function voidByRequest(core: Core, id: string): Invoice {
  const invoice = core.getOrThrow('invoice', id);
  const isProcessing = core.store
    .list('payment_intent', { customer: invoice.customer })
    .some((intent) => intent.invoice === id && intent.status === 'processing');
  if (isProcessing) throw invalidRequest('The payment of this invoice is being processed.');
  const subscription = subscriptionOf(core, invoice);
  if (subscription?.pending_update && subscription.latest_invoice === id) {
    discardPendingUpdate(core, subscription.id);
    return core.getOrThrow('invoice', id);
  }
  return voidInvoice(core, id);
}
