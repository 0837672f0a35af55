import type { QueryFilter } from 'mongoose';
import type { Db } from './connect.ts';
import type { CreditEntryRow } from './credit-entry.ts';

/**
 * A page of a seller's ledger, newest first.
 * @param before the last row of the page before
 */
export async function listCreditEntries(
  db: Db,
  sellerId: string,
  limit: number,
  before?: { created_at: Date; _id: string },
): Promise<CreditEntryRow[]> {
  const older: QueryFilter<CreditEntryRow> = before
    ? {
        at: { $lte: before.created_at },
        $or: [{ at: { $lt: before.created_at } }, { _id: { $lt: before._id } }],
      }
    : {};
  return db.creditEntries
    .find({ profile: sellerId, ...older })
    .sort({ at: -1, _id: -1 })
    .limit(limit)
    .lean();
}
