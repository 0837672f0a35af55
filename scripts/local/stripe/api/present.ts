/** Formats objects for replies and expands linked objects on request (`expand[]`). */
import type { Core } from '../core/core.ts';
import { invalidRequest } from '../errors.ts';
import type { Stored } from '../objects.ts';
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
    case 'payment_method': {
      const { card, ...others } = object;
      return object.type === 'card' ? { ...others, card } : others;
    }
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

/** The field that replies contain only when it is expanded: the payments of an invoice. */
function includable(core: Core, { id, object }: Plain, name: string): unknown {
  if (object !== 'invoice' || name !== 'payments') return undefined;
  const data = core.store.list('invoice_payment', { owner: id as string });
  return { object: 'list', data, has_more: false, url: `/v1/invoices/${id}/payments` };
}
