import Stripe from 'stripe';
import type { BillingContext } from './client.ts';

/**
 * Ends what a seller has at Stripe, for an account that is deleted: the customer goes, and with it every subscription,
 * at once. May be replayed.
 * @throws Stripe's error when it does not answer; an error while a change of the plan is still under way
 */
export async function endBilling(
  { billing, data }: Pick<BillingContext, 'billing' | 'data'>,
  profileId: string,
): Promise<void> {
  const profile = await data.profiles.findById(profileId).lean();
  if (!profile) return;
  const { stripe_customer_id: customer, billing_busy_until: busyUntil } = profile;
  // It may be about to make the customer; no other change can begin once the deletion was asked for.
  if (busyUntil !== null && busyUntil > new Date())
    throw new Error(`the plan of ${profileId} is being changed`);
  if (customer === null) return;
  try {
    await billing.stripe.customers.del(customer);
  } catch (error) {
    const gone =
      error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
    if (!gone) throw error;
  }
}
