import {
  countWithoutHold,
  nextBatchHold,
  returnBatchHold,
  takeBatchHold,
  waitingOnHold,
} from '#shared/credits/batch-holds.ts';
import { findAnyBatch } from '#shared/data/batches/batches.ts';
import {
  findStoredPhotos,
  findWaitingItems,
  type QueuedTake,
  removeFromItem,
} from '#shared/data/batches/items.ts';
import type { BatchItemRow, BatchRow } from '#shared/data/batches/schema.ts';
import { type Db, isDuplicateKey } from '#shared/data/db.ts';
import { countUnendedIn } from '#shared/data/generations/batches.ts';
import { findGenerationsById, findInAnyState } from '#shared/data/generations/find.ts';
import { findByIdempotencyKey, insertGeneration, removeReceiving } from '#shared/data/generations/receive.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { findProject, touchProject } from '#shared/data/projects.ts';
import { findLane } from '#shared/data/queue-lanes.ts';
import { findSettings } from '#shared/data/user-settings.ts';
import { announce } from '#shared/generations/announce.ts';
import { enqueueTake, laneOfRow } from '#shared/generations/sets.ts';
import { addJob } from '#shared/platform/queue.ts';
import { traceToStore } from '#shared/platform/trace.ts';
import { cancelRest } from './cancel-rest.ts';
import type { BatchContext } from './context.ts';
import { finishBatch } from './finish-batch.ts';
import { newTake } from './new-take.ts';
import { pauseForPlan } from './pause-for-plan.ts';
import { pauseForUnpaidCalls } from './unpaid-calls.ts';

/**
 * Continues a batch: enqueues its next images while fewer than `BATCH_WINDOW` are under way, and ends it when nothing is
 * left. Called when it was started or resumed, when one of its images has ended, and by upkeep. Idempotent, also when
 * several processes run it at once: an image has one idempotency key.
 * @returns how many images it enqueued
 */
export async function feedBatch(context: BatchContext, batchId: string): Promise<number> {
  const { db, config } = context;
  const batch = await findAnyBatch(db, batchId);
  if (batch?.state !== 'running') return 0;
  if (batch.cancelled_at) await cancelRest(context, batch);
  const underWay = await countUnendedIn(db, batchId);
  const items = await findWaitingItems(db, batchId, config.batchWindow);
  if (items.length === 0) {
    if (underWay === 0) await finishBatch(context, batch);
    return 0;
  }
  const profile = await findProfile(db, batch.profile);
  if (!profile || (await pauseWithoutHolds(db, profile, batchId))) return 0;
  if (await pauseForUnpaidCalls(context, batch, profile)) return 0;
  const room = config.batchWindow - underWay;
  let fed = 0;
  for (const item of items) {
    for (const queued of item.queue) {
      if (fed >= room) return fed;
      if (!(await feedTake(context, batch, item, queued))) return fed;
      fed += 1;
    }
  }
  return fed;
}

/** Continues a batch without making the caller wait; what fails is repeated by upkeep. */
export function continueBatch(context: BatchContext, batchId: string): void {
  feedBatch(context, batchId).catch((error) =>
    context.log.error({ err: error, batch: batchId }, 'a batch was not continued; the reconciler will'),
  );
}

/** Enqueues one image. @returns false when the batch cannot be continued now */
async function feedTake(
  context: BatchContext,
  batch: BatchRow,
  item: BatchItemRow,
  queued: QueuedTake,
): Promise<boolean> {
  const { db } = context;
  const row = await receiveTake(context, batch, item, queued);
  if (!row) return false;
  if (row.state === 'receiving') {
    const profile = await holdFor(context, batch, row);
    if (!profile) return false;
    const enqueued =
      profile === 'late' ? await isEnqueued(db, row) : await enqueue(context, row, item, profile);
    if (!enqueued) return false;
  }
  await removeFromItem(db, item._id, queued);
  const now = await findAnyBatch(db, batch._id);
  if (now?.cancelled_at) await cancelRest(context, now);
  return now?.state === 'running' && !now.cancelled_at;
}

