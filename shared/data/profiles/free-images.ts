import type { Db } from '#shared/data/db.ts';
import { type PendingLedgerEntry, type ProfileRow, profiles } from './schema.ts';

/** Sellers for whom it is still to be decided whether they get free images. */
const due = (sellerId: string) => ({ _id: sellerId, 'free_images.due': true, deletion_asked_at: null });

/**
 * Adds the free images of a new account, once.
 * @param grant the pending ledger entry, with their number
 * @returns the profile after it; null when it was decided before, or the account is gone or being deleted
 */
export function addFreeImages(
  db: Db,
  sellerId: string,
  grant: PendingLedgerEntry,
): Promise<ProfileRow | null> {
  const { count } = grant;
  return profiles(db)
    .findOneAndUpdate(
      due(sellerId),
      {
        $set: { 'free_images.due': false },
        $inc: { granted: count, 'free_images.granted': count, 'free_images.left': count, revision: 1 },
        $push: { grants: grant },
      },
      { returnDocument: 'after' },
    )
    .lean();
}

/**
 * Records that a seller gets no free images.
 * @returns the profile after it; null as for {@link addFreeImages}
 */
export function declineFreeImages(db: Db, sellerId: string): Promise<ProfileRow | null> {
  return profiles(db)
    .findOneAndUpdate(
      due(sellerId),
      { $set: { 'free_images.due': false }, $inc: { revision: 1 } },
      { returnDocument: 'after' },
    )
    .lean();
}
