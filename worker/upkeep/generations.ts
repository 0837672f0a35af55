import { hasEnded } from '#contract';
import { mayEnqueue, returnBatchHold } from '#shared/credits/batch-holds.ts';
import { releaseHold } from '#shared/credits/end-hold.ts';
import { findAnyBatch } from '#shared/data/batches/batches.ts';
import type { Db } from '#shared/data/db.ts';
import { findFileRemovals } from '#shared/data/file-removals.ts';
import { findUnsettled } from '#shared/data/generations/end.ts';
import { findInAnyState } from '#shared/data/generations/find.ts';
import { beginPurge, findToPurge, recordPurged } from '#shared/data/generations/library.ts';
import { findReceivingSince, findTakes, removeReceiving } from '#shared/data/generations/receive.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { profilesWithHoldsBefore } from '#shared/data/profiles/holds.ts';
import type { Hold } from '#shared/data/profiles/schema.ts';
import { removeDeliveriesAbout } from '#shared/data/webhooks/deliveries.ts';
import { forgetEventsAbout } from '#shared/data/webhooks/events.ts';
import { forgetInNotification } from '#shared/generations/notifications.ts';
import { removeUnusedPhotoSet } from '#shared/generations/photo-sets.ts';
import { removeFiles } from '#shared/generations/remove-files.ts';
import { settleGeneration } from '#shared/generations/settle.ts';
import { finishAcceptedSet, withdraw } from '#shared/generations/submit.ts';
import { inTraceOf } from '#shared/platform/trace.ts';
import { announce } from '#shared/views/announce.ts';
import type { WorkerContext } from '../context.ts';
import { forEachIsolated } from './run-steps.ts';

/* Upkeep's steps for generations: their requests, ends, holds and deletion (see upkeep.ts). */

/** Settles generations whose process died after it ended them. */
export async function settleEnded(context: WorkerContext, cutoff: Date, limit: number): Promise<number> {
  const rows = await findUnsettled(context.db, cutoff, limit);
  for (const row of rows) await inTraceOf(row, () => settleGeneration(context, row));
  return rows.length;
}

/** Enqueues the other takes of sets whose request died after it was accepted. */
export async function completeSets(context: WorkerContext, cutoff: Date, limit: number): Promise<number> {
  let enqueued = 0;
  for (const row of await findReceivingSince(context.db, cutoff, limit)) {
    const first = await firstOf(context, row);
    if (first && first.state !== 'receiving') enqueued += (await finishAcceptedSet(context, first)).enqueued;
  }
  return enqueued;
}

/** The first generation of a take's set. */
async function firstOf({ db }: WorkerContext, row: GenerationRow): Promise<GenerationRow | null> {
  const { id, index } = row.set;
  return index === 0 ? row : findInAnyState(db, id);
}

/** Removes what is left of requests that died before they were accepted; they were never answered. */
export async function dropRequests(context: WorkerContext, cutoff: Date, limit: number): Promise<number> {
  const { db, log } = context;
  return forEachIsolated(
    // The first takes come first: only when its first one is gone, a set can no longer be accepted.
    await findReceivingSince(db, cutoff, limit),
    1,
    async (row) => {
      if (row.set.index > 0 && (await firstOf(context, row))) return false;
      // The request may still be storing photos: it removes them itself once it finds that its row is gone.
      return withdraw(context, [row], () => removeReceiving(db, row._id));
    },
    (error, { _id }) => log.warn({ err: error, generation: _id }, 'a dropped request was not withdrawn'),
  );
}

/** Removes the files of rows that were removed, whose process died or found the storage away. @returns for how many removals */
export async function removeLeftFiles(context: WorkerContext, cutoff: Date, limit: number): Promise<number> {
  return forEachIsolated(
    await findFileRemovals(context.db, cutoff, limit),
    1,
    async (removal) => {
      await removeFiles(context, removal);
      return true;
    },
    (error, { _id }) =>
      context.log.error({ err: error, removal: _id }, 'files of removed rows were not removed'),
  );
}

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

/**
 * Removes the texts and files of generations that were deleted for ever, or whose time in the trash is over. The rows stay as
 * tombstones (docs/decisions/0045-deleted-generations-leave-a-tombstone.md). After a crash the next round continues.
 * @param ages only those that were moved to the trash before the first, or deleted for ever, and ended before the second: the
 *   attempt of one that was just cancelled may still write a file
 * @param limit how many are looked at
 * @returns how many were purged
 */
export async function purgeDeleted(
  context: WorkerContext,
  { deletedBefore, endedBefore }: { deletedBefore: Date; endedBefore: Date },
  limit: number,
): Promise<number> {
  const { db, storage, log } = context;
  return forEachIsolated(
    await findToPurge(db, deletedBefore, limit),
    1,
    async (row) => {
      if (!row.ended_at || row.ended_at >= endedBefore || (await hasWaitingTakes(context, row))) return false;
      // The texts go first: from then on nothing refers to the photos through this row.
      if (!(await beginPurge(db, row, deletedBefore))) return false;
      await forgetInNotification(db, row);
      await removeDeliveriesAbout(db, row.profile, row._id);
      await forgetEventsAbout(db, row.profile, row._id);
      await storage.removeGeneration(row._id);
      await removeUnusedPhotoSet(context, row.photo_set);
      await recordPurged(db, row._id);
      return true;
    },
    (error, { _id }) => log.error({ err: error, generation: _id }, 'a deleted generation was not purged'),
  );
}

/** Whether takes of its set are still to be enqueued, after a crash: they get their photos from this row. */
async function hasWaitingTakes({ db }: WorkerContext, row: GenerationRow): Promise<boolean> {
  const { id, index, size } = row.set;
  if (index > 0 || size === 1) return false;
  return (await findTakes(db, [id])).some(({ state }) => state === 'receiving');
}
