import { Refusal } from '../errors.ts';
import type { BillingContext } from './client.ts';

/**
 * The seller's customer at Stripe, made when first needed and kept before anything is bought under it; its name and
 * address are the seller's of now.
 * @returns the customer's id
 * @throws Refusal UNAUTHENTICATED when the seller is gone; Stripe's error
 */
export async function customerOf(
  { data, billing }: Pick<BillingContext, 'data' | 'billing'>,
  profileId: string,
) {
  const { customers } = billing.stripe;
  const profile = await data.profiles.findById(profileId).lean();
  if (!profile) throw new Refusal('UNAUTHENTICATED');
  let customer = profile.stripe_customer_id;
  if (customer === null) {
    // After a crash before the next line the same customer comes again.
    const made = await customers.create(
      { metadata: { profile: profileId } },
      { idempotencyKey: `customer:${profileId}` },
    );
    customer = made.id;
    await data.profiles.updateOne({ _id: profileId }, { $set: { stripe_customer_id: customer } });
  }
  await customers.update(customer, { email: profile.email, name: profile.full_name });
  return customer;
}
