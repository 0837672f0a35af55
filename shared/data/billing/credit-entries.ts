import { type QueryFilter, Schema } from 'mongoose';
import { creditEntryKinds } from '#contract';
import { paidPeriodSchema } from '#shared/data/profiles/schema.ts';
import { collection, insertRow } from '../collection.ts';
import { type Db, isDuplicateKey, newId } from '../db.ts';
import { date, number, type Row, rowOptions, text } from '../row.ts';

const creditEntry = {
  _id: text,
  profile: text,
  kind: { type: String, enum: creditEntryKinds, required: true },
  /** The generation's id, or `invoice:<id>`. */
  key: text,
  /** Images. */
  count: number,
  /** The paid period of a grant, or the period that followed what was forfeited. */
  period: { type: paidPeriodSchema, default: null },
  at: date,
};

/** One line of the ledger that sellers read as "Usage". */
export interface CreditEntryRow extends Row<typeof creditEntry> {}

const creditEntrySchema = new Schema<CreditEntryRow>(creditEntry, rowOptions);
creditEntrySchema.index({ key: 1, kind: 1 }, { unique: true });
creditEntrySchema.index({ profile: 1, at: -1, _id: -1 });

export const creditEntries = collection<CreditEntryRow>('credit_entries', creditEntrySchema, 'apart');

/**
 * Posts an entry to the ledger. Idempotent: there is one entry for each kind and key.
 * @returns false when it was there
 */
export async function postLedgerEntry(db: Db, entry: Omit<CreditEntryRow, '_id'>): Promise<boolean> {
  try {
    await insertRow(creditEntries(db), { _id: newId(), ...entry });
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return false;
  }
}

/**
 * A page of a seller's ledger, newest first.
 * @param before the last row of the previous page
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
  return creditEntries(db)
    .find({ profile: sellerId, ...older })
    .sort({ at: -1, _id: -1 })
    .limit(limit)
    .lean();
}

/** A seller's ledger, oldest entry first. */
export function creditEntriesOf(db: Db, sellerId: string): AsyncIterable<CreditEntryRow> {
  return creditEntries(db).find({ profile: sellerId }).sort({ at: 1 }).lean().cursor();
}

/** The ledgers of several sellers, in no particular order. */
export function creditEntriesOfAll(db: Db, sellerIds: readonly string[]): AsyncIterable<CreditEntryRow> {
  return creditEntries(db)
    .find({ profile: { $in: [...sellerIds] } })
    .lean()
    .cursor();
}

/** Every ledger entry, in no particular order. */
export function allCreditEntries(db: Db): AsyncIterable<CreditEntryRow> {
  return creditEntries(db).find().lean().cursor();
}

/** @returns the ledger entries with one of the keys, such as generations' ids */
export function findCreditEntries(db: Db, keys: readonly string[]): Promise<CreditEntryRow[]> {
  return creditEntries(db)
    .find({ key: { $in: [...keys] } })
    .lean();
}
