import type { QueryFilter } from 'mongoose';
import type { Db } from '#shared/data/db.ts';
import { type GenerationRow, generations } from './schema.ts';

/** Times at which the generations that have waited longest were accepted; null where none waits. */
export interface WaitingSince {
  single: Date | null;
  batch: Date | null;
}

/**
 * Finds how long generations wait: those that are queued, and those that were handed back and wait for another attempt.
 * @param batchPriority the smallest priority of images of batches, which go after all others
 */
export async function findWaitingSince(db: Db, batchPriority: number): Promise<WaitingSince> {
  const [single, batch] = await Promise.all([
    oldest(db, { priority: { $lt: batchPriority } }),
    oldest(db, { priority: { $gte: batchPriority } }),
  ]);
  return { single, batch };
}

async function oldest(db: Db, kind: QueryFilter<GenerationRow>): Promise<Date | null> {
  const times = await Promise.all([
    // The index of the queue's order answers it alone.
    oldestOf(db, { ...kind, state: 'queued' }),
    oldestOf(db, { ...kind, state: 'running', 'progress.stage': 'waiting' }),
  ]);
  return (
    times.filter((time) => time !== null).sort((one, other) => one.getTime() - other.getTime())[0] ?? null
  );
}

async function oldestOf(db: Db, filter: QueryFilter<GenerationRow>): Promise<Date | null> {
  const [found] = await generations(db).aggregate<{ since: Date }>([
    { $match: filter },
    { $group: { _id: null, since: { $min: '$created_at' } } },
  ]);
  return found?.since ?? null;
}
