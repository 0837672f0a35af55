import { retireStripeCustomer, setStripeCustomer } from '#shared/data/profiles/billing.ts';
import { findActiveProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { AppError } from '#shared/platform/errors.ts';
import { type BillingContext, isMissing, nullIfMissing } from './client.ts';

/** A seller's customers at Stripe: the current one first, then those that Stripe no longer has. */
export function customersOf(
  profile: Pick<ProfileRow, 'stripe_customer_id' | 'former_customers'>,
): readonly string[] {
  const { stripe_customer_id: current, former_customers: former } = profile;
  return current === null ? former : [current, ...former];
}

/** Whether the plan is paid for now, according to the last billing state. */
export function isPeriodPaid({ subscription_data: details }: Pick<ProfileRow, 'subscription_data'>): boolean {
  return details !== null && details.current_period_end > new Date();
}

/**
 * Returns the seller's customer at Stripe, with the seller's current address, and a name if it had none. It is created when it is first
 * needed, and recorded before anything is bought with it. A customer that was deleted at Stripe is replaced.
 * @returns the customer's id
 * @throws AppError UNAUTHENTICATED when the seller is gone; Stripe's error
 */
export async function customerOf(
  { db, billing }: Pick<BillingContext, 'db' | 'billing'>,
  sellerId: string,
): Promise<string> {
  const { customers } = billing.stripe;
  for (let replaced = 0; ; ) {
    const profile = await findActiveProfile(db, sellerId);
    if (!profile) throw new AppError('UNAUTHENTICATED');
    const { stripe_customer_id: customer, former_customers: former } = profile;
    if (customer === null) {
      // Idempotent, so a crash before the customer is recorded does not create two; a replaced one has another key.
      const created = await customers.create(
        { metadata: { profile: sellerId } },
        { idempotencyKey: ['customer', sellerId, ...former.slice(-1)].join(':') },
      );
      await setStripeCustomer(db, sellerId, created.id);
      continue;
    }
    try {
      const { name } = await customers.update(customer, { email: profile.email });
      // Later it may be a business's, entered at Stripe for its invoices: it is not replaced.
      if (!name) await customers.update(customer, { name: profile.full_name });
      return customer;
    } catch (error) {
      if (!isMissing(error) || replaced > 0) throw error;
      const isDeleted = (await customers.retrieve(customer).catch(nullIfMissing))?.deleted === true;
      // The key may belong to another Stripe account, which knows none of our customers: nobody may pay there twice.
      if (!isDeleted && isPeriodPaid(profile)) throw error;
      await retireStripeCustomer(db, sellerId, customer);
      replaced += 1;
    }
  }
}
