import type { Db } from '#shared/data/db.ts';
import { type PendingLedgerEntry, type ProfileRow, profiles } from './schema.ts';

/** A key is used once, for giving or for taking. */
const unused = (key: string) => ({ 'support_added.key': { $ne: key }, 'support_removed.key': { $ne: key } });

/**
 * Adds images that an operator gives to a seller's free images. Idempotent: a key is used once.
 * @returns the profile after it; null when the key was used, or the account is gone or being deleted
 */
export function addSupportImages(
  db: Db,
  sellerId: string,
  entry: PendingLedgerEntry,
): Promise<ProfileRow | null> {
  const { key, count } = entry;
  return profiles(db)
    .findOneAndUpdate(
      { _id: sellerId, deletion_asked_at: null, ...unused(key) },
      {
        $inc: { granted: count, 'free_images.left': count, 'support.added': count, revision: 1 },
        $push: { support_added: entry },
      },
      { returnDocument: 'after' },
    )
    .lean();
}

/**
 * Takes images from a seller, as a compare-and-set on the profile as it was read.
 * @param from how many come from the free images, and how many from the plan's
 * @returns the profile after it; null when it has changed since, or the key was used
 */
export function removeSupportImages(
  db: Db,
  { _id, revision }: Pick<ProfileRow, '_id' | 'revision'>,
  from: { free: number; plan: number },
  entry: PendingLedgerEntry,
): Promise<ProfileRow | null> {
  return profiles(db)
    .findOneAndUpdate(
      { _id, revision, deletion_asked_at: null, ...unused(entry.key) },
      {
        $inc: {
          'free_images.left': -from.free,
          generations_left: -from.plan,
          'support.removed': entry.count,
          revision: 1,
        },
        $push: { support_removed: entry },
      },
      { returnDocument: 'after' },
    )
    .lean();
}
