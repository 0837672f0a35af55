import type { Model } from 'mongoose';
import { removeUnpaidCallsOf } from '#shared/data/billing/unpaid-calls.ts';
import { modelsOf } from '#shared/data/collections.ts';
import { detachCosts } from '#shared/data/costs/provider-costs.ts';
import type { Db } from '#shared/data/db.ts';
import { forgetAddress } from '#shared/data/operator/operator-actions.ts';
import type { BillingOrder } from '#shared/data/profiles/billing-orders.ts';
import { type ProfileRow, profiles } from '#shared/data/profiles/schema.ts';
import { removeRow } from '#shared/data/remove-row.ts';
import { testSellerOf } from '#shared/data/test-seller.ts';
import { removeDeliveriesOfSeller } from '#shared/data/webhooks/deliveries.ts';
import { removeWebhooksOf } from '#shared/data/webhooks/endpoints.ts';
import { removeEventsOf } from '#shared/data/webhooks/events.ts';
import { removeTokens } from './account-tokens.ts';
import { removeApiKeysOf } from './api-keys.ts';
import { detachFreeImageClaims } from './free-image-claims.ts';
import { placesEmptiedByField, placesRemovedByField } from './seller-places.ts';
import { forgetDevices } from './sign-in.ts';
import { removeUser } from './users.ts';

/**
 * Marks an account as being deleted and removes its user: nobody can sign in any more, and its address is free.
 * @param options byOperator: whether an operator does it for the person; then the mail says so
 */
export async function beginDeletion(db: Db, sellerId: string, { byOperator = false } = {}): Promise<void> {
  await profiles(db).updateOne(
    { _id: sellerId, deletion_asked_at: null },
    {
      $set: {
        deletion_asked_at: new Date(),
        updated_at: new Date(),
        ...(byOperator && { deletion_by_operator: true }),
      },
      $unset: { deletion_planned: '' },
    },
  );
  await removeUser(db, sellerId);
}

/**
 * Plans the deletion of an account.
 * @param order that its plan is not renewed meanwhile; null if it has none
 * @returns false if one is planned already, or it is being deleted
 */
export async function planDeletion(
  db: Db,
  sellerId: string,
  dueAt: Date,
  order: BillingOrder | null,
): Promise<boolean> {
  const planned = { asked_at: new Date(), due_at: dueAt, order: order?.id ?? null };
  const { modifiedCount } = await profiles(db).updateOne(
    { _id: sellerId, deletion_asked_at: null, deletion_planned: { $exists: false } },
    { $set: { deletion_planned: planned, ...(order && { billing_order: order }) } },
  );
  return modifiedCount === 1;
}

/** @param order that its plan renews again; null if that stays @returns false if no deletion is planned any more */
export async function stopPlannedDeletion(
  db: Db,
  sellerId: string,
  order: BillingOrder | null,
): Promise<boolean> {
  const { modifiedCount } = await profiles(db).updateOne(
    { _id: sellerId, deletion_asked_at: null, deletion_planned: { $exists: true } },
    { $unset: { deletion_planned: '' }, ...(order && { $set: { billing_order: order } }) },
  );
  return modifiedCount === 1;
}

/** @returns at most `limit` accounts whose planned deletion is due */
export async function findDueDeletions(
  db: Db,
  limit: number,
): Promise<Pick<ProfileRow, '_id' | 'deletion_planned'>[]> {
  return profiles(db)
    .find({ 'deletion_planned.due_at': { $gt: new Date(0), $lte: new Date() } })
    .select({ _id: 1, deletion_planned: 1 })
    .limit(limit)
    .lean();
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

/** Removes everything that gives access to an account: its user, tokens of links in mails, API keys, webhooks, and known devices. */
export async function removeCredentials(db: Db, sellerId: string): Promise<void> {
  await removeUser(db, sellerId);
  await removeTokens(db, sellerId);
  await removeApiKeysOf(db, sellerId);
  for (const owner of [sellerId, testSellerOf(sellerId)]) await removeWebhooksOf(db, owner);
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
export async function removeAccountData(
  db: Db,
  { _id: sellerId, email }: Pick<ProfileRow, '_id' | 'email'>,
): Promise<void> {
  const models = modelsOf(db);
  for (const { name, field } of placesRemovedByField()) {
    await (models[name] as unknown as Model<object>).deleteMany({ [field]: sellerId });
  }
  await removeDeliveriesOfSeller(db, testSellerOf(sellerId));
  await removeEventsOf(db, testSellerOf(sellerId));
  await removeUnpaidCallsOf(db, sellerId);
  await detachFreeImageClaims(db, sellerId);
  await forgetAddress(db, sellerId, email);
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
