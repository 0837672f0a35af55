import { limits } from '#contract';
import type { Db } from '#shared/data/db.ts';
import { noTwoFactor } from './two-factor.ts';
import { type UserRow, users } from './users.ts';

/*
 * The removal of two-factor sign-in for a seller who cannot give a code any more (docs/decisions/0087-factors.md). An operator
 * asks for it; it waits; a code, or the link in the mail about it, stops it; then upkeep removes two-factor sign-in.
 */

/** @returns the user with the removal; null if two-factor sign-in is off, or a removal waits already */
export function askTwoFactorRemoval(db: Db, sellerId: string): Promise<UserRow | null> {
  const now = new Date();
  const due = new Date(now.getTime() + limits.factorRemovalHours * 3_600_000);
  return users(db)
    .findOneAndUpdate(
      { _id: sellerId, two_factor: { $ne: null }, two_factor_removal: null },
      { $set: { two_factor_removal: { asked_at: now, due_at: due, begun_at: null } } },
      { returnDocument: 'after' },
    )
    .lean();
}

/** Stops a removal that waits. @returns whether there was one */
export async function stopTwoFactorRemoval(db: Db, sellerId: string): Promise<boolean> {
  const { modifiedCount } = await users(db).updateOne(
    { _id: sellerId, two_factor_removal: { $ne: null }, 'two_factor_removal.begun_at': null },
    { $set: { two_factor_removal: null } },
  );
  return modifiedCount === 1;
}

/** @returns ids of sellers whose removal is due, or was begun and not ended */
export async function findDueRemovals(db: Db, limit: number): Promise<string[]> {
  const rows = await users(db)
    .find({ 'two_factor_removal.due_at': { $gt: new Date(0), $lte: new Date() } })
    .select({ _id: 1 })
    .limit(limit)
    .lean();
  return rows.map(({ _id }) => _id);
}

/**
 * Begins a removal that is due, and removes the secret. Idempotent until `endTwoFactorRemoval`.
 * @returns the user after the write; null if the removal was stopped or has ended
 */
export function beginTwoFactorRemoval(db: Db, sellerId: string): Promise<UserRow | null> {
  const now = new Date();
  return users(db)
    .findOneAndUpdate(
      { _id: sellerId, 'two_factor_removal.due_at': { $gt: new Date(0), $lte: now } },
      [
        {
          $set: {
            ...noTwoFactor,
            two_factor_removal: {
              $mergeObjects: [
                '$two_factor_removal',
                { begun_at: { $ifNull: ['$two_factor_removal.begun_at', now] } },
              ],
            },
          },
        },
      ],
      { updatePipeline: true, returnDocument: 'after' },
    )
    .lean();
}

/** Ends a removal, after everything that follows from it was done. */
export async function endTwoFactorRemoval(db: Db, sellerId: string): Promise<void> {
  await users(db).updateOne({ _id: sellerId }, { $set: { two_factor_removal: null } });
}
