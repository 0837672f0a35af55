/** Charges cards. The result depends on the card number, or on what a test has requested. */
import { type Core, newId } from '../core/core.ts';
import type { Invoice, PaymentIntent } from '../objects.ts';
import { behaviourOf, type Decline } from './cards.ts';
import { createCharge } from './charges.ts';
import { cardNumberOf } from './payment-methods.ts';

/** The result of a charge. */
export type ChargeResult =
  | { outcome: 'paid' }
  | ({ outcome: 'declined' } & Decline)
  | { outcome: 'authenticate' };

/**
 * `off-session`: the cardholder is not present and cannot authenticate. `authenticated`: the cardholder has just
 * authenticated.
 */
export type Presence = 'off-session' | 'on-session' | 'authenticated';

const noCard: Decline = {
  code: 'resource_missing',
  declineCode: null,
  message: 'This customer has no attached payment source or default payment method.',
};

/** Charges a card. A failure that a test has requested is used up by the charge. */
export function chargeCard(
  core: Core,
  customer: string,
  paymentMethod: string | null,
  presence: Presence,
): ChargeResult {
  if (paymentMethod === null) return { outcome: 'declined', ...noCard };
  const asked = `fail_next_payment:${customer}`;
  if (core.store.setting(asked) !== undefined) {
    core.store.setSetting(asked, null);
    return {
      outcome: 'declined',
      code: 'card_declined',
      declineCode: 'generic_decline',
      message: 'Your card was declined.',
    };
  }
  const card = cardNumberOf(core, paymentMethod);
  const { challenge, saving, charging } = behaviourOf(card.number);
  const mustProve = challenge === 'always' || (challenge === 'once' && !card.authenticated);
  if (mustProve && presence !== 'authenticated') return { outcome: 'authenticate' };
  const decline = saving ?? charging;
  return decline === undefined ? { outcome: 'paid' } : { outcome: 'declined', ...decline };
}

/** Makes the next charge of any of the customer's cards fail. */
export function failNextPayment(core: Core, customer: string): void {
  core.store.setSetting(`fail_next_payment:${customer}`, '1');
}

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
  const paid = result.outcome === 'paid';
  // A card that still needs authentication has not been charged.
  const charge =
    paymentMethod === null || result.outcome === 'authenticate'
      ? null
      : createCharge(core, before, paymentMethod, result.outcome === 'declined' ? result : undefined);
  const intent: PaymentIntent = {
    ...before,
    amount_received: paid ? before.amount : 0,
    latest_charge: charge?.id ?? before.latest_charge,
    payment_method: paymentMethod,
    next_action:
      result.outcome === 'authenticate'
        ? { type: 'redirect_to_url', redirect_to_url: { return_url: null, url: invoice.hosted_invoice_url } }
        : null,
    last_payment_error:
      result.outcome === 'declined'
        ? {
            type: 'card_error',
            code: result.code,
            message: result.message,
            ...(result.declineCode === null ? {} : { decline_code: result.declineCode }),
          }
        : null,
    status: paid
      ? 'succeeded'
      : result.outcome === 'authenticate'
        ? 'requires_action'
        : 'requires_payment_method',
  };
  core.store.put(intent);
  core.record(
    paid
      ? 'payment_intent.succeeded'
      : result.outcome === 'authenticate'
        ? 'payment_intent.requires_action'
        : 'payment_intent.payment_failed',
    intent,
  );
  core.store.put({
    id: payment?.id ?? newId('inpay'),
    object: 'invoice_payment',
    amount_paid: paid ? intent.amount : null,
    amount_requested: intent.amount,
    created: payment?.created ?? core.now(),
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: intent.id, type: 'payment_intent' },
    status: paid ? 'paid' : 'open',
    status_transitions: { canceled_at: null, paid_at: paid ? core.now() : null },
  });
  return intent;
}

function newIntent(core: Core, invoice: Invoice): PaymentIntent {
  const id = newId('pi');
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: invoice.amount_due,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: `${id}_secret_${newId('s').slice(2)}`,
    confirmation_method: 'automatic',
    created: core.now(),
    currency: invoice.currency,
    customer: invoice.customer,
    customer_account: null,
    description: 'Subscription update',
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: 'off_session',
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_group: null,
  };
}
