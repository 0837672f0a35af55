/** Checkout sessions: pages on which a customer pays for a subscription. */
import { type Core, newId } from '../core/core.ts';
import { invalidRequest } from '../errors.ts';
import type { CheckoutSession, CheckoutTerms } from '../objects.ts';
import type { Presence } from './charge.ts';
import { assertPaid } from './collection.ts';
import { attach } from './payment-methods.ts';
import { createSubscription } from './subscriptions.ts';

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
  subscription_data?: { metadata?: Record<string, string> | undefined } | undefined;
}

/** Creates a session that is open for 24 hours. */
export function createCheckout(core: Core, params: CheckoutParams): CheckoutSession {
  const price = core.getOrThrow('price', params.line_items[0]!.price, 'line_items[0][price]');
  if (!price.active) throw invalidRequest(`The price ${price.id} is inactive.`, 'line_items[0][price]');
  core.getOrThrow('customer', params.customer, 'customer');
  const id = newId('cs_test');
  core.create<CheckoutTerms>({
    id: `terms_${id}`,
    object: 'checkout_terms',
    created: core.now(),
    price: price.id,
    subscriptionMetadata: params.subscription_data?.metadata ?? {},
  });
  return core.create<CheckoutSession>({
    id,
    object: 'checkout.session',
    amount_total: price.unit_amount,
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
    url: `${core.origin}/c/pay/${id}`,
  });
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
    attach(core, paymentMethod, session.customer);
    const { subscription, collection } = createSubscription(core, {
      customer: session.customer,
      price: core.getOrThrow('price', terms.price),
      metadata: terms.subscriptionMetadata,
      defaultPaymentMethod: paymentMethod,
      trialEnd: null,
      presence,
    });
    assertPaid(collection);
    const { email, name } = core.getOrThrow('customer', session.customer);
    const complete: CheckoutSession = {
      ...session,
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
