import { accountTokens } from '#shared/data/account-tokens.ts';
import { activities } from '#shared/data/activities.ts';
import type { Db } from '#shared/data/db.ts';
import { profiles } from '#shared/data/profiles/schema.ts';
import { userSettings } from '#shared/data/user-settings.ts';
import { users } from '#shared/data/users.ts';

/*
 * An account is incomplete while it has no user: before its creation ends, and after its removal begins. Its profile
 * carries `incomplete_since` during that time, so upkeep can remove what a crash left. Accounts that are being deleted have no
 * user either, but `deletion_asked_at`; finishDeletion removes them.
 */

/** Incomplete accounts that are removed in one round. */
const batchSize = 500;

/**
 * Removes accounts whose creation or removal was interrupted by a crash.
 * @param before only accounts whose creation or removal began before this time, so none that is under way
 * @returns the number of accounts removed
 */
export async function removeIncompleteAccounts(db: Db, before: Date): Promise<number> {
  const incomplete = await profiles(db)
    .find({ incomplete_since: { $lt: before }, deletion_asked_at: null })
    .select({ _id: 1 })
    .limit(batchSize)
    .lean();
  const sellerIds = incomplete.map(({ _id }) => _id);
  return removeThoseWithoutUser(db, sellerIds);
}

/** Marks accounts as incomplete before their users are removed. */
export async function markIncomplete(db: Db, sellerIds: string[]): Promise<void> {
  await profiles(db).updateMany({ _id: { $in: sellerIds } }, { $set: { incomplete_since: new Date() } });
}

/**
 * Removes those of the accounts that have no user, and unmarks the others.
 * @returns the number of accounts removed
 */
export async function removeThoseWithoutUser(db: Db, sellerIds: string[]): Promise<number> {
  if (sellerIds.length === 0) return 0;
  const existing = await users(db)
    .find({ _id: { $in: sellerIds } })
    .select({ _id: 1 })
    .lean();
  const complete = new Set(existing.map(({ _id }) => _id));
  if (complete.size > 0) {
    await profiles(db).updateMany({ _id: { $in: [...complete] } }, { $unset: { incomplete_since: '' } });
  }
  const incomplete = sellerIds.filter((sellerId) => !complete.has(sellerId));
  if (incomplete.length > 0) await removeIncompleteRows(db, incomplete);
  return incomplete.length;
}

/** Removes all rows of incomplete accounts. The profile goes last: after a crash, upkeep finds the rest by it. */
export async function removeIncompleteRows(db: Db, sellerIds: string[]): Promise<void> {
  await accountTokens(db).deleteMany({ user_id: { $in: sellerIds } });
  await activities(db).deleteMany({ user_id: { $in: sellerIds } });
  await userSettings(db).deleteMany({ _id: { $in: sellerIds } });
  await profiles(db).deleteMany({ _id: { $in: sellerIds }, deletion_asked_at: null });
}
