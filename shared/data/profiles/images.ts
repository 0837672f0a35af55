import type { CreditEntryKind } from '#contract';
import type { Db } from '#shared/data/db.ts';
import { type PendingLedgerEntry, type ProfileRow, profiles } from './schema.ts';

/**
 * The profile's lists of pending ledger entries, and the kind of ledger entry that each becomes. A forfeit is posted
 * before the grant that replaces it.
 */
const pendingEntryLists = {
  forfeits: 'forfeit',
  grants: 'grant',
  packs: 'pack',
  refunds: 'refund',
  reinstates: 'reinstate',
  support_added: 'support-added',
  support_removed: 'support-removed',
} as const satisfies Record<string, CreditEntryKind>;

export type PendingEntryList = keyof typeof pendingEntryLists;

/** An entry with its list and the kind of ledger entry that it becomes. */
export interface ListedEntry extends PendingLedgerEntry {
  list: PendingEntryList;
  kind: CreditEntryKind;
}

/** All entries of a profile, posted or not, in the order in which they are posted. */
export function pendingEntriesOf(profile: Pick<ProfileRow, PendingEntryList>): ListedEntry[] {
  return Object.entries(pendingEntryLists).flatMap(([name, kind]) => {
    const list = name as PendingEntryList;
    return (profile[list] ?? []).map((entry) => ({ ...entry, list, kind }));
  });
}

/** Records that an entry of a profile is in the ledger. */
export async function markEntryPosted(
  db: Db,
  sellerId: string,
  list: PendingEntryList,
  key: string,
): Promise<void> {
  await profiles(db).updateOne(
    { _id: sellerId, [`${list}.key`]: key },
    { $set: { [`${list}.$.posted`]: true } },
  );
}

/** @returns ids of at most `limit` sellers with entries that are not in the ledger */
export async function findSellersWithPendingEntries(db: Db, limit: number): Promise<string[]> {
  const pending = Object.keys(pendingEntryLists).map((list) => ({ [`${list}.posted`]: false }));
  const rows = await profiles(db).find({ $or: pending }).select({ _id: 1 }).limit(limit).lean();
  return rows.map(({ _id }) => _id);
}

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
