/** Calculates what a change would cost, without making it. */

import { nextBoundary } from '../core/calendar.ts';
import type { Core } from '../core/core.ts';
import { invalidRequest } from '../errors.ts';
import type { Invoice, InvoiceLine, Subscription } from '../objects.ts';
import { type ChangeParams, planChange } from './change.ts';
import { draftInvoice } from './invoices.ts';
import { periodLine } from './lines.ts';
import { itemWith } from './pending-update.ts';
import { isRunning, itemOf } from './subscriptions.ts';

/**
 * The invoice that a change would create at once (`always_invoice`), or the next renewal including its prorations.
 * Nothing is stored; the id starts with `upcoming_in_`.
 */
export function previewInvoice(core: Core, subscriptionId: string, params: ChangeParams): Invoice {
  const subscription = core.getOrThrow('subscription', subscriptionId, 'subscription');
  if (!isRunning(subscription)) throw invalidRequest('The subscription has ended.', 'subscription');
  const plan = planChange(core, subscription, params);
  const pending = core.store.list('invoiceitem', { owner: subscriptionId }).reverse();
  const waiting = pending.map((item) => item.line);
  const now = core.now();
  if (plan.newPeriod || params.prorationBehavior === 'always_invoice') {
    return preview(core, subscription, {
      reason: 'subscription_update',
      lines: [...waiting, ...plan.lines],
      period: { start: now, end: now },
      prorationDate: plan.prorationDate,
    });
  }
  if (subscription.cancel_at_period_end && waiting.length + plan.lines.length === 0) {
    throw invalidRequest('No upcoming invoices for customer', undefined, 'invoice_upcoming_none');
  }
  const item = itemOf(subscription);
  const start = item.current_period_end;
  const period = {
    start,
    end: nextBoundary(subscription.billing_cycle_anchor, plan.item.price.recurring, start),
  };
  const price = params.item?.price ?? priceAtRenewal(core, subscription);
  const renewed = itemWith(plan.item, price, plan.item.quantity);
  return preview(core, subscription, {
    reason: 'subscription_cycle',
    lines: [...waiting, ...plan.lines, periodLine(core, renewed, period)],
    period: { start: item.current_period_start, end: start },
    prorationDate: plan.prorationDate,
  });
}

/** The price of the next period; a schedule can change it. */
function priceAtRenewal(core: Core, subscription: Subscription) {
  const item = itemOf(subscription);
  if (subscription.schedule === null) return item.price;
  const schedule = core.getOrThrow('subscription_schedule', subscription.schedule);
  const next = schedule.phases.find(
    (phase) => phase.start_date <= item.current_period_end && phase.end_date > item.current_period_end,
  );
  const price = next?.items[0]?.price;
  return typeof price === 'string' ? core.getOrThrow('price', price) : item.price;
}

function preview(
  core: Core,
  subscription: Subscription,
  parts: {
    reason: 'subscription_update' | 'subscription_cycle';
    lines: InvoiceLine[];
    period: { start: number; end: number };
    prorationDate: number;
  },
): Invoice {
  const invoice = draftInvoice(core, { subscription, ...parts });
  const id = invoice.id.replace(/^in_/, 'upcoming_in_');
  const lines = invoice.lines.data.map((line) => ({ ...line, invoice: id }));
  return { ...invoice, id, lines: { ...invoice.lines, data: lines, url: `/v1/invoices/${id}/lines` } };
}
