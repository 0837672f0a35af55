import type { QueryFilter } from 'mongoose';
import type { Db } from '#shared/data/db.ts';
import { type GenerationRow, generations } from './schema.ts';
import { searchFieldsOf } from './search-fields.ts';

/* Statements on generations that wait: queued, and never claimed. Each is a compare-and-set, so a claim comes before or after. */

const waiting = { state: 'queued', fence: 0 } as const;

/** @returns a seller's generations that wait and were submitted by themselves, the next one first */
export function listWaiting(db: Db, sellerId: string): Promise<GenerationRow[]> {
  return generations(db)
    .find({ profile: sellerId, ...waiting, batch: null, deletion: null })
    .sort({ priority: 1, created_at: 1, _id: 1 })
    .lean();
}

/**
 * Gives a generation that waits another priority.
 * @param row as it was read
 * @returns it after the change; null when it was claimed, has ended or was moved meanwhile
 */
export function changePriority(
  db: Db,
  { _id, priority: before }: Pick<GenerationRow, '_id' | 'priority'>,
  priority: number,
): Promise<GenerationRow | null> {
  return generations(db)
    .findOneAndUpdate(
      { _id, ...waiting, priority: before },
      { $set: { priority }, $inc: { revision: 1 } },
      { returnDocument: 'after' },
    )
    .lean();
}

/**
 * Changes what a generation that waits asks for.
 * @param row as it was read
 * @returns it after the change; null when it was claimed, has ended or was changed meanwhile
 */
export function changeRequest(
  db: Db,
  { _id, revision, product_name, sku }: GenerationRow,
  { prompt, options }: Required<Pick<GenerationRow, 'prompt' | 'options'>>,
): Promise<GenerationRow | null> {
  const texts = { prompt, product_name, ...(sku !== undefined && { sku }) };
  const fields = searchFieldsOf(texts);
  return generations(db)
    .findOneAndUpdate(
      { _id, ...waiting, revision },
      {
        $set: { prompt, options, ...fields },
        ...(fields.template === undefined && { $unset: { template: 1 } }),
        $inc: { revision: 1 },
      },
      { returnDocument: 'after' },
    )
    .lean();
}

/** @returns the generation with the smallest priority of a range that waits; null when none does */
export function findNextWaiting(
  db: Db,
  { first, last }: { first: number; last: number },
): Promise<GenerationRow | null> {
  return generations(db)
    .findOne({ ...waiting, priority: { $gte: first, $lte: last } })
    .sort({ priority: 1, created_at: 1 })
    .lean();
}

/**
 * Lowers the priorities of a range of generations that wait.
 * @param least no priority gets smaller than this
 * @returns how many were changed
 */
export async function lowerPriorities(
  db: Db,
  { first, last }: { first: number; last: number },
  by: number,
  least: number,
): Promise<number> {
  const { modifiedCount } = await generations(db).updateMany(
    { ...waiting, priority: { $gte: first, $lte: last } },
    [{ $set: { priority: { $max: [least, { $subtract: ['$priority', by] }] } } }],
    { updatePipeline: true },
  );
  return modifiedCount;
}

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
