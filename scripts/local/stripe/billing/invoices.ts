/**
 * Invoices: created as a draft, finalised at once (Stripe waits an hour before it finalises renewals), then collected
 * or voided.
 */
import { type Core, newId } from '../core/core.ts';
import { subscriptionOfInvoice } from '../core/links.ts';
import { invalidRequest } from '../errors.ts';
import type { DiscountAmount, Invoice, InvoiceLine, Tax } from '../invoice-objects.ts';
import type { Subscription } from '../objects.ts';
import { sumOf } from './discounts.ts';
import { taxIdsOf, taxStatus } from './tax.ts';

/** Parameters of a new invoice. */
interface InvoiceParams {
  /** Without an id: what was paid once. The customer's credit does not pay for that. */
  subscription: Pick<Subscription, 'automatic_tax' | 'currency' | 'customer' | 'discounts' | 'metadata'> &
    Partial<Pick<Subscription, 'id'>>;
  reason: 'manual' | 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'upcoming';
  lines: InvoiceLine[];
  /** The period that the invoice shows: the one before the renewal, or the time of the change. */
  period: { start: number; end: number };
}

/** Stripe charges no less than this, in cents: the customer owes it until the next invoice. */
const leastCharge = 50;

/**
 * What a total costs, and the customer's balance after it. Credit (a negative balance) pays first; what is left of it,
 * and a negative total, is credit for the next invoice.
 */
export function settle(total: number, balance: number): { amountDue: number; endingBalance: number } {
  const due = total + balance;
  return due < leastCharge ? { amountDue: 0, endingBalance: due } : { amountDue: due, endingBalance: 0 };
}

/** An invoice as it would be issued, without storing or numbering it. */
export function draftInvoice(core: Core, params: InvoiceParams): Invoice {
  const { subscription, lines, reason } = params;
  const customer = core.getOrThrow('customer', subscription.customer);
  const id = newId('in');
  const subtotal = sumOf(lines);
  const discounts = totalDiscounts(lines);
  const taxes = totalTaxes(lines);
  const taxOf = (behavior: Tax['tax_behavior']) =>
    sumOf(taxes.filter(({ tax_behavior }) => tax_behavior === behavior));
  const discounted = subtotal - sumOf(discounts);
  const total = discounted + taxOf('exclusive');
  const balance = subscription.id === undefined ? 0 : customer.balance;
  const { amountDue } = settle(total, balance);
  return {
    id,
    object: 'invoice',
    amount_due: amountDue,
    amount_paid: 0,
    amount_remaining: amountDue,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: { enabled: subscription.automatic_tax.enabled, status: taxStatus(core, subscription) },
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created: core.now(),
    currency: subscription.currency,
    customer: customer.id,
    customer_address: customer.address,
    customer_email: customer.email,
    customer_name: customer.name,
    customer_tax_ids: taxIdsOf(core, customer.id).map(({ type, value }) => ({ type, value })),
    default_payment_method: null,
    discounts: subscription.discounts,
    ending_balance: null,
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
    parent:
      subscription.id === undefined
        ? null
        : {
            subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
            type: 'subscription_details',
          },
    period_end: params.period.end,
    period_start: params.period.start,
    starting_balance: balance,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal,
    total,
    total_discount_amounts: discounts,
    total_excluding_tax: discounted - taxOf('inclusive'),
    total_taxes: taxes,
  };
}

/** What each discount takes off all lines. */
function totalDiscounts(lines: readonly InvoiceLine[]): DiscountAmount[] {
  const all = lines.flatMap((line) => line.discount_amounts);
  return [...new Set(all.map(({ discount }) => discount))].map((discount) => ({
    discount,
    amount: sumOf(all.filter((each) => each.discount === discount)),
  }));
}

/** The taxes of all lines, those with the same rate and reason together. */
function totalTaxes(lines: readonly InvoiceLine[]): Tax[] {
  const kindOf = ({ tax_behavior, tax_rate_details: rate, taxability_reason: reason }: Tax) =>
    [tax_behavior, rate?.tax_rate, reason].join();
  const all = Map.groupBy(
    lines.flatMap((line) => line.taxes),
    kindOf,
  );
  return [...all.values()].map((same) => ({
    ...same[0]!,
    amount: sumOf(same),
    taxable_amount: same.reduce((sum, { taxable_amount }) => sum + taxable_amount, 0),
  }));
}

/** Creates an invoice and finalises it: assigns its number and page, and takes credit off the customer's balance. */
export function issueInvoice(core: Core, params: InvoiceParams): Invoice {
  const draft = draftInvoice(core, params);
  core.create(draft, 'invoice.created');
  const customer = core.getOrThrow('customer', draft.customer);
  const page = `${core.origin}/i/${draft.id}`;
  const { endingBalance } = settle(draft.total, draft.starting_balance);
  const open = core.change(draft, {
    status: 'open',
    ending_balance: endingBalance,
    number: `${customer.invoice_prefix}-${String(customer.next_invoice_sequence).padStart(4, '0')}`,
    hosted_invoice_url: page,
    invoice_pdf: `${page}/pdf`,
    status_transitions: { ...draft.status_transitions, finalized_at: core.now() },
  });
  core.record('invoice.finalized', open);
  core.change(customer, {
    next_invoice_sequence: customer.next_invoice_sequence + 1,
    ...(draft.parent && { balance: endingBalance }),
  });
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

/** Voids an invoice, and gives back the credit that paid for it. @throws StripeApiError 400 unless it is open */
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
  const customer = core.getOrThrow('customer', invoice.customer);
  const used = (invoice.ending_balance ?? 0) - invoice.starting_balance;
  core.change(customer, { balance: customer.balance - used });
  core.record('invoice.voided', voided);
  return voided;
}

/** The subscription that an invoice is for, if it still exists. */
export function subscriptionOf(core: Core, invoice: Invoice): Subscription | undefined {
  const id = subscriptionOfInvoice(invoice);
  return id === null ? undefined : core.store.get('subscription', id);
}
