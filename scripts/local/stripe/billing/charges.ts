/** Charges, one for each payment attempt, with their refunds and disputes. */
import { type Core, newId } from '../core/core.ts';
import { invalidRequest } from '../errors.ts';
import type { Charge, Dispute, PaymentIntent, Refund } from '../objects.ts';
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
  const { brand, country, exp_month, exp_year, funding, last4 } = method.card;
  const charge: Charge = {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    amount_refunded: 0,
    billing_details: { ...method.billing_details },
    captured: paid,
    created: core.now(),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    metadata: { ...intent.metadata },
    paid,
    payment_intent: intent.id,
    payment_method: paymentMethod,
    payment_method_details: { type: 'card', card: { brand, country, exp_month, exp_year, funding, last4 } },
    refunded: false,
    status: paid ? 'succeeded' : 'failed',
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
    charge: charge.id,
    created: core.now(),
    currency: charge.currency,
    customer: charge.customer,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    status: 'succeeded',
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

/**
 * Opens a dispute. The money is withdrawn at once, except for an inquiry.
 * @throws StripeApiError 400 for a charge that failed or is already disputed, or for too large an amount
 */
export function openDispute(
  core: Core,
  chargeId: string,
  options: { amount?: number | undefined; inquiry?: boolean | undefined } = {},
): Dispute {
  const charge = core.getOrThrow('charge', chargeId, 'charge');
  if (!charge.paid) throw invalidRequest(`Charge ${charge.id} has not been paid.`);
  if (charge.disputed) throw invalidRequest(`Charge ${charge.id} is already disputed.`);
  const amount = options.amount ?? charge.amount_captured;
  if (amount > charge.amount_captured) throw invalidRequest('More is disputed than was paid.', 'amount');
  const dispute: Dispute = {
    id: newId('du'),
    object: 'dispute',
    amount,
    charge: charge.id,
    created: core.now(),
    currency: charge.currency,
    is_charge_refundable: options.inquiry === true,
    payment_intent: charge.payment_intent,
    reason: 'fraudulent',
    status: options.inquiry ? 'warning_needs_response' : 'needs_response',
  };
  core.create(dispute, 'charge.dispute.created');
  core.change(charge, { disputed: true });
  if (!options.inquiry) core.record('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/**
 * Closes a dispute; when it is won, the merchant gets the money back. @throws StripeApiError 400 when it is already
 * closed
 */
export function closeDispute(core: Core, id: string, outcome: 'won' | 'lost'): Dispute {
  const dispute = core.getOrThrow('dispute', id);
  const open: readonly string[] = ['needs_response', 'under_review', 'warning_needs_response'];
  if (!open.includes(dispute.status)) throw invalidRequest('This dispute is already closed.');
  const inquiry = dispute.status === 'warning_needs_response';
  const status = inquiry ? 'warning_closed' : outcome;
  const closed = core.change(
    dispute,
    { status, is_charge_refundable: outcome === 'won' },
    'charge.dispute.closed',
  );
  if (status === 'won') core.record('charge.dispute.funds_reinstated', closed);
  return closed;
}
