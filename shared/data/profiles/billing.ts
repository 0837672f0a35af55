import type { UpdateQuery } from 'mongoose';
import { eachOf } from '#shared/data/add-to-lists.ts';
import type { Db } from '#shared/data/db.ts';
import { releaseLease, takeLease } from '#shared/data/lease.ts';
import type { PendingEntryList } from './images.ts';
import { type PendingEmail, type PendingLedgerEntry, type ProfileRow, profiles } from './schema.ts';

/** The part of a profile that Stripe decides, and the balance that follows from it. */
export type BilledFields = Pick<
  ProfileRow,
  | 'subscription_plan'
  | 'subscription_status'
  | 'subscription_id'
  | 'subscription_data'
  | 'grace_until'
  | 'images_end_at'
  | 'period_refunded'
  | 'returned_grant'
  | 'credits'
  | 'total_generations'
  | 'fair_use'
  | 'holds'
  | 'generations_left'
  | 'granted'
  | 'forfeited'
  | 'refunded'
  | 'pack_images'
  | 'pack_returns'
>;

/** The lists of pending ledger entries that a billing state adds to. */
type BilledEntryList = Exclude<PendingEntryList, 'support_added' | 'support_removed'>;

/** What a billing state changes in a profile: fields to set, pending ledger entries and pending emails to add. */
export interface BillingChange extends Record<BilledEntryList, PendingLedgerEntry[]> {
  set: BilledFields;
  pendingEmails: PendingEmail[];
}

/**
 * Takes the lease under which a seller's plan may be changed. A seller whose account is being deleted has none.
 * @param disabled whether it may be the account of a seller who must not use it
 * @returns the end of the lease, by which its holder releases it; null when somebody else holds it
 */
export async function takeBillingLease(
  db: Db,
  sellerId: string,
  leaseMs: number,
  { disabled = false } = {},
): Promise<Date | null> {
  const usable = disabled ? {} : { disabled_at: { $exists: false } };
  const filter = { _id: sellerId, deletion_asked_at: null, ...usable };
  const profile = await takeLease(profiles(db), filter, leaseMs, { field: 'billing_lease_until' });
  return profile?.billing_lease_until ?? null;
}

/** Releases a lease of {@link takeBillingLease}, unless it has expired and somebody else holds the next one. */
export async function releaseBillingLease(db: Db, sellerId: string, leaseUntil: Date): Promise<void> {
  const holder = { _id: sellerId, billing_lease_until: leaseUntil };
  await releaseLease(profiles(db), holder, { field: 'billing_lease_until' });
}

/**
 * Assigns the next number to a reading of a seller's billing state, before Stripe is asked.
 * @returns the profile, whose `billing_asked` is the number; null when the seller is gone
 */
export function beginReading(db: Db, sellerId: string): Promise<ProfileRow | null> {
  return profiles(db)
    .findOneAndUpdate({ _id: sellerId }, { $inc: { billing_asked: 1 } }, { returnDocument: 'after' })
    .lean();
}

/**
 * Saves what a reading changes, as one compare-and-set on the profile's revision and customer.
 * @param profile the profile that the change was computed from
 * @param reading the number of the reading
 * @param change null when Stripe says nothing new; then only the reading is recorded
 * @returns the profile after it; null when the profile has changed, or a later reading was saved
 */
export function saveBillingState(
  db: Db,
  { _id, revision, stripe_customer_id }: Pick<ProfileRow, '_id' | 'revision' | 'stripe_customer_id'>,
  reading: number,
  change: BillingChange | null,
): Promise<ProfileRow | null> {
  const read = { billing_applied: reading, billing_seen_at: new Date(), billing_retry: null };
  return profiles(db)
    .findOneAndUpdate(
      { _id, revision, stripe_customer_id, billing_applied: { $lt: reading } },
      change ? updateOf(change, read) : { $set: read },
      { returnDocument: 'after' },
    )
    .lean();
}

