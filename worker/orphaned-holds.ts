import { hasEnded } from '#contract';
import { mayEnqueue, returnBatchHold } from '#shared/credits/batch-holds.ts';
import { releaseHold } from '#shared/credits/end-hold.ts';
import { findAnyBatch } from '#shared/data/batches/batches.ts';
import type { Db } from '#shared/data/db.ts';
import { findInAnyState } from '#shared/data/generations/find.ts';
import { profilesWithHoldsBefore } from '#shared/data/profiles/holds.ts';
import type { Hold } from '#shared/data/profiles/schema.ts';
import { settleGeneration } from '#shared/generations/settle.ts';
import { announce } from '#shared/views/announce.ts';
import type { WorkerContext } from './context.ts';

/**
 * Ends holds whose generation has ended or is gone, and those of batches that do not run.
 * @param cutoff only holds that were placed before then
 * @returns how many
 */
export async function endOrphanedHolds(context: WorkerContext, cutoff: Date): Promise<number> {
  const { db } = context;
  let ended = 0;
  // Not in batches: most of these holds are in order, so an orphaned one could stay behind a full batch for ever.
  for await (const profile of profilesWithHoldsBefore(db, cutoff)) {
    for (const hold of profile.holds.filter(({ at }) => at < cutoff)) {
      if (hold.waiting && (await isNeeded(db, hold))) continue;
      const row = await findInAnyState(db, hold.generation);
      if (row && !hasEnded(row.state)) continue;
      if (row) await settleGeneration(context, row);
      else {
        const generation = { _id: hold.generation, profile: profile._id };
        const end = hold.batch !== undefined && !hold.waiting ? returnBatchHold : releaseHold;
        await announce(context, profile._id, { profile: await end(db, generation) });
      }
      ended += 1;
    }
  }
  return ended;
}

/** Whether a hold for the images of a batch that wait is still needed: its batch runs, or is paused. */
async function isNeeded(db: Db, { batch: id }: Hold): Promise<boolean> {
  const batch = id === undefined ? null : await findAnyBatch(db, id);
  return batch !== null && mayEnqueue(batch);
}
