import type { QueryFilter } from 'mongoose';
import type { Db } from '#shared/data/db.ts';
import { modelsOf } from '#shared/data/models.ts';
import { type GenerationRow, type ShownGeneration, shownFields } from './schema.ts';

/** The generations that sellers see: all but those whose request is still under way. */
export const visible = { state: { $ne: 'receiving' } } as const satisfies QueryFilter<GenerationRow>;

/** @returns a generation of any seller; null when there is none, or it is still in `receiving` */
export async function findVisible(db: Db, id: string): Promise<GenerationRow | null> {
  return modelsOf(db)
    .generations.findOne({ _id: id, ...visible })
    .lean();
}

/** @returns a generation of any seller in any state, or null */
export async function findInAnyState(db: Db, id: string): Promise<GenerationRow | null> {
  return modelsOf(db).generations.findById(id).lean();
}

/** @returns a seller's own generation; null when there is none, which includes those of other sellers */
export async function findGeneration(db: Db, sellerId: string, id: string): Promise<GenerationRow | null> {
  return modelsOf(db)
    .generations.findOne({ _id: id, profile: sellerId, ...visible })
    .lean();
}

/**
 * A page of a seller's generations, newest first.
 * @param before the last row of the previous page
 */
export async function listGenerations(
  db: Db,
  sellerId: string,
  limit: number,
  before?: { created_at: Date; _id: string },
): Promise<ShownGeneration[]> {
  const older: QueryFilter<GenerationRow> = before
    ? {
        created_at: { $lte: before.created_at },
        $or: [{ created_at: { $lt: before.created_at } }, { _id: { $lt: before._id } }],
      }
    : {};
  return modelsOf(db)
    .generations.find({ profile: sellerId, ...visible, ...older })
    .select(shownFields)
    .sort({ created_at: -1, _id: -1 })
    .limit(limit)
    .lean();
}
