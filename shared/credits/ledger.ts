import type { CreditEntryKind } from '#contract';
import type { CreditEntryRow } from '#shared/data/credit-entries.ts';
import { type Db, isDuplicateKey, newId } from '#shared/data/db.ts';
import type { PendingLedgerEntry, ProfileRow } from '#shared/data/profiles/schema.ts';

/*
 * The ledger that people read. It follows what the profile and the generations say; a line is written once, whoever
 * tries, so every step may be replayed.
 */

/** Writes a line, unless its kind and key have one. */
export async function postLedgerEntry(db: Db, entry: Omit<CreditEntryRow, '_id'>): Promise<void> {
  try {
    // Past mongoose: the hot path of each generation.
    await db.creditEntries.collection.insertOne({ _id: newId() as never, ...entry });
  } catch (error) {
    // Unique on key and kind: somebody else has written this very line.
    if (!isDuplicateKey(error)) throw error;
  }
}

/** Lists of bookings in the profile, and the ledger's kind of each; what is forfeited stands before what comes in its place. */
export const pendingEntryLists = {
  forfeits: 'forfeit',
  grants: 'grant',
  refunds: 'refund',
  reinstates: 'reinstate',
} as const satisfies Record<string, CreditEntryKind>;

/** All bookings of a profile. */
export function pendingEntriesOf(
  profile: Pick<ProfileRow, keyof typeof pendingEntryLists>,
): PendingLedgerEntry[] {
  return Object.keys(pendingEntryLists).flatMap((list) => profile[list as keyof typeof pendingEntryLists]);
}

/** Writes the ledger's lines of a seller's bookings that have none yet. @returns how many */
export async function postPendingEntries(db: Db, sellerId: string, before = new Date()): Promise<number> {
  const profile = await db.profiles.findById(sellerId).lean();
  if (!profile) return 0;
  let entered = 0;
  for (const [list, kind] of Object.entries(pendingEntryLists)) {
    for (const booking of profile[list as keyof typeof pendingEntryLists]) {
      if (booking.entered || booking.at > before) continue;
      const { key, count, period, at } = booking;
      await postLedgerEntry(db, { profile: sellerId, kind, key, count, period, at });
      await db.profiles.updateOne(
        { _id: sellerId, [`${list}.key`]: key },
        { $set: { [`${list}.$.entered`]: true } },
      );
      entered += 1;
    }
  }
  return entered;
}
