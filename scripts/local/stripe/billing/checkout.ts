/** Checkout sessions: pages on which a customer pays for a subscription. */
import { type Core, newId } from '../core/core.ts';
import { invalidRequest } from '../errors.ts';
import type { CheckoutSession, CheckoutTerms, Price } from '../objects.ts';
import type { CheckoutTotals } from '../views.ts';
import type { Presence } from './charge.ts';
import { assertPaid } from './collection.ts';
import { updateCustomer } from './customers.ts';
import { settle } from './invoices.ts';
import { attach } from './payment-methods.ts';
import { createSubscription } from './subscriptions.ts';
import { createTaxId, taxOn } from './tax.ts';

const daySeconds = 86_400;

/** Parameters of a new session. */
interface CheckoutParams {
  /** Exactly one. */
  line_items: { price: string }[];
  success_url: string;
  cancel_url?: string | undefined;
  customer: string;
  client_reference_id?: string | undefined;
  metadata?: Record<string, string> | undefined;
  automatic_tax?: { enabled: boolean } | undefined;
  tax_id_collection?: { enabled: boolean } | undefined;
  billing_address_collection?: 'auto' | 'required' | undefined;
  customer_update?:
    | { name?: 'auto' | 'never' | undefined; address?: 'auto' | 'never' | undefined }
    | undefined;
  subscription_data?: { metadata?: Record<string, string> | undefined } | undefined;
}

/** Creates a session that is open for 24 hours. */
export function createCheckout(core: Core, params: CheckoutParams): CheckoutSession {
  const price = core.getOrThrow('price', params.line_items[0]!.price, 'line_items[0][price]');
  if (!price.active) throw invalidRequest(`The price ${price.id} is inactive.`, 'line_items[0][price]');
  checkTax(core, params, price);
  const id = newId('cs_test');
  core.create<CheckoutTerms>({
    id: `terms_${id}`,
    object: 'checkout_terms',
    created: core.now(),
    price: price.id,
    customerUpdate: {
      name: params.customer_update?.name === 'auto',
      address: params.customer_update?.address === 'auto',
    },
    subscriptionMetadata: params.subscription_data?.metadata ?? {},
  });
  return core.create<CheckoutSession>({
    id,
    object: 'checkout.session',
    amount_total: price.unit_amount,
    automatic_tax: { enabled: params.automatic_tax?.enabled === true },
    billing_address_collection: params.billing_address_collection ?? null,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    created: core.now(),
    currency: price.currency,
    customer: params.customer,
    customer_details: null,
    expires_at: core.now() + daySeconds,
    invoice: null,
    metadata: params.metadata ?? {},
    mode: 'subscription',
    payment_status: 'unpaid',
    status: 'open',
    subscription: null,
    success_url: params.success_url,
    tax_id_collection: { enabled: params.tax_id_collection?.enabled === true },
    url: `${core.origin}/c/pay/${id}`,
  });
}

/** @throws StripeApiError 400 for tax that cannot be calculated, or saved with the customer */
function checkTax(core: Core, params: CheckoutParams, price: Price): void {
  const { address } = core.getOrThrow('customer', params.customer, 'customer');
  const { name: updatesName, address: updatesAddress } = params.customer_update ?? {};
  const collectsTaxId = params.tax_id_collection?.enabled === true;
  if (params.automatic_tax?.enabled === true) {
    if (address === null && updatesAddress !== 'auto') {
      throw invalidRequest(
        "Automatic tax calculation in Checkout requires a valid address on the Customer. Add a valid address to the Customer or set 'customer_update[address]' to 'auto' to save the address entered in Checkout to the Customer.",
        'automatic_tax',
      );
    }
    if (price.tax_behavior === 'unspecified') {
      throw invalidRequest(
        `The price ${price.id} needs a tax_behavior for automatic tax.`,
        'line_items[0][price]',
      );
    }
  }
  if (collectsTaxId && updatesName !== 'auto') {
    throw invalidRequest(
      'Tax ID collection requires updating business name on the customer. To enable tax ID collection for an existing customer, please set `customer_update[name]` to `auto`.',
      'tax_id_collection',
    );
  }
  if (collectsTaxId && address === null && updatesAddress !== 'auto') {
    throw invalidRequest(
      'We could not find a valid address on the provided customer. To enable tax ID collection, please set customer_update[address] to auto.',
      'tax_id_collection',
    );
  }
}

