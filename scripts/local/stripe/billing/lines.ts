/** Invoice lines: full periods, and the prorations of a change within a period. */
import { type Core, newId } from '../core/core.ts';
import type { DiscountAmount, InvoiceLine, Tax } from '../invoice-objects.ts';
import type { Price, Subscription, SubscriptionItem } from '../objects.ts';
import { nameOfPrice } from './catalog.ts';
import { discountAmounts, sumOf } from './discounts.ts';
import { roundAwayFromZero, taxesOf } from './tax.ts';

/** The line for one full period, with the subscription's discounts and tax. `free` is for a trial. */
export function periodLine(
  core: Core,
  subscription: Subscription,
  item: SubscriptionItem,
  period: { start: number; end: number },
  free = false,
): InvoiceLine {
  const { price } = item;
  const name = nameOfPrice(core, price);
  const each = `${money(price.unit_amount, price.currency)} / month`;
  const amount = free ? 0 : price.unit_amount;
  const discounts = discountAmounts(core, subscription.discounts, amount, period.start);
  return line(price, {
    amount,
    discounts,
    taxes: taxesOf(core, subscription, price, amount - sumOf(discounts)),
    description: free ? `Trial period for ${name}` : `1 × ${name} (at ${each})`,
    of: item,
    period,
    proration: null,
  });
}

/** The line for what was paid once. */
export function onceLine(core: Core, price: Price, taxes: Tax[]): InvoiceLine {
  const now = core.now();
  return line(price, {
    amount: price.unit_amount,
    discounts: [],
    taxes,
    description: nameOfPrice(core, price),
    of: null,
    period: { start: now, end: now },
    proration: null,
  });
}

/**
 * A change of price within a period, which causes a credit for the rest of the old price and a debit for the rest of
 * the new one.
 */
export interface Change {
  subscription: Subscription;
  item: SubscriptionItem;
  to: Price;
  /** In Unix seconds. */
  at: number;
}

/**
 * The credit and the debit, prorated by the second: amount × (end − at) / (end − start), each rounded to the smallest
 * unit. This is Stripe's rule ("Prorations", docs.stripe.com/billing/subscriptions/prorations). Discounts are in their
 * amounts (`proration_discounts: included`).
 */
export function prorationLines(core: Core, change: Change): InvoiceLine[] {
  const { subscription, item, to, at } = change;
  const { current_period_start: start, current_period_end: end } = item;
  const on = new Date(at * 1000).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const part = (price: Price, what: string, amounts: Amounts, proration: ProrationDetails): InvoiceLine =>
    line(price, {
      ...amounts,
      discounts: [],
      description: `${what} time on ${nameOfPrice(core, price)} after ${on}`,
      of: item,
      period: { start: at, end },
      proration,
    });
  const invoiced = lastInvoiced(core, item);
  const share = shareOf({ start, end }, at);
  const debit = netAmount(core, subscription, to, share);
  const credited =
    subscription.billing_mode.type === 'flexible'
      ? creditOf(invoiced?.line, at)
      : negative(netAmount(core, subscription, item.price, share));
  const details = invoiced && { invoice: invoiced.invoice, invoice_line_items: [invoiced.line.id] };
  return [
    part(item.price, 'Unused', credited, { credited_items: details ?? null }),
    part(to, 'Remaining', debit, { credited_items: null }),
  ];
}

interface Amounts {
  amount: number;
  taxes: Tax[];
}

/** The part of a period that is left. */
function shareOf({ start, end }: { start: number; end: number }, at: number): number {
  return end <= start ? 0 : Math.max(0, Math.min(1, (end - at) / (end - start)));
}

/** A share of a price after today's discounts, with today's tax. */
function netAmount(core: Core, subscription: Subscription, price: Price, share: number): Amounts {
  const gross = Math.round(price.unit_amount * share);
  const amount = gross - sumOf(discountAmounts(core, subscription.discounts, gross, core.now(), share));
  return { amount, taxes: taxesOf(core, subscription, price, amount) };
}

/** The flexible mode credits the share of what was debited, with its discounts and its tax. */
function creditOf(debited: InvoiceLine | undefined, at: number): Amounts {
  if (debited === undefined) return { amount: 0, taxes: [] };
  const share = shareOf(debited.period, at);
  const part = (amount: number) => roundAwayFromZero(amount * share);
  return negative({
    amount: part(debited.amount - sumOf(debited.discount_amounts)),
    taxes: debited.taxes.map((tax) => ({
      ...tax,
      amount: part(tax.amount),
      taxable_amount: part(tax.taxable_amount),
    })),
  });
}

/** The amounts of a credit. Adding 0 turns −0 into 0. */
function negative({ amount, taxes }: Amounts): Amounts {
  return {
    amount: -amount + 0,
    taxes: taxes.map((tax) => ({
      ...tax,
      amount: -tax.amount + 0,
      taxable_amount: -tax.taxable_amount + 0,
    })),
  };
}

type ProrationDetails = { credited_items: { invoice: string; invoice_line_items: string[] } | null };

/** The invoice line that the credit refers to: the last one that charged the item's price. */
function lastInvoiced(
  core: Core,
  item: SubscriptionItem,
): { invoice: string; line: InvoiceLine } | undefined {
  for (const invoice of core.store.list('invoice', { owner: item.subscription })) {
    if (invoice.status === 'void') continue;
    const line = invoice.lines.data.find(
      (each) => each.amount > 0 && each.pricing.price_details.price === item.price.id,
    );
    if (line !== undefined) return { invoice: invoice.id, line };
  }
  return undefined;
}

function line(
  price: Price,
  facts: {
    amount: number;
    discounts: DiscountAmount[];
    taxes: Tax[];
    description: string;
    /** The item of a subscription; null for what was paid once. */
    of: Pick<SubscriptionItem, 'id' | 'subscription'> | null;
    period: { start: number; end: number };
    proration: ProrationDetails | null;
  },
): InvoiceLine {
  const proration = facts.proration !== null;
  return {
    id: newId('il'),
    object: 'line_item',
    amount: facts.amount,
    currency: price.currency,
    description: facts.description,
    discount_amounts: facts.discounts,
    invoice: null,
    parent: facts.of && {
      subscription_item_details: {
        invoice_item: proration ? newId('ii') : null,
        proration,
        proration_details: facts.proration ?? { credited_items: null },
        subscription: facts.of.subscription,
        subscription_item: facts.of.id,
      },
      type: 'subscription_item_details',
    },
    period: facts.period,
    pricing: {
      price_details: { price: price.id, product: price.product },
      type: 'price_details',
      unit_amount_decimal: String(facts.amount),
    },
    quantity: 1,
    subscription: facts.of?.subscription ?? null,
    subtotal: facts.amount,
    taxes: facts.taxes,
  };
}

/** Formats an amount: 1999 usd is "$19.99". */
function money(amount: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount / 100);
}
