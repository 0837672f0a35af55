import type { Db } from '#shared/data/db.ts';
import { type GenerationRow, generations } from './schema.ts';

/**
 * Records in a generation which one makes it again. The first one stays.
 * @returns the row after it; null when it was recorded before
 */
export async function setRemadeBy(db: Db, id: string, remakeId: string): Promise<GenerationRow | null> {
  return generations(db)
    .findOneAndUpdate(
      { _id: id, remade_by: { $exists: false } },
      { $set: { remade_by: remakeId }, $inc: { revision: 1 } },
      { returnDocument: 'after' },
    )
    .lean();
}
