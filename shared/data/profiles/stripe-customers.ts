import type { Db } from '#shared/data/db.ts';
import { profiles } from './schema.ts';

/** Records a seller's customer at Stripe, unless the seller has one. */
export async function setStripeCustomer(db: Db, sellerId: string, customer: string): Promise<void> {
  await profiles(db).updateOne(
    { _id: sellerId, stripe_customer_id: null },
    { $set: { stripe_customer_id: customer } },
  );
}

/** Records that Stripe no longer has a seller's customer: the next one replaces it. */
export async function retireStripeCustomer(db: Db, sellerId: string, customer: string): Promise<void> {
  await profiles(db).updateOne(
    { _id: sellerId, stripe_customer_id: customer },
    { $set: { stripe_customer_id: null }, $push: { former_customers: customer } },
  );
}

/** @returns the id of the seller who has, or had, a customer at Stripe; null when there is none */
export async function findSellerOfCustomer(db: Db, customer: string): Promise<string | null> {
  const profile = await profiles(db)
    .findOne({ $or: [{ stripe_customer_id: customer }, { former_customers: customer }] })
    .select({ _id: 1 })
    .lean();
  return profile?._id ?? null;
}
