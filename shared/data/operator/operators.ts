import { type UserRow, users } from '#shared/data/accounts/users.ts';
import { type ProfileRow, profiles } from '#shared/data/profiles/schema.ts';
import { type Db, newId } from '../db.ts';

/*
 * The role of operator is bound to the second factors as they were when the role was granted (docs/decisions/0087-factors.md):
 * whoever removes one, and adds one of their own, does not get the role.
 */

/** Whether an account still has the second factors with which its role was granted. */
export function hasGrantedFactor(
  user: Pick<UserRow, 'two_factor_id'>,
  profile: Pick<ProfileRow, 'operator_factor'>,
): boolean {
  return Boolean(user.two_factor_id) && user.two_factor_id === profile.operator_factor;
}

/**
 * Gives an account the role of operator, if two-factor sign-in is on, and binds it to that. Idempotent; ends a suspension.
 * @returns false if two-factor sign-in is off
 */
export async function grantOperator(db: Db, sellerId: string): Promise<boolean> {
  const now = new Date();
  // Turned on by a server of the release before, which gave it no id.
  await users(db).updateOne(
    { _id: sellerId, two_factor: { $ne: null }, two_factor_id: null },
    { $set: { two_factor_id: newId() } },
  );
  const factor = (await users(db).findById(sellerId).select({ two_factor_id: 1 }).lean())?.two_factor_id;
  if (!factor) return false;
  const { matchedCount } = await profiles(db).updateOne(
    { _id: sellerId, two_factor_enabled: true, deletion_asked_at: null },
    [
      {
        $set: {
          operator_since: { $ifNull: ['$operator_since', now] },
          operator_factor: factor,
          updated_at: now,
        },
      },
    ],
    { updatePipeline: true },
  );
  return matchedCount === 1;
}

/** Takes the role of operator from an account. Idempotent. @returns false if it did not have it */
export async function revokeOperator(db: Db, sellerId: string): Promise<boolean> {
  const { modifiedCount } = await profiles(db).updateOne(
    { _id: sellerId, operator_since: { $exists: true } },
    { $unset: { operator_since: '', operator_factor: '' }, $set: { updated_at: new Date() } },
  );
  return modifiedCount === 1;
}

/** An account with the role of operator. */
export interface OperatorAccount {
  email: string;
  since: Date;
  /** `off`: without two-factor sign-in; `suspended`: with another one than when the role was granted. */
  state: 'in force' | 'off' | 'suspended';
}

/** @returns the accounts with the role of operator, by address */
export async function listOperators(db: Db): Promise<OperatorAccount[]> {
  const rows = await profiles(db)
    // A range, because `$exists` does not limit what is read of an index.
    .find({ operator_since: { $gt: new Date(0) } })
    .select({ email: 1, operator_since: 1, operator_factor: 1, two_factor_enabled: 1 })
    .sort({ email: 1 })
    .lean();
  const found = await users(db)
    .find({ _id: { $in: rows.map(({ _id }) => _id) } })
    .select({ two_factor_id: 1 })
    .lean();
  const userOf = new Map(found.map((user) => [user._id, user]));
  return rows.map((profile) => {
    const user = userOf.get(profile._id);
    const state = !profile.two_factor_enabled
      ? 'off'
      : user && hasGrantedFactor(user, profile)
        ? 'in force'
        : 'suspended';
    return { email: profile.email, since: profile.operator_since!, state };
  });
}
