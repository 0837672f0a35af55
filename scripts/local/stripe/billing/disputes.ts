/** Disputes: cardholders reclaim a payment through their bank. */
import { type Core, newId } from '../core/core.ts';
import { invalidRequest } from '../errors.ts';
import type { Dispute } from '../objects.ts';

/** How many days the merchant has to respond. */
const responseDays = 9;

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
    balance_transactions: [],
    charge: charge.id,
    created: core.now(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: core.now() + responseDays * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: options.inquiry === true,
    livemode: false,
    metadata: {},
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

const noEvidence: Dispute['evidence'] = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};
