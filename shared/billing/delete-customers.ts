import { isLeased } from '#shared/data/lease.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { type BillingContext, nullIfMissing } from './client.ts';
import { customersOf } from './customer.ts';

/**
 * Deletes a seller's customers at Stripe, which cancels their subscriptions at once, because the account is being
 * deleted. Idempotent.
 * @throws Stripe's error when it does not answer; an error while the plan is being changed
 */
export async function deleteStripeCustomers(
  { billing, db }: Pick<BillingContext, 'billing' | 'db'>,
  sellerId: string,
): Promise<void> {
  const profile = await findProfile(db, sellerId);
  if (!profile) return;
  // A change that is under way may be about to create the customer. No other one can begin: the account is marked.
  if (isLeased(profile.billing_lease_until)) throw new Error(`the plan of ${sellerId} is being changed`);
  for (const customer of customersOf(profile)) {
    await billing.stripe.customers.del(customer).catch(nullIfMissing);
  }
}
