/** Collects payments for invoices and updates the subscription according to the result. */
import type { Core } from '../core/core.ts';
import { cardError, StripeApiError } from '../errors.ts';
import type { Invoice } from '../invoice-objects.ts';
import type { PaymentIntent, Subscription } from '../objects.ts';
import { cancelNow } from './cancellation.ts';
import { type ChargeResult, chargeCard, type Presence, recordAttempt } from './charge.ts';
import { markPaid, subscriptionOf, voidInvoice } from './invoices.ts';
import { applyPendingUpdate } from './pending-update.ts';

/**
 * A failed payment is retried this many days after the invoice was created; after the last retry the subscription is
 * canceled.
 */
const retryDays = [3, 5, 7];

/** The result of a collection. */
export interface Collection {
  invoice: Invoice;
  result: ChargeResult;
  /** Absent when nothing had to be charged. */
  intent?: PaymentIntent;
}

/**
 * Tries once to collect an open invoice. When it is paid, the subscription becomes active again and a pending update
 * is applied; the caller decides what a failure means.
 */
export function collect(
  core: Core,
  invoice: Invoice,
  options: { presence: Presence; paymentMethod?: string | undefined },
): Collection {
  const subscription = subscriptionOf(core, invoice);
  if (invoice.amount_due === 0) {
    const paid = markPaid(core, invoice, 0);
    if (subscription !== undefined) settleSubscription(core, subscription, paid);
    return { invoice: paid, result: { outcome: 'paid' } };
  }
  const card = options.paymentMethod ?? cardFor(core, invoice, subscription);
  const result = chargeCard(core, card, options.presence);
  const intent = recordAttempt(core, invoice, card, result);
  const attempted = { attempt_count: invoice.attempt_count + 1, attempted: true };
  if (result.outcome === 'paid') {
    const paid = markPaid(core, { ...invoice, ...attempted }, invoice.amount_due);
    if (subscription !== undefined) settleSubscription(core, subscription, paid);
    return { invoice: paid, result, intent };
  }
  const failed = core.change(invoice, attempted, 'invoice.updated');
  if (result.outcome === 'processing') return { invoice: failed, result, intent };
  if (result.outcome === 'authenticate') core.record('invoice.payment_action_required', failed);
  core.record('invoice.payment_failed', failed);
  return { invoice: failed, result, intent };
}

/** What would be charged: the invoice's own card, else the subscription's, else the customer's. */
function cardFor(core: Core, invoice: Invoice, subscription: Subscription | undefined): string | null {
  return (
    invoice.default_payment_method ??
    subscription?.default_payment_method ??
    core.getOrThrow('customer', invoice.customer).invoice_settings.default_payment_method
  );
}

function settleSubscription(core: Core, subscription: Subscription, invoice: Invoice): void {
  if (subscription.pending_update !== null && subscription.latest_invoice === invoice.id) {
    applyPendingUpdate(core, subscription.id);
  }
  const current = core.getOrThrow('subscription', subscription.id);
  const owes = core.store
    .list('invoice', { owner: current.id })
    .some((each) => each.id !== invoice.id && each.status === 'open');
  if (owes || !['incomplete', 'past_due', 'unpaid'].includes(current.status)) return;
  core.change(current, { status: 'active' }, 'customer.subscription.updated');
}

/** Marks a subscription as past due after a failed automatic charge, and schedules the retry. */
export function markPastDue(core: Core, invoice: Invoice): void {
  core.change(invoice, { next_payment_attempt: nextAttempt(core, invoice) }, 'invoice.updated');
  const subscription = subscriptionOf(core, invoice);
  if (subscription !== undefined && subscription.status !== 'canceled') {
    core.change(subscription, { status: 'past_due' }, 'customer.subscription.updated');
  }
}

/** The time of the next retry in Unix seconds, or null after the last one. */
function nextAttempt(core: Core, invoice: Invoice): number | null {
  const made = invoice.status_transitions.finalized_at ?? invoice.created;
  return retryDays.map((days) => made + days * 86_400).find((time) => time > core.now()) ?? null;
}

/**
 * Runs when the clock reaches `next_payment_attempt`: retries the payment, and cancels the subscription after the
 * last retry.
 */
export function retryInvoice(core: Core, invoice: Invoice): void {
  const collection = collect(core, invoice, { presence: 'off-session' });
  if (collection.result.outcome === 'paid' || collection.result.outcome === 'processing') return;
  const next = nextAttempt(core, invoice);
  core.change(
    collection.invoice,
    { next_payment_attempt: next, auto_advance: next !== null },
    'invoice.updated',
  );
  const subscription = subscriptionOf(core, invoice);
  if (next === null && subscription !== undefined && subscription.status !== 'canceled') {
    cancelNow(core, subscription.id, 'payment_failed');
  }
}

/** @throws StripeApiError 402 when the collection did not end with a payment */
export function assertPaid(collection: Collection): void {
  const { result, intent } = collection;
  if (result.outcome === 'paid') return;
  const about = intent === undefined ? {} : { payment_intent: intent };
  if (result.outcome === 'authenticate') {
    const decline = {
      code: 'authentication_required',
      declineCode: 'authentication_required',
      message: 'Your card was declined. This transaction requires authentication.',
    };
    throw cardError(decline, about);
  }
  if (result.outcome === 'processing') {
    const message = 'The payment of this invoice is not complete.';
    throw new StripeApiError(402, {
      type: 'invalid_request_error',
      code: 'invoice_payment_required',
      message,
    });
  }
  throw cardError(result, about);
}

/** Runs when the money of a bank debit arrives: the invoice is paid. */
export function settleDebit(core: Core, intent: PaymentIntent, invoiceId: string): void {
  const invoice = core.getOrThrow('invoice', invoiceId);
  collect(core, invoice, { presence: 'arrived', paymentMethod: intent.payment_method ?? undefined });
}

/** The first invoice was not paid in time: voids it and expires the subscription. */
export function expireIncomplete(core: Core, subscription: Subscription): void {
  const now = core.now();
  if (subscription.latest_invoice !== null) {
    const invoice = core.getOrThrow('invoice', subscription.latest_invoice);
    if (invoice.status === 'open') voidInvoice(core, invoice.id);
  }
  core.change(subscription, { status: 'incomplete_expired', ended_at: now }, 'customer.subscription.updated');
}
