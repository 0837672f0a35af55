import type { Db } from '#shared/data/db.ts';
import { generations } from './schema.ts';

/** @returns ids of at most `limit` generations that ended before a moment and may still have previews in the storage folder */
export async function findWithPreviewsLeft(db: Db, endedBefore: Date, limit: number): Promise<string[]> {
  const rows = await generations(db)
    .find({ previews_left: true, ended_at: { $lt: endedBefore } })
    .select({ _id: 1 })
    .limit(limit)
    .lean();
  return rows.map(({ _id }) => _id);
}

/** Records that no previews of a generation are left in the storage folder. */
export async function recordPreviewsRemoved(db: Db, id: string): Promise<void> {
  await generations(db).updateOne({ _id: id }, { $unset: { previews_left: 1 } });
}
