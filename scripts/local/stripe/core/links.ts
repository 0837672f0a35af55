import type { Kinds, Stored } from '../objects.ts';

/** The customer and the owner by which an object can be listed; see `Where` in `store.ts`. */
export function linksOf(object: Stored): { customer?: string | null; owner?: string | null } {
  switch (object.object) {
    case 'subscription':
    case 'payment_method':
    case 'checkout.session':
    case 'billing_portal.session':
    case 'payment_intent':
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
