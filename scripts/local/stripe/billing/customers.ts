/** Customers. */
import { randomBytes } from 'node:crypto';
import { type Core, newId } from '../core/core.ts';
import { noSuch } from '../errors.ts';
import type { Customer } from '../objects.ts';
import { cancelNow } from './cancellation.ts';

/** The fields of a customer that can be set. */
interface CustomerParams {
  email?: string | undefined;
  name?: string | undefined;
  /** Null removes it. */
  address?: { country: string } | null | undefined;
  balance?: number | undefined;
  metadata?: Record<string, string> | '' | undefined;
  invoice_settings?: { default_payment_method?: string | undefined } | undefined;
}

/** Creates a customer. */
export function createCustomer(core: Core, params: CustomerParams): Customer {
  const customer: Customer = {
    id: newId('cus'),
    object: 'customer',
    address: params.address ?? null,
    balance: params.balance ?? 0,
    created: core.now(),
    currency: null,
    email: params.email || null,
    invoice_prefix: randomBytes(4).toString('hex').toUpperCase(),
    invoice_settings: { default_payment_method: null },
    metadata: mergeMetadata({}, params.metadata),
    name: params.name || null,
    next_invoice_sequence: 1,
  };
  core.create(customer, 'customer.created');
  const card = params.invoice_settings?.default_payment_method;
  return card === undefined ? customer : setDefaultCard(core, customer.id, card);
}

/** Updates the given fields; empty text unsets a field. */
export function updateCustomer(core: Core, id: string, params: CustomerParams): Customer {
  const customer = core.getOrThrow('customer', id);
  const text = (value: string | undefined, before: string | null | undefined) =>
    value === undefined ? (before ?? null) : value || null;
  const card = params.invoice_settings?.default_payment_method;
  if (card !== undefined && card !== '') assertCardOf(core, customer.id, card);
  return core.change(
    customer,
    {
      email: text(params.email, customer.email),
      name: text(params.name, customer.name),
      address: params.address === undefined ? customer.address : params.address,
      balance: params.balance ?? customer.balance,
      metadata: mergeMetadata(customer.metadata, params.metadata),
      invoice_settings: {
        ...customer.invoice_settings,
        default_payment_method: text(card, customer.invoice_settings.default_payment_method),
      },
    },
    'customer.updated',
  );
}

/** Makes an attached card the default for invoices. */
export function setDefaultCard(core: Core, id: string, paymentMethod: string): Customer {
  return updateCustomer(core, id, { invoice_settings: { default_payment_method: paymentMethod } });
}

/** Deletes a customer and cancels their subscriptions immediately. */
export function deleteCustomer(core: Core, id: string): { id: string; object: 'customer'; deleted: true } {
  const customer = core.getOrThrow('customer', id);
  for (const subscription of core.store.list('subscription', { customer: id })) {
    if (!['canceled', 'incomplete_expired'].includes(subscription.status)) cancelNow(core, subscription.id);
  }
  for (const card of core.store.list('payment_method', { customer: id })) {
    core.change(card, { customer: null });
  }
  core.record('customer.deleted', core.getOrThrow('customer', id));
  core.store.put({ id, object: 'deleted_customer', created: customer.created });
  return { id, object: 'customer', deleted: true };
}

/** @throws StripeApiError 400 when the card belongs to someone else */
export function assertCardOf(core: Core, customer: string, paymentMethod: string): void {
  const card = core.store.get('payment_method', paymentMethod);
  if (card?.customer !== customer) throw noSuch('PaymentMethod', paymentMethod, 'default_payment_method');
}

/** Merges metadata as the API does: given keys are set, empty values remove their key, and '' removes all keys. */
export function mergeMetadata(
  before: Record<string, string> | null,
  changes: Record<string, string> | '' | undefined,
): Record<string, string> {
  if (changes === '') return {};
  const merged = { ...before, ...changes };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''));
}
