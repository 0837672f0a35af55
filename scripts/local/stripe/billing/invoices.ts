/**
 * Invoices: created as a draft, finalised at once (Stripe waits an hour before it finalises renewals), then collected
 * or voided.
 */
import { type Core, newId } from '../core/core.ts';
import { subscriptionOfInvoice } from '../core/links.ts';
import { invalidRequest } from '../errors.ts';
import type { Invoice, InvoiceLine, Subscription } from '../objects.ts';

/** Parameters of a new invoice. */
interface InvoiceParams {
  subscription: Subscription;
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  lines: InvoiceLine[];
  /** The period that the invoice shows: the one before the renewal, or the time of the change. */
  period: { start: number; end: number };
}

/**
 * An invoice as it would be issued, without storing or numbering it.
 * @throws StripeApiError 400 for a negative total: this server has no credit balances
 */
export function draftInvoice(core: Core, params: InvoiceParams): Invoice {
  const { subscription, lines, reason } = params;
  const customer = core.getOrThrow('customer', subscription.customer);
  const id = newId('in');
  const total = lines.reduce((sum, line) => sum + line.amount, 0);
  if (total < 0) throw invalidRequest('This server keeps no credit for a customer.', 'proration_behavior');
  return {
    id,
    object: 'invoice',
    amount_due: total,
    amount_paid: 0,
    amount_remaining: total,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created: core.now(),
    currency: subscription.currency,
    customer: customer.id,
    customer_email: customer.email,
    customer_name: customer.name,
    default_payment_method: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    lines: {
      object: 'list',
      data: lines.map((line) => ({ ...line, invoice: id })),
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
    },
    metadata: {},
    next_payment_attempt: null,
    number: null,
    parent: {
      subscription_details: {
        metadata: subscription.metadata,
        subscription: subscription.id,
      },
      type: 'subscription_details',
    },
    period_end: params.period.end,
    period_start: params.period.start,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: total,
    total,
  };
}

/** Creates an invoice and finalises it: assigns its number and page. */
export function issueInvoice(core: Core, params: InvoiceParams): Invoice {
  const draft = draftInvoice(core, params);
  core.create(draft, 'invoice.created');
  const customer = core.getOrThrow('customer', draft.customer);
  const page = `${core.origin}/i/${draft.id}`;
  const open = core.change(draft, {
    status: 'open',
    number: `${customer.invoice_prefix}-${String(customer.next_invoice_sequence).padStart(4, '0')}`,
    hosted_invoice_url: page,
    invoice_pdf: `${page}/pdf`,
    status_transitions: { ...draft.status_transitions, finalized_at: core.now() },
  });
  core.record('invoice.finalized', open);
  core.change(customer, { next_invoice_sequence: customer.next_invoice_sequence + 1 });
  return open;
}

/** Marks an open invoice as paid and records the event. */
export function markPaid(core: Core, invoice: Invoice, charged: number): Invoice {
  const paid = core.change(
    invoice,
    {
      status: 'paid',
      amount_paid: charged,
      amount_remaining: 0,
      attempted: true,
      next_payment_attempt: null,
      auto_advance: false,
      status_transitions: { ...invoice.status_transitions, paid_at: core.now() },
    },
    'invoice.updated',
  );
  core.record('invoice.paid', paid);
  core.record('invoice.payment_succeeded', paid);
  return paid;
}

/** Voids an invoice. @throws StripeApiError 400 unless it is open */
export function voidInvoice(core: Core, id: string): Invoice {
  const invoice = core.getOrThrow('invoice', id);
  if (invoice.status !== 'open') {
    throw invalidRequest(`You can only void open invoices; this one is ${invoice.status}.`);
  }
  const voided = core.change(
    invoice,
    {
      status: 'void',
      next_payment_attempt: null,
      auto_advance: false,
      status_transitions: { ...invoice.status_transitions, voided_at: core.now() },
    },
    'invoice.updated',
  );
  core.record('invoice.voided', voided);
  return voided;
}

/** The subscription that an invoice is for, if it still exists. */
export function subscriptionOf(core: Core, invoice: Invoice): Subscription | undefined {
  const id = subscriptionOfInvoice(invoice);
  return id === null ? undefined : core.store.get('subscription', id);
}
