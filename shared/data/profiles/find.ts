import { findRow } from '#shared/data/collection.ts';
import type { Db } from '#shared/data/db.ts';
import { type ProfileRow, profiles } from './schema.ts';

/** @returns a seller's profile, also while the account is being deleted; null when there is none */
export function findProfile(db: Db, sellerId: string): Promise<ProfileRow | null> {
  return findRow(profiles(db), { _id: sellerId });
}

/** @returns a seller's profile; null when there is none, or its account is being deleted */
export function findActiveProfile(db: Db, sellerId: string): Promise<ProfileRow | null> {
  return findRow(profiles(db), { _id: sellerId, deletion_asked_at: null });
}

/** @returns the profiles of sellers by their ids, without those that are being deleted */
export async function findActiveProfiles(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ProfileRow>> {
  const rows = await profiles(db)
    .find({ _id: { $in: [...ids] }, deletion_asked_at: null })
    .lean<ProfileRow[]>();
  return new Map(rows.map((row) => [row._id, row]));
}

/** @returns those of the ids that are profiles */
export async function existingProfiles(db: Db, ids: readonly string[]): Promise<Set<string>> {
  return new Set(await profiles(db).distinct('_id', { _id: { $in: [...ids] } }));
}

/** @returns the addresses of sellers by their ids; those whose account is gone are not among them */
export async function findAddresses(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await profiles(db)
    .find({ _id: { $in: [...new Set(ids)] } })
    .select({ email: 1 })
    .lean<Pick<ProfileRow, '_id' | 'email'>[]>();
  return new Map(rows.map(({ _id, email }) => [_id, email]));
}

/** Every profile, in no particular order. */
export function allProfiles(db: Db): AsyncIterable<ProfileRow> {
  return profiles(db).find().lean().cursor();
}

/** Profiles that have, or had, a customer at Stripe. */
export function allProfilesAtStripe(db: Db): AsyncIterable<ProfileRow> {
  return profiles(db)
    .find({
      $or: [{ stripe_customer_id: { $ne: null } }, { 'former_customers.0': { $exists: true } }],
    })
    .lean()
    .cursor();
}

/** @returns how many profiles there are */
export function countProfiles(db: Db): Promise<number> {
  return profiles(db).countDocuments();
}

/** Changes a seller's name, unless the account is being deleted. */
export async function changeName(db: Db, sellerId: string, fullName: string): Promise<void> {
  await profiles(db).updateOne(
    { _id: sellerId, deletion_asked_at: null },
    { $set: { full_name: fullName, updated_at: new Date() } },
  );
}

/**
 * Records in the profile whether the account is locked: no unknown device may sign in, from any network. Failed sign-ins
 * are counted elsewhere, by address.
 */
export async function setLocked(db: Db, sellerId: string, locked: boolean): Promise<void> {
  await profiles(db).updateOne(
    { _id: sellerId, account_locked: !locked },
    { $set: { account_locked: locked, updated_at: new Date() } },
  );
}
