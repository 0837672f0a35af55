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

/** Whether a plan is paid for by what Stripe said last. */
export function periodRuns({ subscription_data: details }: Pick<ProfileRow, 'subscription_data'>): boolean {
  return details !== null && details.current_period_end > new Date();
}

/**
 * The seller's customer at Stripe, made when first needed and kept before anything is bought under it; its name and
 * address are the seller's of now. One that was deleted at Stripe is replaced.
 * @returns the customer's id
 * @throws Refusal UNAUTHENTICATED when the seller is gone; Stripe's error
 */
export async function customerOf(
  { db, billing }: Pick<BillingContext, 'db' | 'billing'>,
  sellerId: string,
): Promise<string> {
  const { customers } = billing.stripe;
  for (let replaced = 0; ; ) {
    const profile = await db.profiles.findById(sellerId).lean();
    if (!profile || profile.deletion_asked_at) throw new AppError('UNAUTHENTICATED');
    const { stripe_customer_id: customer, former_customers: former } = profile;
    if (customer === null) {
      // After a crash before the next line the same customer comes again; never one that was replaced.
      const made = await customers.create(
        { metadata: { profile: sellerId } },
        { idempotencyKey: ['customer', sellerId, ...former.slice(-1)].join(':') },
      );
      await db.profiles.updateOne(
        { _id: sellerId, stripe_customer_id: null },
        { $set: { stripe_customer_id: made.id } },
      );
      continue;
    }
    try {
      await customers.update(customer, { email: profile.email, name: profile.full_name });
      return customer;
    } catch (error) {
      if (!isMissing(error) || replaced > 0) throw error;
      const deleted = (await customers.retrieve(customer).catch(nullIfMissing))?.deleted === true;
      // A key of another account of Stripe's knows none of our customers: whoever pays under that one must not pay twice.
      if (!deleted && periodRuns(profile)) throw error;
      await db.profiles.updateOne(
        { _id: sellerId, stripe_customer_id: customer },
        { $set: { stripe_customer_id: null }, $push: { former_customers: customer } },
      );
      replaced += 1;
    }
  }
}
