import type { QueryFilter } from 'mongoose';
import type { Db } from '#shared/data/db.ts';
import { type GenerationRow, generations } from './schema.ts';

/* What upkeep reads of queued and running generations. At most `limit` rows, in the order of the queue. */

/** Generations whose attempt has held no lease since a moment, although it did not hand them back. */
export function findAbandoned(db: Db, leaseEndedBefore: Date, limit: number): Promise<GenerationRow[]> {
  return find(
    db,
    {
      state: 'running',
      lease_until: { $lt: leaseEndedBefore },
      'progress.stage': { $ne: 'waiting' },
    },
    limit,
  );
}

/** Generations that no attempt holds now: queued ones, and running ones without a lease. */
export function findUnclaimed(db: Db, limit: number): Promise<GenerationRow[]> {
  return findBoth(db, { state: 'queued' }, { state: 'running', lease_until: { $lt: new Date() } }, limit);
}

/** Generations that have been queued, or without a lease, since before a moment: their job may be lost. */
export function findUnclaimedSince(db: Db, moment: Date, limit: number): Promise<GenerationRow[]> {
  const before = { $lt: moment };
  return findBoth(
    db,
    { state: 'queued', queued_at: before },
    { state: 'running', lease_until: before },
    limit,
  );
}

/** Two searches, because each reads an index in its order; one for both would sort all that wait in memory. */
async function findBoth(
  db: Db,
  queued: QueryFilter<GenerationRow>,
  running: QueryFilter<GenerationRow>,
  limit: number,
): Promise<GenerationRow[]> {
  const rows = await Promise.all([find(db, queued, limit), find(db, running, limit)]);
  return rows
    .flat()
    .toSorted((a, b) => a.priority - b.priority || a.created_at.getTime() - b.created_at.getTime())
    .slice(0, limit);
}

function find(db: Db, filter: QueryFilter<GenerationRow>, limit: number): Promise<GenerationRow[]> {
  return generations(db).find(filter).sort({ priority: 1, created_at: 1 }).limit(limit).lean();
}
