import type { Db } from './db.ts';
import { modelsOf } from './models.ts';
import type { ProfileRow } from './profiles/schema.ts';

/** Gives an account the role of operator, if two-factor sign-in is on. Idempotent. @returns false if it is off */
export async function grantOperator(db: Db, sellerId: string): Promise<boolean> {
  const { profiles } = modelsOf(db);
  const now = new Date();
  const { matchedCount } = await profiles.updateOne(
    { _id: sellerId, two_factor_enabled: true, deletion_asked_at: null },
    [{ $set: { operator_since: { $ifNull: ['$operator_since', now] }, updated_at: now } }],
    { updatePipeline: true },
  );
  return matchedCount === 1;
}

/** Takes the role of operator from an account. Idempotent. @returns false if it did not have it */
export async function revokeOperator(db: Db, sellerId: string): Promise<boolean> {
  const { modifiedCount } = await modelsOf(db).profiles.updateOne(
    { _id: sellerId, operator_since: { $exists: true } },
    { $unset: { operator_since: '' }, $set: { updated_at: new Date() } },
  );
  return modifiedCount === 1;
}

/** @returns the accounts with the role of operator, by address */
export function listOperators(
  db: Db,
): Promise<Pick<ProfileRow, '_id' | 'email' | 'operator_since' | 'two_factor_enabled'>[]> {
  return (
    modelsOf(db)
      // A range, because `$exists` does not limit what is read of an index.
      .profiles.find({ operator_since: { $gt: new Date(0) } })
      .select({ email: 1, operator_since: 1, two_factor_enabled: 1 })
      .sort({ email: 1 })
      .lean()
  );
}
