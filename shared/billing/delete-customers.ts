import { isLeased } from '#shared/data/lease.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { closeCheckout } from './cancellation.ts';
import { type BillingContext, nullIfMissing } from './client.ts';
import { customersOf } from './customer.ts';

/**
 * Closes a seller's open pages to pay on, and deletes the customers at Stripe, which cancels their subscriptions at once,
 * because the account is being deleted. A bank debit for a pack that is under way cannot be stopped: operators are told. Idempotent.
 * @throws Stripe's error when it does not answer; an error while the plan is being changed
 */
export async function deleteStripeCustomers(
  { billing, db, log }: Pick<BillingContext, 'billing' | 'db' | 'log'>,
  sellerId: string,
): Promise<void> {
  const profile = await findProfile(db, sellerId);
  if (!profile) return;
  // A change that is under way may be about to create the customer. No other one can begin: the account is marked.
  if (isLeased(profile.billing_lease_until)) throw new Error(`the plan of ${sellerId} is being changed`);
  const arriving = profile.pack_images?.arriving ?? 0;
  if (arriving > 0) {
    log.warn(
      { profile: sellerId, customers: customersOf(profile), images: arriving },
      'an account is deleted while a payment for a pack is under way: refund it at Stripe once it has arrived',
    );
  }
  for (const customer of customersOf(profile)) {
    await closeCheckout(billing.stripe, customer);
    await billing.stripe.customers.del(customer).catch(nullIfMissing);
  }
}
