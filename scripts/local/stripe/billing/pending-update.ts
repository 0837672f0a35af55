/** Changes that take effect when their invoice is paid (`payment_behavior: pending_if_incomplete`). */
import type { Core } from '../core/core.ts';
import { incompleteExpirySeconds } from '../core/links.ts';
import type { Price, Subscription, SubscriptionItem } from '../objects.ts';
import { voidInvoice } from './invoices.ts';

/** The item with another price. */
export function itemWith(item: SubscriptionItem, price: Price): SubscriptionItem {
  return { ...item, price };
}

/** The subscription fields that change with its items. */
export function withItems(subscription: Subscription, data: SubscriptionItem[]): Pick<Subscription, 'items'> {
  return { items: { ...subscription.items, data } };
}

/** A change that waits up to 23 hours, as at Stripe, for the payment of the subscription's latest invoice. */
export function pendingUpdate(core: Core, items: SubscriptionItem[]): Subscription['pending_update'] {
  return { expires_at: core.now() + incompleteExpirySeconds, subscription_items: items };
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
