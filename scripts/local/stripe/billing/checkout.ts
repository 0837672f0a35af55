/** Checkout sessions: pages on which a customer pays for a subscription, or once for something else. */
import { type Core, newId } from '../core/core.ts';
import { cardError, invalidRequest } from '../errors.ts';
import type { CheckoutSession, CheckoutTerms, PaymentIntent, Price } from '../objects.ts';
import type { CheckoutTotals } from '../views.ts';
import { createOncePrice, type PriceData } from './catalog.ts';
import { attemptIntent, bareIntent, chargeOnce, type Presence, putPayment } from './charge.ts';
import { assertPaid } from './collection.ts';
import { updateCustomer } from './customers.ts';
import { issueInvoice, markPaid, settle } from './invoices.ts';
import { onceLine } from './lines.ts';
import { attach } from './payment-methods.ts';
import { createSubscription } from './subscriptions.ts';
import { createTaxId, taxesOf, taxOn } from './tax.ts';

const daySeconds = 86_400;

/** The least that Stripe charges, in cents. */
const leastCents = 50;

/** Parameters of a new session. */
interface CheckoutParams {
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
}

/** A session for a subscription, or for one payment. Each has exactly one item. */
type NewCheckout = CheckoutParams &
  (
    | {
        mode: 'subscription';
        line_items: { price: string }[];
        subscription_data?: { metadata?: Record<string, string> | undefined } | undefined;
      }
    | {
        mode: 'payment';
        line_items: { price_data: PriceData }[];
        payment_intent_data?:
          | { metadata?: Record<string, string> | undefined; description?: string | undefined }
          | undefined;
        invoice_creation?: { enabled: boolean } | undefined;
      }
  );

/** Creates a session that is open for 24 hours. */
export function createCheckout(core: Core, params: NewCheckout): CheckoutSession {
  const price = priceOf(core, params);
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
    metadata:
      (params.mode === 'payment' ? params.payment_intent_data : params.subscription_data)?.metadata ?? {},
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
    invoice_creation:
      params.mode === 'payment' ? { enabled: params.invoice_creation?.enabled ?? false } : null,
    mode: params.mode,
    payment_intent: null,
    payment_status: 'unpaid',
    status: 'open',
    subscription: null,
    success_url: params.success_url,
    tax_id_collection: { enabled: params.tax_id_collection?.enabled === true },
    url: `${core.origin}/c/pay/${id}`,
  });
}

/** The price of a new session's item. @throws StripeApiError 400 when it cannot be sold in this mode */
function priceOf(core: Core, params: NewCheckout): Price {
  if (params.mode === 'payment') {
    const { price_data: data } = params.line_items[0]!;
    if (data.unit_amount < leastCents) {
      throw invalidRequest(
        'The Checkout Session’s total amount must convert to at least 50 cents.',
        'line_items[0][price_data][unit_amount]',
        'amount_too_small',
      );
    }
    return createOncePrice(core, data);
  }
  const price = core.getOrThrow('price', params.line_items[0]!.price, 'line_items[0][price]');
  if (!price.active) throw invalidRequest(`The price ${price.id} is inactive.`, 'line_items[0][price]');
  if (price.recurring === null) {
    throw invalidRequest(
      'You must provide at least one recurring price in `subscription` mode when using prices.',
      'line_items',
    );
  }
  return price;
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
  // Credit pays for invoices only.
  const balance =
    session.mode === 'payment' ? 0 : (core.store.get('customer', session.customer)?.balance ?? 0);
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
 * Completes a session with a card: charges it once, or saves it and creates subscription and first invoice.
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
    if (session.mode === 'payment') return completePayment(core, session, paymentMethod, presence);
    const terms = termsOf(core, sessionId);
    const price = core.getOrThrow('price', terms.price);
    attach(core, paymentMethod, session.customer);
    const { subscription, collection } = createSubscription(core, {
      customer: session.customer,
      price,
      metadata: terms.metadata,
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

/**
 * Completes a session that is paid once. A bank debit leaves it unpaid until the money arrives. The card is not saved.
 * @throws StripeApiError 402 when the card is declined
 */
function completePayment(
  core: Core,
  session: CheckoutSession,
  paymentMethod: string,
  presence: Presence,
): CheckoutSession {
  const terms = termsOf(core, session.id);
  const price = core.getOrThrow('price', terms.price);
  const customer = core.getOrThrow('customer', session.customer, 'customer');
  const [taxId] = core.store.list('tax_id', { customer: customer.id });
  const buyer = customer.address?.country
    ? { country: customer.address.country, vatId: taxId?.value }
    : undefined;
  const { amountDue } = checkoutTotals(core, session, price, buyer);
  const result = chargeOnce(core, paymentMethod, presence);
  if (result.outcome === 'declined') throw cardError(result);
  if (result.outcome === 'authenticate') throw new Error('the cardholder has not authenticated yet');
  const bare = bareIntent(core, {
    amount: amountDue,
    currency: price.currency,
    customer: customer.id,
    description: core.getOrThrow('product', price.product).name,
    invoice: null,
    metadata: terms.metadata,
  });
  core.create(bare, 'payment_intent.created');
  const intent = attemptIntent(core, bare, paymentMethod, result);
  const complete: CheckoutSession = {
    ...session,
    amount_total: amountDue,
    status: 'complete',
    payment_intent: intent.id,
    payment_status: result.outcome === 'paid' ? 'paid' : 'unpaid',
    customer_details: { email: customer.email, name: customer.name },
    url: null,
    invoice: result.outcome === 'paid' ? invoicePayment(core, session, intent) : null,
  };
  return put(core, complete, 'checkout.session.completed');
}

/** Issues the invoice of a payment that has arrived, if the session asks for one. @returns its id */
function invoicePayment(core: Core, session: CheckoutSession, intent: PaymentIntent): string | null {
  // A customer who was deleted while the money was under way gets none.
  const isAsked = session.invoice_creation?.enabled && core.store.get('customer', session.customer);
  if (!isAsked) return null;
  const price = core.getOrThrow('price', termsOf(core, session.id).price);
  const { automatic_tax, currency, customer } = session;
  const now = core.now();
  const invoice = issueInvoice(core, {
    subscription: { automatic_tax, currency, customer, discounts: [], metadata: {} },
    reason: 'manual',
    lines: [onceLine(core, price, taxesOf(core, { automatic_tax, customer }, price, price.unit_amount))],
    period: { start: now, end: now },
  });
  putPayment(core, invoice, intent);
  return markPaid(core, invoice, intent.amount).id;
}

/** Runs when the money of a bank debit arrives for a session that is paid once, or does not. */
export function settleCheckoutDebit(core: Core, intent: PaymentIntent): void {
  const session = core.store
    .list('checkout.session', { customer: intent.customer })
    .find(({ payment_intent: id }) => id === intent.id);
  const method = intent.payment_method;
  if (session === undefined || method === null) throw new Error(`${intent.id} belongs to no checkout`);
  const attempted = attemptIntent(core, intent, method, chargeOnce(core, method, 'arrived'));
  if (attempted.status === 'succeeded') {
    const invoice = invoicePayment(core, session, attempted);
    put(core, { ...session, invoice, payment_status: 'paid' }, 'checkout.session.async_payment_succeeded');
  } else {
    core.record('checkout.session.async_payment_failed', session);
  }
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
