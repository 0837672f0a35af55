import type Stripe from 'stripe';
import type { PackPayment } from './billing-state.ts';
import { nullIfMissing } from './client.ts';
import { disputedAmount } from './refunded-payments.ts';

/** The field of a payment's metadata that says how many images it buys. */
export const packMetadata = 'pack_images';

/** Payments of one reading, the newest; those of a plan are among them. */
const maxPayments = 1_000;

/**
 * Reads the payments for packs. What counts is the payment, not the page on which it was made: that is complete days before a
 * bank debit arrives or fails.
 * @throws Stripe's error when it does not answer
 */
export async function readPackPayments(stripe: Stripe, customers: readonly string[]): Promise<PackPayment[]> {
  const payments = await Promise.all(customers.map((customer) => paymentsOf(stripe, customer)));
  return payments.flat().reverse();
}

async function paymentsOf(stripe: Stripe, customer: string): Promise<PackPayment[]> {
  const intents = await stripe.paymentIntents
    .list({ customer, limit: 100, expand: ['data.latest_charge'] })
    .autoPagingToArray({ limit: maxPayments })
    .catch(nullIfMissing);
  const payments: PackPayment[] = [];
  for (const { id, metadata, status, latest_charge: charge, amount_received: amount } of intents ?? []) {
    const images = Number(metadata[packMetadata]);
    const isPaid = status === 'succeeded';
    if (!Number.isInteger(images) || images <= 0 || !(isPaid || status === 'processing')) continue;
    const returned = isPaid && charge && typeof charge === 'object' ? await returnedOf(stripe, charge) : 0;
    payments.push({ id, images, isPaid, amount, returned });
  }
  return payments;
}

async function returnedOf(stripe: Stripe, charge: Stripe.Charge): Promise<number> {
  const { amount_refunded: refunded, disputed } = charge;
  return refunded + (disputed ? await disputedAmount(stripe, charge) : 0);
}
