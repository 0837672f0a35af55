/** The columns by which the store finds an object: whose it is, and when the clock has to process it. */
import type { Kinds, Stored } from '../objects.ts';

/** The customer and the owner by which an object can be listed; see `Where` in `store.ts`. */
export function linksOf(object: Stored): { customer?: string | null; owner?: string | null } {
  switch (object.object) {
    case 'subscription':
    case 'payment_method':
    case 'checkout.session':
    case 'billing_portal.session':
    case 'payment_intent':
    case 'tax_id':
      return { customer: object.customer };
    case 'subscription_schedule':
      return { customer: object.customer, owner: object.subscription };
    case 'invoice':
      return { customer: object.customer, owner: subscriptionOfInvoice(object) };
    case 'invoice_payment':
      return { owner: object.invoice };
    case 'charge':
      return { customer: object.customer, owner: object.payment_intent };
    case 'refund':
      return { customer: object.customer, owner: object.charge };
    case 'dispute':
      return { owner: object.charge };
    case 'price':
      return { owner: object.product };
    case 'challenge':
      return { owner: object.session };
    case 'event':
      return { owner: object.type };
    default:
      return {};
  }
}

/** The subscription that an invoice is for. */
export function subscriptionOfInvoice(invoice: Kinds['invoice']): string | null {
  const subscription = invoice.parent?.subscription_details?.subscription;
  return typeof subscription === 'string' ? subscription : null;
}

/** A subscription expires when its first invoice is not paid within this time (23 hours, as at Stripe). */
export const incompleteExpirySeconds = 23 * 3600;

/** The money of a bank debit arrives after four days. */
export const debitSeconds = 4 * 86_400;

/**
 * The time in Unix seconds, or null when nothing is due. What has to be done follows from the object (see
 * billing/timeline.ts).
 */
export function dueOf(object: Stored): number | null {
  switch (object.object) {
    case 'subscription':
      if (object.status === 'incomplete') return object.created + incompleteExpirySeconds;
      if (!['active', 'trialing', 'past_due'].includes(object.status)) return null;
      return Math.min(
        object.items.data[0]?.current_period_end ?? Number.MAX_SAFE_INTEGER,
        object.cancel_at ?? Number.MAX_SAFE_INTEGER,
        object.pending_update?.expires_at ?? Number.MAX_SAFE_INTEGER,
      );
    case 'subscription_schedule':
      return object.status === 'active' ? (object.current_phase?.end_date ?? null) : null;
    case 'invoice':
      return object.status === 'open' ? object.next_payment_attempt : null;
    case 'checkout.session':
      return object.status === 'open' ? object.expires_at : null;
    case 'payment_intent':
      return object.status === 'processing' ? object.created + debitSeconds : null;
    default:
      return null;
  }
}
