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
