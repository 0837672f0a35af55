import { Schema } from 'mongoose';
import { collection } from '../collection.ts';
import { type Db, isDuplicateKey } from '../db.ts';
import { date, type Row, rowOptions, text } from '../row.ts';

const refusal = {
  /** The generation that was refused: each is counted once. */
  _id: text,
  /** The seller's id. */
  profile: text,
  at: date,
  /** What was refused; null if the provider did not say. */
  stage: { type: String, enum: ['input', 'output'] as const, default: null },
  /** In the provider's words; may be empty. */
  categories: { type: [text], required: true },
  expires_at: date,
};

/**
 * A generation that the provider's moderation refused (docs/generations.md, "Refusals"). It stays when its seller deletes the
 * generation, has no text of theirs, and ends with the account or after 90 days.
 */
export interface RefusalRow extends Omit<Row<typeof refusal>, 'categories'> {
  categories: string[];
}

const refusalSchema = new Schema<RefusalRow>(refusal, rowOptions);
refusalSchema.index({ profile: 1, at: -1 });
// The sellers with many of them.
refusalSchema.index({ at: 1, profile: 1 });
refusalSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

export const refusals = collection<RefusalRow>('refusals', refusalSchema, 'apart');

const keptMs = 90 * 86_400_000;

/** Records a refusal, once. @returns whether it is new */
export async function insertRefusal(db: Db, row: Omit<RefusalRow, 'expires_at'>): Promise<boolean> {
  try {
    await refusals(db).create({ ...row, expires_at: new Date(row.at.getTime() + keptMs) });
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** @returns a seller's refusals since a moment, newest first */
export function listRefusals(db: Db, sellerId: string, since: Date, limit: number): Promise<RefusalRow[]> {
  return refusals(db)
    .find({ profile: sellerId, at: { $gte: since } })
    .sort({ at: -1 })
    .limit(limit)
    .lean<RefusalRow[]>();
}

/** @returns how many refusals a seller has since a moment */
export function countRefusals(db: Db, sellerId: string, since: Date): Promise<number> {
  return refusals(db).countDocuments({ profile: sellerId, at: { $gte: since } });
}

/** A seller, and how often moderation refused the seller's images. */
export interface RefusedSeller {
  /** The seller's id. */
  _id: string;
  count: number;
  /** When the last time was. */
  last: Date;
}

/** @returns sellers with refusals since a moment, those with most first */
export function listRefusedSellers(db: Db, since: Date, limit: number): Promise<RefusedSeller[]> {
  return refusals(db).aggregate<RefusedSeller>([
    { $match: { at: { $gte: since } } },
    { $group: { _id: '$profile', count: { $sum: 1 }, last: { $max: '$at' } } },
    { $sort: { count: -1, _id: 1 } },
    { $limit: limit },
  ]);
}
