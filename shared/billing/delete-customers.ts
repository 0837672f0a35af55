import { type BillingContext, nullIfMissing } from './client.ts';
import { customersOf } from './customer.ts';

/**
 * Ends what a seller has at Stripe, for an account that is deleted: the customer goes, and with it every subscription,
 * at once. May be replayed.
 * @throws Stripe's error when it does not answer; an error while a change of the plan is still under way
 */
export async function deleteStripeCustomers(
  { billing, db }: Pick<BillingContext, 'billing' | 'db'>,
  sellerId: string,
): Promise<void> {
  const profile = await db.profiles.findById(sellerId).lean();
  if (!profile) return;
  const { billing_lease_until: busyUntil } = profile;
  // It may be about to make the customer; no other change can begin once the deletion was asked for.
  if (busyUntil !== null && busyUntil > new Date())
    throw new Error(`the plan of ${sellerId} is being changed`);
  for (const customer of customersOf(profile)) {
    await billing.stripe.customers.del(customer).catch(nullIfMissing);
  }
}
