import type { Job } from 'bullmq';
import { claimGeneration, endRunning } from '#shared/data/generations/attempts.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { findAbandoned, findUnclaimed, findUnclaimedSince } from '#shared/data/generations/waiting.ts';
import { findProviderPause } from '#shared/data/queue/provider-pauses.ts';
import { settleGeneration } from '#shared/generations/settle.ts';
import { addJob, changeJobPriority, jobId } from '#shared/platform/queue.ts';
import { inTraceOf } from '#shared/platform/trace.ts';
import { hasWaitedTooLong } from '#worker/flow/obstacle.ts';
import { providerObstacle } from '#worker/flow/provider-pause.ts';
import { failed } from '#worker/generate/attempt.ts';
import { findStoredImage } from '#worker/generate/store-image.ts';
import { leaseMs, type WorkerContext } from '../context.ts';

/* Upkeep's steps for generations that have not ended (see upkeep.ts). */

/** Added to the longest time that all calls of a generation can take, before it is overdue, in ms. */
const overdueMarginMs = 600_000;

/**
 * Ends generations whose worker died, that have no job, and whose lease ended longer ago than all their calls could
 * take. Generations that were handed back are not overdue, however long they wait.
 * @param limit how many are checked
 * @returns how many were ended
 */
export async function endOverdue(context: WorkerContext, limit: number): Promise<number> {
  if (await context.storageWatch.check()) return 0;
  const { timeoutMs, attempts } = context.config.image;
  const overdueMs = (timeoutMs + leaseMs(context.config)) * (attempts + 1) + overdueMarginMs;
  const rows = await findAbandoned(context.db, new Date(Date.now() - overdueMs), limit);
  let ended = 0;
  for (const row of rows) {
    if (await hasLiveJob(context, row)) continue;
    if (await endUnclaimed(context, row._id, 'TIMED_OUT', 'its worker was gone past its deadline'))
      ended += 1;
  }
  return ended;
}

/**
 * Ends generations that have waited too long for a provider that accepts no calls. The queue is held meanwhile, so no
 * job would end them.
 * @param limit how many are checked
 * @returns how many were ended
 */
export async function endLongWaits(context: WorkerContext, limit: number): Promise<number> {
  const pause = await findProviderPause(context.db);
  const now = new Date();
  if (!pause?.since || pause.until <= now) return 0;
  const obstacle = providerObstacle(context, pause);
  if (now.getTime() - pause.since.getTime() < obstacle.longestMs) return 0;
  const rows = await findUnclaimed(context.db, limit);
  let ended = 0;
  for (const row of rows) {
    if (!hasWaitedTooLong(row, obstacle)) continue;
    if (await endUnclaimed(context, row._id, obstacle.code, obstacle.reason)) ended += 1;
  }
  return ended;
}

/** Ends a generation that no attempt holds: `succeeded` if an earlier attempt stored its image, else `failed`. */
async function endUnclaimed(
  context: WorkerContext,
  id: string,
  code: NonNullable<GenerationRow['failure']>['code'],
  detail: string,
): Promise<boolean> {
  const claim = await claimGeneration(context.db, id, leaseMs(context.config));
  if (claim.outcome !== 'claimed') return false;
  const { fence } = claim.row;
  const image = fence > 1 ? await findStoredImage(context.storage, claim.row) : undefined;
  const outcome = image ? ({ state: 'succeeded', image, provider: null } as const) : failed(code, detail);
  const row = await endRunning(context.db, { generationId: id, fence }, outcome);
  if (!row) return false;
  await inTraceOf(row, () => settleGeneration(context, row));
  context.comparisons?.add(row);
  return true;
}

/**
 * Adds the jobs of generations that have none: the queue was away or lost them, or a worker died with its job.
 * @param cutoff only generations that have been queued, or without a lease, since before then
 * @returns how many were added
 */
export async function addMissingJobs(context: WorkerContext, cutoff: Date, limit: number): Promise<number> {
  const rows = await findUnclaimedSince(context.db, cutoff, limit);
  let added = 0;
  for (const row of rows) {
    if (await hasLiveJob(context, row)) {
      // A process died after it had moved the generation in its line.
      if (row.fence === 0) await changeJobPriority(context.queue, row);
      continue;
    }
    await addJob(context.queue, row);
    added += 1;
  }
  return added;
}

/** Whether a job of the generation will still run. Removes an ended job whose id the next one needs. */
async function hasLiveJob(context: WorkerContext, row: GenerationRow): Promise<boolean> {
  // A job keeps its id while its generation is handed back, which increments the fence: the live one may be of any fence.
  for (let fence = 0; fence <= row.fence; fence += 1) {
    const job = await context.queue.getJob(jobId({ _id: row._id, fence }));
    if (!job) continue;
    if (await isLive(job)) return true;
    if (fence === row.fence && !(await removeEnded(job))) return true;
  }
  return false;
}

async function isLive(job: Job): Promise<boolean> {
  const state = await job.getState();
  return state !== 'completed' && state !== 'failed' && state !== 'unknown';
}

/** @returns false if another worker has replaced the job in the meantime, and the new one is live */
async function removeEnded(job: Job): Promise<boolean> {
  try {
    await job.remove();
    return true;
  } catch (error) {
    if (await isLive(job)) return false;
    throw error;
  }
}
