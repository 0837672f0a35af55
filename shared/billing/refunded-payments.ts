import type Stripe from 'stripe';
import { idOf } from './catalogue.ts';

/** Statuses of disputes that withdraw money. An inquiry does not, and a won dispute returns it. */
const withdrawnStatuses: readonly string[] = [
  'needs_response',
  'under_review',
  'lost',
  'appeal_needs_response',
  'appeal_under_review',
];

/**
 * Finds those of a customer's paid invoices whose whole amount was returned, by refunds or by disputes that are not won or
 * by both together.
 * @param invoices with their payments expanded
 * @returns the ids of the invoices
 * @throws Stripe's error when it does not answer
 */
export async function findRefundedPayments(
  stripe: Stripe,
  customer: string,
  invoices: readonly Stripe.Invoice[],
): Promise<ReadonlySet<string>> {
  const charged = invoices.filter(({ amount_paid: paid }) => paid > 0);
  const refunded = new Set<string>();
  if (charged.length === 0) return refunded;
  const amounts = await returnedAmounts(stripe, customer, Math.min(...charged.map(({ created }) => created)));
  for (const invoice of charged) {
    const payments = invoice.payments?.data.filter(({ status }) => status === 'paid') ?? [];
    const returned = payments.map(({ payment }) => {
      const source = payment.payment_intent ?? payment.charge;
      return (source ? amounts.get(idOf(source)) : undefined) ?? 0;
    });
    if (returned.reduce((sum, amount) => sum + amount, 0) >= invoice.amount_paid) refunded.add(invoice.id!);
  }
  return refunded;
}

/** The returned amount of each payment, in the currency's smallest unit, by the ids of payment intent and charge. */
async function returnedAmounts(
  stripe: Stripe,
  customer: string,
  since: number,
): Promise<ReadonlyMap<string, number>> {
  const amounts = new Map<string, number>();
  for await (const charge of stripe.charges.list({ customer, limit: 100 })) {
    // The list begins with the newest charge, and an invoice is never charged before it is created.
    if (charge.created < since) break;
    const { id, amount_refunded: refunded, disputed, payment_intent: intent } = charge;
    if (refunded === 0 && !disputed) continue;
    const amount = refunded + (disputed ? await disputedAmount(stripe, charge) : 0);
    for (const key of [id, ...(intent ? [idOf(intent)] : [])])
      amounts.set(key, (amounts.get(key) ?? 0) + amount);
  }
  return amounts;
}

/** What disputes have withdrawn of a charge. @throws Stripe's error when it does not answer */
export async function disputedAmount(stripe: Stripe, charge: Stripe.Charge): Promise<number> {
  const disputes = await stripe.disputes.list({ charge: charge.id, limit: 100 });
  return (
    disputes.data
      .filter(({ status }) => withdrawnStatuses.includes(status))
      // A dispute in another currency is about the whole charge, converted.
      .reduce((sum, { amount, currency }) => sum + (currency === charge.currency ? amount : charge.amount), 0)
  );
}
