import type { Db } from '#shared/data/db.ts';
import type { GenerationRow } from './schema.ts';
import { generations } from './schema.ts';

/* What the limit of images in flight of one seller reads. */

/** @returns how many generations of a seller an attempt holds now @param except ids that do not count */
export function countInFlight(db: Db, sellerId: string, except: readonly string[]): Promise<number> {
  return generations(db).countDocuments({
    profile: sellerId,
    state: 'running',
    lease_until: { $gt: new Date() },
    // One that was handed back keeps its lease until its next attempt.
    'progress.stage': { $ne: 'waiting' },
    _id: { $nin: [...except] },
  });
}

/**
 * @param except ids that are left out
 * @returns at most `limit` generations of a seller that wait and were never claimed, the next one first
 */
export function findNextOfSeller(
  db: Db,
  sellerId: string,
  limit: number,
  except: readonly string[],
): Promise<GenerationRow[]> {
  return generations(db)
    .find({ profile: sellerId, state: 'queued', fence: 0, _id: { $nin: [...except] } })
    .sort({ priority: 1, created_at: 1 })
    .limit(limit)
    .lean();
}
