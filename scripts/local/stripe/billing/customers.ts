/** Customers. */
import { randomBytes } from 'node:crypto';
import type { Core } from '../core/core.ts';
import { newId } from '../core/ids.ts';
import { noSuch } from '../errors.ts';
import type { Customer } from '../objects.ts';
import { cancelNow } from './cancellation.ts';
import { mergeMetadata } from './metadata.ts';
import { attach } from './payment-methods.ts';

/** The fields of a customer that can be set. */
export interface CustomerParams {
  email?: string | undefined;
  name?: string | undefined;
  description?: string | undefined;
  phone?: string | undefined;
  address?: Record<string, string> | '' | undefined;
  metadata?: Record<string, string> | '' | undefined;
  preferred_locales?: string[] | undefined;
  payment_method?: string | undefined;
  invoice_settings?: { default_payment_method?: string | undefined } | undefined;
  test_clock?: string | undefined;
}

/** Creates a customer and attaches the given payment method. */
export function createCustomer(core: Core, params: CustomerParams): Customer {
  if (params.test_clock !== undefined)
    core.getOrThrow('test_helpers.test_clock', params.test_clock, 'test_clock');
  const customer: Customer = {
    id: newId('cus'),
    object: 'customer',
    address: addressOf(params.address),
    balance: 0,
    created: core.now(),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: params.description || null,
    discount: null,
    email: params.email || null,
    invoice_prefix: randomBytes(4).toString('hex').toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: mergeMetadata({}, params.metadata),
    name: params.name || null,
    next_invoice_sequence: 1,
    phone: params.phone || null,
    preferred_locales: params.preferred_locales ?? [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: params.test_clock ?? null,
  };
  core.create(customer, 'customer.created');
  if (params.payment_method !== undefined) attach(core, params.payment_method, customer.id);
  const card = params.invoice_settings?.default_payment_method;
  return card === undefined ? customer : setDefaultCard(core, customer.id, card);
}

/** Updates the given fields; empty text unsets a field. */
export function updateCustomer(core: Core, id: string, params: CustomerParams): Customer {
  const customer = getCustomer(core, id);
  const text = (value: string | undefined, before: string | null | undefined) =>
    value === undefined ? (before ?? null) : value || null;
  const card = params.invoice_settings?.default_payment_method;
  if (card !== undefined && card !== '') assertCardOf(core, customer.id, card);
  return core.change(
    customer,
    {
      email: text(params.email, customer.email),
      name: text(params.name, customer.name),
      description: text(params.description, customer.description),
      phone: text(params.phone, customer.phone),
      address: params.address === undefined ? (customer.address ?? null) : addressOf(params.address),
      metadata: mergeMetadata(customer.metadata, params.metadata),
      preferred_locales: params.preferred_locales ?? customer.preferred_locales ?? [],
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
  const customer = getCustomer(core, id);
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

/** A customer that has not been deleted. @throws StripeApiError 404, or 400 where `param` is given */
function getCustomer(core: Core, id: string, param?: string): Customer {
  return core.getOrThrow('customer', id, param);
}

/** @throws StripeApiError 400 when the card belongs to someone else */
export function assertCardOf(core: Core, customer: string, paymentMethod: string): void {
  const card = core.store.get('payment_method', paymentMethod);
  if (card?.customer !== customer) throw noSuch('PaymentMethod', paymentMethod, 'default_payment_method');
}

function addressOf(given: Record<string, string> | '' | undefined): Customer['address'] {
  if (given === undefined || given === '') return null;
  const field = (name: string) => given[name] || null;
  return {
    city: field('city'),
    country: field('country'),
    line1: field('line1'),
    line2: field('line2'),
    postal_code: field('postal_code'),
    state: field('state'),
  };
}
