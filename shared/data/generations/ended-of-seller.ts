import { endedStates } from '#contract';
import type { Db } from '#shared/data/db.ts';
import { generations } from './schema.ts';

/** @returns ids of a seller's generations that have ended and are not deleted, at most `limit`, in no particular order */
export async function findEndedOf(db: Db, sellerId: string, limit: number): Promise<string[]> {
  const rows = await generations(db)
    .find({ profile: sellerId, state: { $in: [...endedStates] }, deletion: null })
    .limit(limit)
    .select({ _id: 1 })
    .lean();
  return rows.map(({ _id }) => _id);
}
