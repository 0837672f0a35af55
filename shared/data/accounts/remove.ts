import type { QueryFilter } from 'mongoose';
import type { Db } from '#shared/data/db.ts';
import { modelsOf } from '#shared/data/models.ts';
import type { UserRow } from '#shared/data/users.ts';

/** Incomplete accounts that are removed in one round. */
const batchSize = 500;

/**
 * Removes the unverified account of an address that has another owner. An account that is replaced or verified at the
 * same moment stays.
 */
export async function removeUnverifiedAccount(db: Db, email: string): Promise<void> {
  const user = await modelsOf(db)
    .users.findOne({ email, sign_up: { $ne: null } })
    .lean();
  if (user) await removeUnverifiedAccounts(db, [user._id], { email, sign_up: user.sign_up });
}

/**
 * Removes accounts whose creation or removal was interrupted by a crash: none of them has a user.
 * @param before only accounts whose creation or removal began before this time, so none that is under way
 * @returns how many were removed
 */
export async function removeIncompleteAccounts(db: Db, before: Date): Promise<number> {
  const incomplete = await modelsOf(db)
    // An account that is being deleted has no user either; finishDeletion removes it.
    .profiles.find({ half_made_at: { $lt: before }, deletion_asked_at: null })
    .select({ _id: 1 })
    .limit(batchSize)
    .lean();
  return removeThoseWithoutUser(
    db,
    incomplete.map(({ _id }) => _id),
  );
}

/**
 * Removes unverified accounts with everything that is stored for them. The removal of each user is a compare-and-set: one
 * who has been verified or replaced meanwhile stays.
 * @param condition what must still be true of a user when it is removed
 * @returns how many were removed
 */
export async function removeUnverifiedAccounts(
  db: Db,
  ids: string[],
  condition: QueryFilter<UserRow>,
): Promise<number> {
  // After a crash, upkeep finds the rest by this mark.
  await modelsOf(db).profiles.updateMany({ _id: { $in: ids } }, { $set: { half_made_at: new Date() } });
  await modelsOf(db).users.deleteMany({ ...condition, _id: { $in: ids } });
  return removeThoseWithoutUser(db, ids);
}

/** Removes what is left of the accounts that have no user, and unmarks the others. @returns how many were removed */
async function removeThoseWithoutUser(db: Db, ids: string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const users = await modelsOf(db)
    .users.find({ _id: { $in: ids } })
    .select({ _id: 1 })
    .lean();
  const complete = new Set(users.map(({ _id }) => _id));
  if (complete.size > 0) {
    await modelsOf(db).profiles.updateMany({ _id: { $in: [...complete] } }, { $unset: { half_made_at: '' } });
  }
  const withoutUser = ids.filter((id) => !complete.has(id));
  if (withoutUser.length > 0) await removeWithoutUser(db, withoutUser);
  return withoutUser.length;
}

/** Removes the rows of accounts that have no user. The profile goes last: after a crash the rest is found by it. */
export async function removeWithoutUser(db: Db, ids: string[]): Promise<void> {
  const { accountTokens, activities, userSettings, profiles } = modelsOf(db);
  await accountTokens.deleteMany({ user_id: { $in: ids } });
  await activities.deleteMany({ user_id: { $in: ids } });
  await userSettings.deleteMany({ _id: { $in: ids } });
  await profiles.deleteMany({ _id: { $in: ids }, deletion_asked_at: null });
}
