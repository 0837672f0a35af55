import { claimGeneration, decideGeneration } from '#shared/data/generations/attempts.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { findAbandoned, findUnclaimed, findUnclaimedSince } from '#shared/data/generations/unfinished.ts';
import { findProviderPause } from '#shared/data/provider-pauses.ts';
import { settleGeneration } from '#shared/generations/settle.ts';
import { addJob, jobId } from '#shared/platform/queue.ts';
import { failed } from './attempt.ts';
import { leaseMs, type WorkerContext } from './context.ts';
import { findStoredImage } from './output.ts';
import { hasWaitedTooLong } from './postpone.ts';
import { providerObstacle } from './provider-pause.ts';

/* The reconciler's steps for generations that have not ended (see upkeep.ts). */

/**
 * Ends generations whose worker is gone for longer than all tries can take, and that no job will take up: decided by
 * what is on the disk. Those that were handed back only wait, however long.
 * @param most how many of them are looked at
 * @returns how many were ended
 */
export async function endOverdue(context: WorkerContext, most: number): Promise<number> {
  if (await context.storageWatch.look()) return 0;
  const { timeoutMs, attempts } = context.config.image;
  const overdue = Date.now() - (timeoutMs + leaseMs(context.config)) * (attempts + 1) - 600_000;
  const rows = await findAbandoned(context.db, new Date(overdue), most);
  let ended = 0;
  for (const row of rows) {
    if (await hasLiveJob(context, row)) continue;
    if (await endByDisk(context, row._id, 'TIMED_OUT', 'its worker was gone past its deadline')) ended += 1;
  }
  return ended;
}

/**
 * Ends what has waited too long for a provider that took no call at all meanwhile: the queue is held, so these are not
 * taken up one by one.
 * @returns how many were ended
 */
export async function endLongWaits(context: WorkerContext, most: number): Promise<number> {
  const pause = await findProviderPause(context.db);
  const now = new Date();
  if (!pause?.since || pause.until <= now) return 0;
  const obstacle = providerObstacle(context, pause);
  if (now.getTime() - pause.since.getTime() < obstacle.longestMs) return 0;
  const rows = await findUnclaimed(context.db, most);
  let ended = 0;
  for (const row of rows) {
    if (!hasWaitedTooLong(row, obstacle)) continue;
    if (await endByDisk(context, row._id, obstacle.code, obstacle.reason)) ended += 1;
  }
  return ended;
}

/** Ends a generation that no attempt has: with the image that an earlier one stored, else as failed. */
async function endByDisk(
  context: WorkerContext,
  id: string,
  code: NonNullable<GenerationRow['failure']>['code'],
  detail: string,
): Promise<boolean> {
  const claim = await claimGeneration(context.db, id, leaseMs(context.config));
  if (claim.outcome !== 'claimed') return false;
  const { fence } = claim.row;
  const image = fence > 1 ? await findStoredImage(context.storage, id, fence) : undefined;
  const decision = image ? ({ state: 'succeeded', image, provider: null } as const) : failed(code, detail);
  const row = await decideGeneration(context.db, { generationId: id, fence }, decision);
  if (!row) return false;
  await settleGeneration(context, row);
  return true;
}

/**
 * Adds jobs for generations that were admitted and that none will take up: the queue was away, lost it, or its worker
 * died with it.
 * @param cutoff those that were queued or worked on since then are left alone
 * @returns how many were added
 */
export async function addMissingJobs(context: WorkerContext, cutoff: Date, most: number): Promise<number> {
  const rows = await findUnclaimedSince(context.db, cutoff, most);
  let added = 0;
  for (const row of rows) {
    if (await hasLiveJob(context, row)) continue;
    await addJob(context.queue, row);
    added += 1;
  }
  return added;
}

/** Whether some job will still take the generation up; one that ended under the id we need makes way. */
async function hasLiveJob(context: WorkerContext, row: GenerationRow): Promise<boolean> {
  // The first job lives on while its generation is handed back, each time with a later fence.
  for (let fence = 0; fence <= row.fence; fence += 1) {
    const job = await context.queue.getJob(jobId({ _id: row._id, fence }));
    if (!job) continue;
    const state = await job.getState();
    if (state !== 'completed' && state !== 'failed' && state !== 'unknown') return true;
    if (fence === row.fence) await job.remove();
  }
  return false;
}
