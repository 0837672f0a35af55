/** Formats objects for replies and expands linked objects on request (`expand[]`). */
import type { Core } from '../core/core.ts';
import { invalidRequest } from '../errors.ts';
import type { CheckoutSession, Invoice, Stored } from '../objects.ts';
import { deliveriesOfEvent } from '../webhooks/queue.ts';

type Plain = Record<string, unknown>;

/** Stripe's limit for the depth of an expansion. */
const maxDepth = 4;

/** Formats an object for a reply, without expansion. */
export function present(core: Core, object: Stored): Plain {
  switch (object.object) {
    case 'deleted_customer':
      return { id: object.id, object: 'customer', deleted: true };
    case 'event': {
      const waiting = deliveriesOfEvent(core.store, object.id).filter(({ state }) => state !== 'delivered');
      return { ...object, pending_webhooks: new Set(waiting.map(({ endpoint }) => endpoint)).size };
    }
    case 'test_helpers.test_clock':
      return {
        ...object,
        deletes_after: object.created + 30 * 86_400,
        frozen_time: core.now(),
        livemode: false,
        status: 'ready',
        status_details: {},
      };
    // The server may have been restarted on another port since the object was created.
    case 'checkout.session':
      return { ...object, url: rebaseUrl(core, object.url) };
    case 'invoice':
      return {
        ...object,
        hosted_invoice_url: rebaseUrl(core, object.hosted_invoice_url),
        invoice_pdf: rebaseUrl(core, object.invoice_pdf),
      };
    default:
      return { ...object };
  }
}

/** A URL of a page with the server's current origin. */
function rebaseUrl(core: Core, url: string | null): string | null {
  return url === null ? null : `${core.origin}${new URL(url).pathname}`;
}

/**
 * Replaces ids in a reply by the objects they name.
 * @param paths such as `latest_invoice`, `items.data.price.product`, or `data.customer` on a list
 * @throws StripeApiError 400 for a path that cannot be expanded
 */
export function expand(core: Core, answer: Plain, paths: string[]): Plain {
  const copy = structuredClone(answer);
  for (const path of paths) {
    const segments = path.split('.');
    const links = segments.filter((segment) => segment !== 'data');
    if (links.length > maxDepth) {
      throw invalidRequest(
        `You cannot expand more than ${maxDepth} levels of a property. Property: ${path}`,
        'expand',
      );
    }
    expandPath(core, copy, segments, path);
  }
  return copy;
}

function expandPath(core: Core, holder: Plain, segments: string[], path: string): void {
  const [name, ...rest] = segments as [string, ...string[]];
  const cannot = () => invalidRequest(`This property cannot be expanded (${path}).`, 'expand');
  if (!(name in holder)) {
    const included = includable(core, holder, name);
    if (included === undefined) throw cannot();
    holder[name] = included;
  }
  const value = holder[name];
  if (value === null) return;
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) {
      if (typeof each === 'string') value[index] = linkedObject(core, each, cannot);
      if (rest.length > 0) expandPath(core, value[index] as Plain, rest, path);
    }
    return;
  }
  if (typeof value === 'string') holder[name] = linkedObject(core, value, cannot);
  else if (typeof value !== 'object') throw cannot();
  if (rest.length > 0) expandPath(core, holder[name] as Plain, rest, path);
}

function linkedObject(core: Core, id: string, cannot: () => Error): Plain {
  const found = core.store.find(id);
  if (found === undefined) throw cannot();
  return present(core, found);
}

/** Fields that replies contain only when they are expanded. */
function includable(core: Core, holder: Plain, name: string): unknown {
  const id = String(holder.id);
  if (holder.object === 'checkout.session' && name === 'line_items') {
    return lineItems(core, holder as unknown as CheckoutSession);
  }
  if (holder.object === 'invoice' && name === 'payments') {
    const data = core.store.list('invoice_payment', { owner: id });
    return { object: 'list', data, has_more: false, url: `/v1/invoices/${id}/payments` };
  }
  if (holder.object === 'invoice' && name === 'confirmation_secret') {
    return confirmationSecret(core, holder as unknown as Invoice);
  }
  if (holder.object === 'customer' && name === 'subscriptions') {
    const data = core.store
      .list('subscription', { customer: id })
      .filter(({ status }) => status !== 'canceled' && status !== 'incomplete_expired');
    return { object: 'list', data, has_more: false, url: `/v1/customers/${id}/subscriptions` };
  }
  return undefined;
}

function confirmationSecret(core: Core, invoice: Invoice): Plain | null {
  const [payment] = core.store.list('invoice_payment', { owner: invoice.id });
  const intent = payment?.payment.payment_intent;
  if (typeof intent !== 'string') return null;
  return { client_secret: core.getOrThrow('payment_intent', intent).client_secret, type: 'payment_intent' };
}

/** The line items of a checkout session, as a list object. */
export function lineItems(core: Core, session: CheckoutSession): Plain {
  const terms = core.getOrThrow('checkout_terms', `terms_${session.id}`);
  const data = terms.lines.map(({ price: id, quantity }, index) => {
    const price = core.getOrThrow('price', id);
    const amount = terms.trialDays === null ? price.unit_amount * quantity : 0;
    return {
      id: `li_${session.id.slice('cs_test_'.length)}${index}`,
      object: 'item',
      adjustable_quantity: null,
      amount_discount: 0,
      amount_subtotal: amount,
      amount_tax: 0,
      amount_total: amount,
      currency: price.currency,
      description: core.store.get('product', price.product)?.name ?? null,
      metadata: {},
      price,
      quantity,
    };
  });
  return { object: 'list', data, has_more: false, url: `/v1/checkout/sessions/${session.id}/line_items` };
}
