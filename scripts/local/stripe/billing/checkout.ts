/** Checkout sessions: pages on which a customer pays for a subscription. */
import { type Core, newId } from '../core/core.ts';
import { invalidRequest } from '../errors.ts';
import type { CheckoutSession, CheckoutTerms, Customer, Subscription } from '../objects.ts';
import type { Presence } from './charge.ts';
import { assertPaid } from './collection.ts';
import { createCustomer } from './customers.ts';
import { attach } from './payment-methods.ts';
import { createSubscription } from './subscriptions.ts';

const daySeconds = 86_400;

/** Parameters of a new session. */
interface CheckoutParams {
  prices: string[];
  successUrl: string;
  cancelUrl?: string | undefined;
  customer?: string | undefined;
  customerEmail?: string | undefined;
  clientReferenceId?: string | undefined;
  metadata?: Record<string, string> | undefined;
  subscriptionMetadata?: Record<string, string> | undefined;
  trialDays?: number | undefined;
}

/** Creates a session that is open for 24 hours. */
export function createCheckout(core: Core, params: CheckoutParams): CheckoutSession {
  const now = core.now();
  const [wanted, ...more] = params.prices;
  if (wanted === undefined || more.length > 0) {
    throw invalidRequest('This local server takes exactly one line item.', 'line_items');
  }
  const price = core.getOrThrow('price', wanted, 'line_items[0][price]');
  if (!price.active) throw invalidRequest(`The price ${price.id} is inactive.`, 'line_items[0][price]');
  if (params.customer !== undefined && params.customerEmail !== undefined) {
    throw invalidRequest(
      'You may only specify one of these parameters: customer, customer_email.',
      'customer',
    );
  }
  if (params.customer !== undefined) core.getOrThrow('customer', params.customer, 'customer');
  const id = newId('cs_test');
  const terms: CheckoutTerms = {
    id: `terms_${id}`,
    object: 'checkout_terms',
    created: now,
    price: price.id,
    trialDays: params.trialDays ?? null,
    subscriptionMetadata: params.subscriptionMetadata ?? {},
  };
  core.create(terms);
  const total = terms.trialDays === null ? price.unit_amount : 0;
  return core.create(newSession(core, id, params, total, price.currency));
}

function newSession(
  core: Core,
  id: string,
  params: CheckoutParams,
  total: number,
  currency: string,
): CheckoutSession {
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: params.cancelUrl ?? null,
    client_reference_id: params.clientReferenceId ?? null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: core.now(),
    currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: params.customer ?? null,
    customer_account: null,
    customer_creation: params.customer === undefined ? 'always' : null,
    customer_details: null,
    customer_email: params.customerEmail ?? null,
    discounts: [],
    expires_at: core.now() + daySeconds,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: null,
    metadata: params.metadata ?? {},
    mode: 'subscription',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'always',
    payment_method_configuration_details: null,
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: {
      allow_redisplay_filters: ['always'],
      payment_method_remove: 'disabled',
      payment_method_save: null,
    },
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: params.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${core.origin}/c/pay/${id}`,
    wallet_options: null,
  };
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
 * Completes a session with a card: creates customer, card, subscription and first invoice.
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
    const card = core.getOrThrow('payment_method', paymentMethod);
    const customer = customerOf(core, session, card.billing_details.email, card.billing_details.name);
    attach(core, paymentMethod, customer.id);
    const { subscription, collection } = createSubscription(core, {
      customer: customer.id,
      price: core.getOrThrow('price', terms.price),
      metadata: terms.subscriptionMetadata,
      defaultPaymentMethod: paymentMethod,
      trialEnd: terms.trialDays === null ? null : core.now() + terms.trialDays * daySeconds,
      paymentBehavior: 'allow_incomplete',
      presence,
    });
    assertPaid(collection);
    return finish(core, session, core.getOrThrow('customer', customer.id), subscription);
  });
}

function customerOf(
  core: Core,
  session: CheckoutSession,
  email: string | null,
  name: string | null,
): Customer {
  if (session.customer !== null) return core.getOrThrow('customer', session.customer);
  const address = session.customer_email ?? email ?? undefined;
  return createCustomer(core, { email: address, name: name ?? undefined });
}

function finish(
  core: Core,
  session: CheckoutSession,
  customer: Customer,
  subscription: Subscription,
): CheckoutSession {
  const complete: CheckoutSession = {
    ...session,
    status: 'complete',
    // Stripe's value for a session that starts with a trial.
    payment_status: session.amount_total === 0 ? 'no_payment_required' : 'paid',
    customer: customer.id,
    customer_details: {
      address: null,
      business_name: null,
      email: customer.email,
      individual_name: null,
      name: customer.name,
      phone: null,
      tax_exempt: 'none',
      tax_ids: [],
    },
    invoice: subscription.latest_invoice,
    subscription: subscription.id,
    url: null,
  };
  core.store.put(complete);
  core.record('checkout.session.completed', complete);
  return complete;
}

/** Expires an open session. */
export function expireCheckout(core: Core, session: CheckoutSession): CheckoutSession {
  if (session.status !== 'open') {
    throw invalidRequest(
      `Only Checkout Sessions with a status in ["open"] can be expired. This one is ${session.status}.`,
    );
  }
  const expired: CheckoutSession = { ...session, status: 'expired', url: null };
  core.store.put(expired);
  core.record('checkout.session.expired', expired);
  return expired;
}

/** The URL to which a paid session redirects: the success URL with the session's id filled in. */
export function successUrlOf(session: CheckoutSession): string {
  return session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id);
}
