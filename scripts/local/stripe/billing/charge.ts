/** Charges cards. The result depends on the card number. */
import { type Core, newId } from '../core/core.ts';
import { invalidRequest, type StripeApiError } from '../errors.ts';
import type { Invoice } from '../invoice-objects.ts';
import type { InvoicePayment, PaymentIntent } from '../objects.ts';
import { behaviourOf, type Decline } from './cards.ts';
import { createCharge } from './charges.ts';
import { cardNumberOf } from './payment-methods.ts';

/** The result of a charge. */
export type ChargeResult =
  | { outcome: 'paid' }
  | ({ outcome: 'declined' } & Decline)
  | { outcome: 'authenticate' }
  /** A bank debit: whether it succeeds is known days later. */
  | { outcome: 'processing' };

/**
 * `arrived`: the money of a bank debit is there. `off-session`: the cardholder is not present and cannot authenticate. `authenticated`: the cardholder has just
 * authenticated.
 */
export type Presence = 'off-session' | 'on-session' | 'authenticated' | 'arrived';

const noCard: Decline = {
  code: 'resource_missing',
  declineCode: null,
  message:
    'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
};

/** 400, as at Stripe: an amount is due, and there is nothing to charge it to. */
export function noPaymentMethod(): StripeApiError {
  return invalidRequest(noCard.message, undefined, noCard.code);
}

/** Charges a card. */
export function chargeCard(core: Core, paymentMethod: string | null, presence: Presence): ChargeResult {
  if (paymentMethod === null) return { outcome: 'declined', ...noCard };
  // A card that was removed cannot be charged any more, although a schedule may still name it.
  if (core.getOrThrow('payment_method', paymentMethod).customer === null) {
    return { outcome: 'declined', ...noCard };
  }
  return chargeOnce(core, paymentMethod, presence);
}

/** Charges a card that was typed for one payment: it need not be saved with the customer. */
export function chargeOnce(core: Core, paymentMethod: string, presence: Presence): ChargeResult {
  const card = cardNumberOf(core, paymentMethod);
  const { challenge, saving, charging, debit } = behaviourOf(card.number);
  if (debit && presence !== 'arrived') return { outcome: 'processing' };
  const mustProve = challenge === 'always' || (challenge === 'once' && !card.authenticated);
  if (mustProve && presence !== 'authenticated') return { outcome: 'authenticate' };
  const decline = saving ?? charging;
  return decline === undefined ? { outcome: 'paid' } : { outcome: 'declined', ...decline };
}

const intentStatus = {
  paid: 'succeeded',
  authenticate: 'requires_action',
  processing: 'processing',
  declined: 'requires_payment_method',
} as const;

const intentEvents = {
  paid: 'payment_intent.succeeded',
  authenticate: 'payment_intent.requires_action',
  processing: 'payment_intent.processing',
  declined: 'payment_intent.payment_failed',
} as const;

/** Creates or updates the payment intent of an invoice after a payment attempt. */
export function recordAttempt(
  core: Core,
  invoice: Invoice,
  paymentMethod: string | null,
  result: ChargeResult,
): PaymentIntent {
  const [payment] = core.store.list('invoice_payment', { owner: invoice.id });
  const known = payment?.payment.payment_intent;
  const before =
    typeof known === 'string' ? core.getOrThrow('payment_intent', known) : newIntent(core, invoice);
  const intent = attemptIntent(core, before, paymentMethod, result);
  putPayment(core, invoice, intent, payment);
  return intent;
}

/** Stores which intent pays for an invoice. @param before as it was stored before */
export function putPayment(
  core: Core,
  { id: invoice, currency }: Invoice,
  intent: PaymentIntent,
  before?: Pick<InvoicePayment, 'id' | 'created'>,
): void {
  const paid = intent.status === 'succeeded';
  core.store.put({
    id: before?.id ?? newId('inpay'),
    object: 'invoice_payment',
    amount_paid: paid ? intent.amount : null,
    amount_requested: intent.amount,
    created: before?.created ?? core.now(),
    currency,
    invoice,
    is_default: true,
    payment: { payment_intent: intent.id, type: 'payment_intent' },
    status: paid ? 'paid' : 'open',
    status_transitions: { canceled_at: null, paid_at: paid ? core.now() : null },
  });
}

/** Stores the result of a payment attempt in its intent, with a charge unless nothing has been charged yet. */
export function attemptIntent(
  core: Core,
  before: PaymentIntent,
  paymentMethod: string | null,
  result: ChargeResult,
): PaymentIntent {
  // A card that still needs authentication has not been charged.
  const charge =
    paymentMethod === null || result.outcome === 'authenticate' || result.outcome === 'processing'
      ? null
      : createCharge(core, before, paymentMethod, result.outcome === 'declined' ? result : undefined);
  const intent: PaymentIntent = {
    ...before,
    amount_received: result.outcome === 'paid' ? before.amount : 0,
    latest_charge: charge?.id ?? before.latest_charge,
    payment_method: paymentMethod,
    status: intentStatus[result.outcome],
  };
  core.store.put(intent);
  core.record(intentEvents[result.outcome], intent);
  return intent;
}

function newIntent(core: Core, invoice: Invoice): PaymentIntent {
  return bareIntent(core, {
    amount: invoice.amount_due,
    currency: invoice.currency,
    customer: invoice.customer,
    description: 'Subscription update',
    invoice: invoice.id,
    metadata: {},
  });
}

/** An intent that nothing was tried for yet. */
export function bareIntent(
  core: Core,
  about: Pick<PaymentIntent, 'amount' | 'currency' | 'customer' | 'description' | 'invoice' | 'metadata'>,
): PaymentIntent {
  return {
    id: newId('pi'),
    object: 'payment_intent',
    amount_received: 0,
    created: core.now(),
    latest_charge: null,
    payment_method: null,
    status: 'requires_payment_method',
    ...about,
  };
}
