import { postLedgerEntry } from '#shared/data/billing/credit-entries.ts';
import type { Db } from '#shared/data/db.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { markEntryPosted, pendingEntriesOf } from '#shared/data/profiles/images.ts';

/**
 * Posts a seller's pending ledger entries. Idempotent: the ledger's unique key keeps an entry from being posted twice.
 * @param before only entries recorded until then; the process that recorded younger ones is still posting them
 * @returns how many entries were pending
 */
export async function postPendingEntries(db: Db, sellerId: string, before = new Date()): Promise<number> {
  const profile = await findProfile(db, sellerId);
  if (!profile) return 0;
  let postedCount = 0;
  for (const { list, kind, key, count, period, at, posted } of pendingEntriesOf(profile)) {
    if (posted || at > before) continue;
    await postLedgerEntry(db, { profile: sellerId, kind, key, count, period, at });
    await markEntryPosted(db, sellerId, list, key);
    postedCount += 1;
  }
  return postedCount;
}

/** The key of the ledger entry for a seller's free images: they are granted once. */
export const freeImagesKey = (sellerId: string) => `free:${sellerId}`;
