import type { Db } from '#shared/data/db.ts';
import { type BatchRow, batches } from './schema.ts';

/*
 * How many files an ended batch has is counted once and kept in its row (docs/decisions/0132-what-lists-cost.md). Each change of its
 * images that makes another number of them removes the kept ones before it ({@link changeFiles}). Nothing is kept while such a change
 * may be under way, also one whose process died, and nothing for longer than an hour.
 */

/** How many finished images of a batch are not in the trash, and how many of them the seller approved. */
export interface BatchFiles {
  available: number;
  approved: number;
}

/** For how long after the beginning of a change nothing is kept, in ms: longer than a statement takes, and than clocks differ. */
const settleMs = 300_000;

/** How long a count is used, in ms: bounds how long a wrong one is shown, such as after a change by a server of the release before. */
const keptMs = 3_600_000;

/** The kept count of a batch; null when it is to be counted. */
export function keptFiles({ files }: BatchRow): BatchFiles | null {
  if (!files || Date.now() - files.at.getTime() >= keptMs) return null;
  return { available: files.available, approved: files.approved };
}

/** Keeps what was counted for a batch after it was read, unless it runs or its images have changed since. @param batch as it was read */
export async function keepFiles(db: Db, batch: BatchRow, { available, approved }: BatchFiles): Promise<void> {
  const { _id, round, state, files_changed_at: changedAt } = batch;
  if (state !== 'ended' || (changedAt && Date.now() - changedAt.getTime() < settleMs)) return;
  await batches(db).updateOne(
    { _id, round, state, files_changed_at: changedAt ?? null },
    { $set: { files: { available, approved, at: new Date() } } },
  );
}

/**
 * Runs a change of which images of a batch are finished and not in the trash, approved or replaced.
 * @param batchId undefined for images of no batch: then nothing else is done
 */
export async function changeFiles<Result>(
  db: Db,
  batchId: string | undefined,
  change: () => Promise<Result>,
): Promise<Result> {
  if (batchId === undefined) return change();
  const began = performance.now();
  await forgetFiles(db, batchId);
  const result = await change();
  // So long that they may have been counted again before it.
  if (performance.now() - began > settleMs / 2) await forgetFiles(db, batchId);
  return result;
}

async function forgetFiles(db: Db, batchId: string): Promise<void> {
  await batches(db).updateOne(
    { _id: batchId },
    { $set: { files_changed_at: new Date() }, $unset: { files: 1 } },
  );
}

/** @returns the batches of sellers for which a count is kept and no change may be under way */
export async function listKeptFiles(db: Db, sellerIds: readonly string[]): Promise<BatchRow[]> {
  const rows = await batches(db)
    .find({ profile: { $in: [...sellerIds] }, 'files.at': { $gt: new Date(Date.now() - keptMs) } })
    .lean();
  return rows.filter((row) => keptFiles(row) !== null);
}