/** The row of an image: a new one in `receiving`, or the one that was inserted before. Null when the seller is gone. */
async function receiveTake(
  { db, config }: BatchContext,
  batch: BatchRow,
  item: BatchItemRow,
  queued: QueuedTake,
): Promise<GenerationRow | null> {
  const { profile: sellerId, project } = batch;
  const [settings, isProject] = await Promise.all([
    findSettings(db, sellerId),
    // Deleted meanwhile: then its images go into the default project.
    project === undefined ? false : findProject(db, sellerId, project),
  ]);
  if (!settings) return null;
  const take = newTake({
    batch,
    item,
    queued,
    project: isProject ? project : undefined,
    settings,
    model: config.image,
  });
  for (;;) {
    const existing = await findByIdempotencyKey(db, sellerId, take.idempotency_key);
    if (existing) return existing;
    try {
      return await insertGeneration(db, { ...take, trace: batch.trace ?? traceToStore() });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
}

/**
 * Takes the hold of an image from those of its batch.
 * @returns null when none of them may begin now: then the batch is paused, and says why
 */
async function holdFor(
  { db }: BatchContext,
  batch: BatchRow,
  row: GenerationRow,
): Promise<ProfileRow | 'late' | null> {
  for (;;) {
    const taken = await takeBatchHold(db, row, batch._id);
    if (taken !== 'none') return taken;
    const profile = await findProfile(db, batch.profile);
    // Upkeep has just returned one.
    if (profile && !profile.deletion_asked_at && nextBatchHold(profile, batch._id)) continue;
    await removeReceiving(db, row._id);
    if (profile) await pauseWithoutHolds(db, profile, batch._id);
    return null;
  }
}

/**
 * Pauses a batch whose images wait, and of which none may begin: their plan or period has ended, or the plan allows none now.
 * @returns whether it did
 */
async function pauseWithoutHolds(db: Db, profile: ProfileRow, batchId: string): Promise<boolean> {
  if (nextBatchHold(profile, batchId) || (await hasOrphanedHold(db, profile, batchId))) return false;
  const waits = waitingOnHold(profile, batchId) + (await countWithoutHold(db, profile, batchId));
  if (waits === 0) return false;
  await pauseForPlan(db, profile, batchId);
  return true;
}

/** Whether a process died after it took the hold of an image that it did not enqueue: upkeep will return it. */
async function hasOrphanedHold(db: Db, { holds }: ProfileRow, batchId: string): Promise<boolean> {
  const taken = holds.filter(({ batch, waiting }) => batch === batchId && !waiting);
  const ids = taken.map(({ generation }) => generation);
  return (await findGenerationsById(db, ids)).length < ids.length;
}

/** Whether another process has enqueued an image, rather than upkeep removed it because that took too long. */
async function isEnqueued(db: Db, { _id: id }: GenerationRow): Promise<boolean> {
  return (await findInAnyState(db, id)) !== null;
}

/** Moves an image that has a hold to `queued` and adds its job. @returns false when upkeep has removed it meanwhile */
async function enqueue(
  context: BatchContext,
  row: GenerationRow,
  item: BatchItemRow,
  profile: ProfileRow,
): Promise<boolean> {
  const { db, queue, log } = context;
  const stored = await findStoredPhotos(
    db,
    item.batch,
    item.photos.map(({ sha256 }) => sha256),
  );
  const photos = item.photos.flatMap(({ sha256 }) => stored.get(sha256) ?? []);
  const queued = await enqueueTake(db, row, photos, profile, await findLane(db, laneOfRow(row)));
  if (!queued) {
    if (await isEnqueued(db, row)) return true;
    await announce(context, row.profile, { profile: await returnBatchHold(db, row) });
    return false;
  }
  await addJob(queue, queued).catch((error) =>
    log.error({ err: error, generation: row._id }, 'job not added; the reconciler will'),
  );
  await touchProject(db, row.profile, row.project ?? row.profile);
  await announce(context, row.profile, { generation: queued, profile });
  return true;
}

/** The key of the reservation that a start or a retry makes for a batch. */
export const reservationKey = (batchId: string, round: number) => `${batchId}:${round}`;
