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
    return profile[list].map((entry) => ({ ...entry, list, kind }));
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
