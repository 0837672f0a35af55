/** Checkout sessions: pages on which a customer pays for a subscription. */
import type { Core } from '../core/core.ts';
import { invalidRequest } from '../errors.ts';
import type { CheckoutSession, CheckoutTerms, Customer, Subscription } from '../objects.ts';
import type { Presence } from './charge.ts';
import { assertPaid } from './collection.ts';
import { createCustomer } from './customers.ts';
import { attach } from './payment-methods.ts';
import { createSubscription } from './subscriptions.ts';

const daySeconds = 86_400;

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
    const [line] = terms.lines as [CheckoutTerms['lines'][number]];
    const { subscription, collection } = createSubscription(core, {
      customer: customer.id,
      price: core.getOrThrow('price', line.price),
      quantity: line.quantity,
      metadata: terms.subscriptionMetadata,
      defaultPaymentMethod: paymentMethod,
      trialEnd: terms.trialDays === null ? null : core.now() + terms.trialDays * daySeconds,
      paymentBehavior: 'allow_incomplete',
      presence,
    });
    if (collection !== undefined) assertPaid(collection, false);
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
