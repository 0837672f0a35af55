/** Invoice lines: full periods, and the prorations of a change within a period. */
import { type Core, newId } from '../core/core.ts';
import type { InvoiceLine, Price, SubscriptionItem } from '../objects.ts';
import { nameOfPrice } from './catalog.ts';

/** The line for one full period. `free` is for a trial. */
export function periodLine(
  core: Core,
  item: SubscriptionItem,
  period: { start: number; end: number },
  free = false,
): InvoiceLine {
  const { price } = item;
  const name = nameOfPrice(core, price);
  const each = `${money(price.unit_amount, price.currency)} / month`;
  return line(price, {
    amount: free ? 0 : price.unit_amount,
    description: free ? `Trial period for ${name}` : `1 × ${name} (at ${each})`,
    item: item.id,
    subscription: item.subscription,
    period,
    proration: null,
  });
}

/**
 * A change of price within a period, which causes a credit for the rest of the old price and a debit for the rest of
 * the new one.
 */
export interface Change {
  item: SubscriptionItem;
  to: Price;
  /** In Unix seconds. */
  at: number;
}

/**
 * The credit and the debit, prorated by the second: amount × (end − at) / (end − start), each rounded to the smallest
 * unit. This is Stripe's rule ("Prorations", docs.stripe.com/billing/subscriptions/prorations).
 */
export function prorationLines(core: Core, change: Change): InvoiceLine[] {
  const { item, to, at } = change;
  const { current_period_start: start, current_period_end: end } = item;
  const share = end <= start ? 0 : Math.max(0, Math.min(1, (end - at) / (end - start)));
  const on = new Date(at * 1000).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const part = (price: Price, sign: 1 | -1, what: string): InvoiceLine =>
    line(price, {
      // Rounded before the sign is applied, so that a credit and a debit of 12.5 cancel out. Adding 0 turns −0 into
      // 0.
      amount: sign * Math.round(price.unit_amount * share) + 0,
      description: `${what} time on ${nameOfPrice(core, price)} after ${on}`,
      item: item.id,
      subscription: item.subscription,
      period: { start: at, end },
      proration: sign === -1 ? lastInvoiced(core, item) : { credited_items: null },
    });
  return [part(item.price, -1, 'Unused'), part(to, 1, 'Remaining')];
}

type ProrationDetails = { credited_items: { invoice: string; invoice_line_items: string[] } | null };

/** The invoice line that the credit refers to: the last one that charged the item's price. */
function lastInvoiced(core: Core, item: SubscriptionItem): ProrationDetails {
  for (const invoice of core.store.list('invoice', { owner: item.subscription })) {
    const line = invoice.lines.data.find(
      (each) => each.amount > 0 && each.pricing.price_details.price === item.price.id,
    );
    if (line !== undefined) {
      return { credited_items: { invoice: invoice.id, invoice_line_items: [line.id] } };
    }
  }
  return { credited_items: null };
}

function line(
  price: Price,
  facts: {
    amount: number;
    description: string;
    item: string;
    subscription: string;
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
    invoice: null,
    parent: {
      subscription_item_details: {
        invoice_item: proration ? newId('ii') : null,
        proration,
        proration_details: facts.proration ?? { credited_items: null },
        subscription: facts.subscription,
        subscription_item: facts.item,
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
    subscription: facts.subscription,
    subtotal: facts.amount,
  };
}

/** Formats an amount: 1999 usd is "$19.99". */
function money(amount: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount / 100);
}
