/** What the clock triggers for a subscription: renewal, the end of its trial, its own end. */
import { nextBoundary } from '../core/calendar.ts';
import type { Core } from '../core/core.ts';
import type { Subscription } from '../objects.ts';
import { cancelNow } from './cancellation.ts';
import { collect, expireIncomplete, markPastDue } from './collection.ts';
import { issueInvoice } from './invoices.ts';
import { periodLine } from './lines.ts';
import { discardPendingUpdate, withItems } from './pending-update.ts';
import { itemOf } from './subscriptions.ts';

/** Does what is due for a subscription now. */
export function subscriptionDue(core: Core, subscription: Subscription): void {
  const now = core.now();
  const { pending_update: pending, cancel_at: cancelAt } = subscription;
  if (subscription.status === 'incomplete') expireIncomplete(core, subscription);
  else if (pending !== null && pending.expires_at <= now) discardPendingUpdate(core, subscription.id);
  else if (cancelAt !== null && cancelAt <= now) cancelNow(core, subscription.id);
  else renew(core, subscription);
}

/**
 * Starts the next period and invoices it in advance. The end of a trial starts the first paid period in the same way.
 */
function renew(core: Core, subscription: Subscription): void {
  const before = itemOf(subscription);
  const start = before.current_period_end;
  const end = nextBoundary(subscription.billing_cycle_anchor, start);
  const item = { ...before, current_period_start: start, current_period_end: end };
  const renewed: Subscription = {
    ...subscription,
    ...withItems(subscription, [item]),
    status: subscription.status === 'trialing' ? 'active' : subscription.status,
  };
  const invoice = issueInvoice(core, {
    subscription: renewed,
    reason: 'subscription_cycle',
    lines: [periodLine(core, item, { start, end })],
    period: { start: before.current_period_start, end: start },
  });
  core.change(
    subscription,
    { items: renewed.items, status: renewed.status, latest_invoice: invoice.id },
    'customer.subscription.updated',
  );
  const collection = collect(core, invoice, { presence: 'off-session' });
  if (collection.result.outcome !== 'paid') markPastDue(core, collection.invoice);
}
