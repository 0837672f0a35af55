/** Charges, one for each payment attempt, and refunds. */
import { type Core, newId } from '../core/core.ts';
import { invalidRequest } from '../errors.ts';
import type { Charge, PaymentIntent, Refund } from '../objects.ts';
import type { Decline } from './cards.ts';

/** Records a payment attempt. @param decline why it failed; undefined when it succeeded */
export function createCharge(
  core: Core,
  intent: PaymentIntent,
  paymentMethod: string,
  decline: Decline | undefined,
): Charge {
  const paid = decline === undefined;
  const method = core.getOrThrow('payment_method', paymentMethod);
  const { brand, country, exp_month, exp_year, fingerprint, funding, last4 } = method.card;
  const charge: Charge = {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: { ...method.billing_details },
    calculated_statement_descriptor: 'LOCAL STRIPE',
    captured: paid,
    created: core.now(),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: {},
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: paid ? 'approved_by_network' : 'declined_by_network',
      reason: decline?.declineCode ?? null,
      risk_level: 'normal',
      seller_message: paid ? 'Payment complete.' : 'The bank did not return any further details.',
      type: paid ? 'authorized' : 'issuer_declined',
    },
    paid,
    payment_intent: intent.id,
    payment_method: paymentMethod,
    payment_method_details: {
      type: 'card',
      card: {
        amount_authorized: paid ? intent.amount : null,
        authorization_code: null,
        brand,
        checks: null,
        country,
        electronic_commerce_indicator: null,
        exp_month,
        exp_year,
        fingerprint: fingerprint ?? null,
        funding,
        installments: null,
        last4,
        mandate: null,
        network: brand,
        network_transaction_id: null,
        regulated_status: null,
        three_d_secure: null,
        transaction_link_id: null,
        wallet: null,
      },
    },
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: paid ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: null,
  };
  return core.create(charge, paid ? 'charge.succeeded' : 'charge.failed');
}

/**
 * Refunds a charge; the default amount is everything that is left.
 * @throws StripeApiError 400 for more than is left, or for a charge that failed
 */
export function refund(core: Core, chargeId: string, wanted?: number): Refund {
  const charge = core.getOrThrow('charge', chargeId, 'charge');
  if (!charge.paid) throw invalidRequest(`Charge ${charge.id} has not been paid.`, 'charge');
  const left = charge.amount_captured - charge.amount_refunded;
  if (left === 0) {
    throw invalidRequest(
      `Charge ${charge.id} has already been refunded.`,
      undefined,
      'charge_already_refunded',
    );
  }
  const amount = wanted ?? left;
  if (amount <= 0) throw invalidRequest('This value must be greater than or equal to 1.', 'amount');
  if (amount > left) {
    throw invalidRequest(
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
      'amount',
    );
  }
  const made: Refund = {
    id: newId('re'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: core.now(),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: { type: 'card', card: { type: 'refund' } },
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  };
  core.create(made, 'refund.created');
  core.change(charge, refundedBy(charge, amount), 'charge.refunded');
  return made;
}

/**
 * Fails a refund, as when the bank rejects it: the money comes back. @throws StripeApiError 400 when it has already
 * failed
 */
export function failRefund(core: Core, id: string): Refund {
  const made = core.getOrThrow('refund', id);
  if (made.status !== 'succeeded') throw invalidRequest(`This refund is ${made.status}.`);
  const charge = core.getOrThrow('charge', made.charge);
  core.change(charge, refundedBy(charge, -made.amount), 'charge.updated');
  return core.change(made, { status: 'failed', failure_reason: 'unknown' }, 'refund.failed');
}

function refundedBy(charge: Charge, amount: number): Pick<Charge, 'amount_refunded' | 'refunded'> {
  const refunded = charge.amount_refunded + amount;
  return { amount_refunded: refunded, refunded: refunded === charge.amount_captured };
}