/** Saves the business's name and address that were typed at checkout, as far as the session allows. */
export function saveBusiness(core: Core, sessionId: string, { name, country, vatId }: Business): void {
  const session = getOpenCheckout(core, sessionId);
  const { customerUpdate } = termsOf(core, sessionId);
  updateCustomer(core, session.customer, {
    ...(customerUpdate.name && session.tax_id_collection.enabled && { name }),
    ...(customerUpdate.address && { address: { country } }),
  });
  if (vatId && session.tax_id_collection.enabled) createTaxId(core, session.customer, vatId);
}

/** Who buys. */
export interface Business {
  name: string;
  /** Such as `DE`. */
  country: string;
  vatId?: string | undefined;
}

/** What an open session costs today. @param buyer where the customer is, once that was entered */
export function checkoutTotals(
  core: Core,
  session: CheckoutSession,
  price: Price,
  buyer?: { country: string; vatId?: string | undefined },
): CheckoutTotals {
  const balance = core.store.get('customer', session.customer)?.balance ?? 0;
  const tax =
    session.automatic_tax.enabled && price.tax_behavior === 'exclusive'
      ? taxOn({ country: buyer?.country, hasVatId: !!buyer?.vatId }, price.unit_amount, 'exclusive').amount
      : 0;
  const { amountDue } = settle(price.unit_amount + tax, balance);
  return { tax, balance: amountDue - price.unit_amount - tax, amountDue };
}

/** What a session sells. */
export function termsOf(core: Core, sessionId: string): CheckoutTerms {
  return core.getOrThrow('checkout_terms', `terms_${sessionId}`);
}

/** An open session. @throws StripeApiError 400 when it is complete or expired */
export function getOpenCheckout(core: Core, id: string): CheckoutSession {
  const session = core.getOrThrow('checkout.session', id);
  if (session.status !== 'open') {
    throw invalidRequest(`This Checkout Session is ${session.status}: only an open one can be used.`);
  }
  return session;
}

/**
 * Completes a session with a card: saves the card, creates subscription and first invoice.
 * @throws StripeApiError 402 when the card is declined; nothing is kept then
 */
export function completeCheckout(
  core: Core,
  sessionId: string,
  paymentMethod: string,
  presence: Presence,
): CheckoutSession {
  return core.store.transaction(() => {
    const session = getOpenCheckout(core, sessionId);
    const terms = termsOf(core, sessionId);
    const price = core.getOrThrow('price', terms.price);
    attach(core, paymentMethod, session.customer);
    const { subscription, collection } = createSubscription(core, {
      customer: session.customer,
      price,
      metadata: terms.subscriptionMetadata,
      defaultPaymentMethod: paymentMethod,
      trialEnd: null,
      automaticTax: session.automatic_tax.enabled,
      presence,
    });
    assertPaid(collection);
    const { email, name } = core.getOrThrow('customer', session.customer);
    const complete: CheckoutSession = {
      ...session,
      amount_total: collection.invoice.total,
      status: 'complete',
      payment_status: 'paid',
      customer_details: { email, name },
      invoice: subscription.latest_invoice,
      subscription: subscription.id,
      url: null,
    };
    return put(core, complete, 'checkout.session.completed');
  });
}

/** Expires an open session. */
export function expireCheckout(core: Core, { id }: CheckoutSession): CheckoutSession {
  const expired: CheckoutSession = { ...getOpenCheckout(core, id), status: 'expired', url: null };
  return put(core, expired, 'checkout.session.expired');
}

function put(core: Core, session: CheckoutSession, eventType: string): CheckoutSession {
  core.store.put(session);
  core.record(eventType, session);
  return session;
}

/** The URL to which a paid session redirects: the success URL with the session's id filled in. */
export function successUrlOf(session: CheckoutSession): string {
  return session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id);
}