function updateOf({ set, pendingEmails, ...entries }: BillingChange, read: object): UpdateQuery<ProfileRow> {
  const $push = eachOf({ ...entries, pending_emails: pendingEmails });
  return {
    $set: { ...set, ...read },
    ...($push && { $push }),
    $inc: { revision: 1 },
  };
}

/** The state of upkeep's retries to read a seller's billing state from Stripe after a paid period has ended. */
export type BillingRetry = NonNullable<ProfileRow['billing_retry']>;

const endedPeriod = (before: Date) => ({
  'subscription_data.current_period_end': { $lt: before },
  billing_seen_at: { $lt: before },
  $or: [{ billing_retry: null }, { 'billing_retry.due_at': { $lte: new Date() } }],
});

/** @returns profiles whose paid period ended before a moment, and for whom Stripe has not been asked since */
export function findEndedPeriods(
  db: Db,
  before: Date,
  limit: number,
): Promise<Pick<ProfileRow, '_id' | 'revision' | 'billing_retry'>[]> {
  return profiles(db)
    .find(endedPeriod(before))
    .select({ _id: 1, revision: 1, billing_retry: 1 })
    .limit(limit)
    .lean();
}

/**
 * Records a try before Stripe is asked; the next saved billing state removes it.
 * @param before as for {@link findEndedPeriods}
 * @returns false when the seller is not due any more
 */
export async function beginBillingRetry(
  db: Db,
  sellerId: string,
  before: Date,
  retry: BillingRetry,
): Promise<boolean> {
  const begun = await profiles(db).updateOne(
    { _id: sellerId, ...endedPeriod(before) },
    { $set: { billing_retry: retry } },
  );
  return begun.modifiedCount === 1;
}

/** Records a seller's customer at Stripe, unless the seller has one. */
export async function setStripeCustomer(db: Db, sellerId: string, customer: string): Promise<void> {
  await profiles(db).updateOne(
    { _id: sellerId, stripe_customer_id: null },
    { $set: { stripe_customer_id: customer } },
  );
}

/**
 * Records that a seller is about to buy a pack: from now on readings look for its payment.
 * @returns how many images of packs the seller has bought before
 */
export async function expectPacks(db: Db, sellerId: string): Promise<number> {
  await profiles(db).updateOne(
    { _id: sellerId, pack_images: { $exists: false } },
    { $set: { pack_images: { bought: 0, left: 0, arriving: 0 } }, $inc: { revision: 1 } },
  );
  const profile = await profiles(db).findById(sellerId, { pack_images: 1 }).lean();
  return profile?.pack_images?.bought ?? 0;
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

/** @returns profiles with an email that has been pending since before a moment */
export function findPendingEmails(db: Db, before: Date, limit: number): Promise<ProfileRow[]> {
  return profiles(db)
    .find({ 'pending_emails.at': { $lt: before } })
    .limit(limit)
    .lean();
}

/** Removes a pending email from a profile, once it is in the outbox. */
export async function removePendingEmail(db: Db, sellerId: string, id: string): Promise<void> {
  await profiles(db).updateOne({ _id: sellerId }, { $pull: { pending_emails: { id } } });
}

/* When the images of sellers end whose plan ended. Billing writes the date, and removes it when a plan begins. */

const over = () => ({ images_end_at: { $lt: new Date() } });

/** @returns sellers whose images end now, the ones due for longest first */
export async function findSellersWhoseImagesEnd(db: Db, limit: number): Promise<string[]> {
  const rows = await profiles(db)
    .find(over())
    .sort({ images_end_at: 1 })
    .limit(limit)
    .select({ _id: 1 })
    .lean();
  return rows.map(({ _id }) => _id);
}

/** @returns whether the images of a seller end now: no plan began since */
export async function doImagesEnd(db: Db, sellerId: string): Promise<boolean> {
  return (await profiles(db).exists({ _id: sellerId, ...over() })) !== null;
}

/** Records that all images of a seller were deleted. */
export async function recordImagesEnded(db: Db, sellerId: string): Promise<void> {
  await profiles(db).updateOne({ _id: sellerId, ...over() }, { $set: { images_end_at: null } });
}
