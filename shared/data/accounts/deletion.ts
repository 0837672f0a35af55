import type { Model } from 'mongoose';
import { removeUnpaidCallsOf } from '#shared/data/billing/unpaid-calls.ts';
import { modelsOf } from '#shared/data/collections.ts';
import { detachCosts } from '#shared/data/costs/provider-costs.ts';
import type { Db } from '#shared/data/db.ts';
import { profiles } from '#shared/data/profiles/schema.ts';
import { removeRow } from '#shared/data/remove-row.ts';
import { removeTokens } from './account-tokens.ts';
import { detachFreeImageClaims } from './free-image-claims.ts';
import { placesEmptiedByField, placesRemovedByField } from './seller-places.ts';
import { forgetDevices } from './sign-in.ts';
import { removeUser } from './users.ts';

/** Marks an account as being deleted and removes its user: nobody can sign in any more, and its address is free. */
export async function beginDeletion(db: Db, sellerId: string): Promise<void> {
  await profiles(db).updateOne(
    { _id: sellerId, deletion_asked_at: null },
    { $set: { deletion_asked_at: new Date(), updated_at: new Date() } },
  );
  await removeUser(db, sellerId);
}

/** @returns ids of at most `limit` sellers whose accounts were marked for deletion at this time or before */
export async function findAccountsToDelete(db: Db, markedUntil: Date, limit: number): Promise<string[]> {
  const rows = await profiles(db)
    .find({ deletion_asked_at: { $lte: markedUntil } })
    .select({ _id: 1 })
    .limit(limit)
    .lean();
  return rows.map(({ _id }) => _id);
}

/** Removes everything that gives access to an account: its user, tokens of links in mails, and known devices. */
export async function removeCredentials(db: Db, sellerId: string): Promise<void> {
  await removeUser(db, sellerId);
  await removeTokens(db, sellerId);
  await forgetDevices(db, sellerId);
}

/** Detaches a profile from its customers at Stripe, so that events about them are ignored. */
export async function detachFromStripe(db: Db, sellerId: string): Promise<void> {
  await profiles(db).updateOne(
    { _id: sellerId, stripe_customer_id: { $ne: null } },
    { $set: { stripe_customer_id: null, former_customers: [] }, $inc: { revision: 1 } },
  );
}

/** Removes what the list of places (seller-places.ts) calls `data` of an account, and its id from what outlives it. */
export async function removeAccountData(db: Db, sellerId: string): Promise<void> {
  const models = modelsOf(db);
  for (const { name, field } of placesRemovedByField()) {
    await (models[name] as unknown as Model<object>).deleteMany({ [field]: sellerId });
  }
  await removeUnpaidCallsOf(db, sellerId);
  await detachFreeImageClaims(db, sellerId);
  await detachCosts(db, sellerId);
}

/**
 * Checks what the deletion of an account has removed, before its profile goes, by which the rest would be found.
 * @throws Error that names the collections with something left: a removal that had no effect, or something written meanwhile
 */
export async function assertNothingLeft(db: Db, sellerId: string): Promise<void> {
  const models = modelsOf(db);
  const left: string[] = [];
  for (const { name, field } of placesEmptiedByField()) {
    if (await (models[name] as unknown as Model<object>).exists({ [field]: sellerId })) left.push(name);
  }
  if (left.length > 0) throw new Error(`the deletion of ${sellerId} left documents in ${left.join(', ')}`);
}

/** Removes the profile of an account whose other documents are removed. */
export async function removeProfile(db: Db, sellerId: string): Promise<void> {
  await removeRow(profiles(db), { _id: sellerId });
}
