/** The end of subscriptions: at once, or at the end of the period. */
import type { Core } from '../core/core.ts';
import { invalidRequest } from '../errors.ts';
import type { Subscription } from '../objects.ts';
import { issueInvoice, keepPendingLines, markPaid, takePendingLines } from './invoices.ts';
import { prorationLines } from './lines.ts';

/** How and why. */
export interface CancellationWishes {
  reason?: 'cancellation_requested' | 'payment_failed' | undefined;
  comment?: string | undefined;
  feedback?: string | undefined;
  /** Gives a credit for the rest of the period. */
  prorate?: boolean | undefined;
  /** Makes an invoice of the credits and debits that wait. */
  invoice_now?: boolean | undefined;
}

/** Ends a subscription now. @throws StripeApiError 400 when it has ended already */
export function cancelNow(core: Core, id: string, wishes: CancellationWishes = {}): Subscription {
  let subscription = core.need('subscription', id);
  if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired') {
    throw invalidRequest('This subscription has already ended, so it cannot be canceled.');
  }
  const now = core.now();
  const [item] = subscription.items.data;
  if (wishes.prorate === true && item !== undefined && subscription.status !== 'trialing') {
    const change = { item, to: item.price, quantity: item.quantity, at: now };
    keepPendingLines(core, subscription, prorationLines(core, change, true));
  }
  const lines = takePendingLines(core, id);
  if (wishes.invoice_now === true && lines.length > 0) {
    const invoice = issueInvoice(core, {
      subscription,
      reason: 'subscription_update',
      lines,
      period: { start: now, end: now },
    });
    // The credit, if any, is on the customer's balance now; a debit stays open, there is no one to retry for.
    if (invoice.amount_due === 0) markPaid(core, invoice, 0);
    subscription = { ...core.need('subscription', id), latest_invoice: invoice.id };
  }
  if (subscription.schedule !== null) {
    const schedule = core.need('subscription_schedule', subscription.schedule);
    const ended = { status: 'canceled', canceled_at: now, current_phase: null } as const;
    core.store.put({ ...schedule, ...ended });
    core.record('subscription_schedule.canceled', { ...schedule, ...ended });
  }
  for (const invoice of core.store.list('invoice', { owner: id })) {
    if (invoice.status !== 'open') continue;
    core.change(invoice, { auto_advance: false, next_payment_attempt: null }, 'invoice.updated');
  }
  const ended: Subscription = {
    ...subscription,
    status: 'canceled',
    canceled_at: subscription.canceled_at ?? now,
    ended_at: now,
    pending_update: null,
    schedule: null,
    cancellation_details: {
      comment: wishes.comment ?? subscription.cancellation_details?.comment ?? null,
      feedback: wishes.feedback ?? subscription.cancellation_details?.feedback ?? null,
      feedback_option: null,
      reason: wishes.reason ?? subscription.cancellation_details?.reason ?? 'cancellation_requested',
    },
  };
  core.store.put(ended);
  core.record('customer.subscription.deleted', ended);
  return ended;
}

/** The fields of a subscription that will end with its period, or will not after all. */
export function atPeriodEnd(
  core: Core,
  subscription: Subscription,
  cancel: boolean,
  details: { comment?: string | undefined; feedback?: string | undefined } = {},
): Partial<Subscription> {
  if (cancel === subscription.cancel_at_period_end) return {};
  if (subscription.schedule !== null) {
    throw invalidRequest(
      `The subscription is managed by the subscription schedule \`${subscription.schedule}\`: change its cancellation there, or release it first.`,
      'cancel_at_period_end',
    );
  }
  const end = subscription.items.data[0]?.current_period_end ?? null;
  return {
    cancel_at_period_end: cancel,
    cancel_at: cancel ? end : null,
    canceled_at: cancel ? core.now() : null,
    cancellation_details: {
      comment: cancel ? (details.comment ?? null) : null,
      feedback: cancel ? (details.feedback ?? null) : null,
      feedback_option: null,
      reason: cancel ? 'cancellation_requested' : null,
    },
  };
}
