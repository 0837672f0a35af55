import { pages } from '#contract';
import {
  countWithoutHold,
  NoBatchHold,
  nextBatchHold,
  releaseBatchHolds,
  waitingOnHold,
} from '#shared/credits/batch-holds.ts';
import { checkDailyBudgets } from '#shared/credits/daily-budgets.ts';
import { leftToday } from '#shared/credits/daily-limit.ts';
import { mayGenerate, refusalByPlan } from '#shared/credits/holds.ts';
import { findSettings } from '#shared/data/accounts/user-settings.ts';
import { endBatch, endRestart, findAnyBatch, pauseBatch, waitUntil } from '#shared/data/batches/batches.ts';
import { changeFiles } from '#shared/data/batches/files.ts';
import {
  addToItem,
  clearItems,
  findWaitingItems,
  type QueuedTake,
  removeFromItem,
} from '#shared/data/batches/items.ts';
import type { BatchItemRow, BatchRow } from '#shared/data/batches/schema.ts';
import type { Db } from '#shared/data/db.ts';
import {
  attemptsByPlace,
  countUnendedIn,
  findUnendedIn,
  markReplaced,
  putBack,
} from '#shared/data/generations/batches.ts';
import { cancelGeneration } from '#shared/data/generations/end.ts';
import { findGenerationsById } from '#shared/data/generations/find.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { isTestSeller } from '#shared/data/test-seller.ts';
import { removeUnusedPhotos } from '#shared/generations/photo-sets.ts';
import { settleGeneration } from '#shared/generations/settle.ts';
import { type SubmitContext, submit } from '#shared/generations/submit.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';
import type { Config } from '#shared/platform/config.ts';
import { nextDay } from '#shared/platform/days.ts';
import { AppError } from '#shared/platform/errors.ts';
import { announce, notify } from '#shared/views/announce.ts';
import { failureText } from '#shared/views/failure-help.ts';
import { batchOutcome } from '#shared/views/notification.ts';
import { presentV1Batch } from '#shared/views/v1.ts';
import { tellOfBatch } from '#shared/webhooks/tell.ts';
import { batchSummaries, countsOf } from './views.ts';

/** What batches need of the contexts of server and worker. */
export interface BatchContext extends SubmitContext {
  config: SubmitContext['config'] & Pick<Config, 'linkUrl' | 'batchWindow'>;
}

/** The key of the reservation that a start or a retry makes for a batch. */
export const reservationKey = (batchId: string, round: number) => `${batchId}:${round}`;

/**
 * Continues a batch: enqueues its next images while fewer than `BATCH_WINDOW` are under way and the daily limit allows them,
 * and ends it when nothing is left. Called when it was started or resumed, when one of its images has ended, and by upkeep. Idempotent, also when
 * several processes run it at once: an image has one idempotency key.
 * @returns how many images it enqueued
 */
export async function continueBatch(context: BatchContext, batchId: string): Promise<number> {
  const { db, config } = context;
  const batch = await findAnyBatch(db, batchId);
  if (batch?.state !== 'running') return 0;
  await finishRestart(db, batch);
  if (batch.cancelled_at) await cancelRest(context, batch);
  const underWay = await countUnendedIn(db, batchId);
  const items = await findWaitingItems(db, batchId, config.batchWindow);
  if (items.length === 0) {
    if (underWay === 0) await finishBatch(context, batch);
    return 0;
  }
  const profile = await findProfile(db, batch.profile);
  if (!profile || (await pauseWithoutHolds(context, profile, batchId))) return 0;
  if (await pauseForBudgets(context, batch, profile)) return 0;
  const left = leftToday(profile, config.dailyImages);
  if (left === 0) {
    await waitForNextDay(db, batch);
    return 0;
  }
  const room = Math.min(config.batchWindow - underWay, left ?? Number.POSITIVE_INFINITY);
  const enqueued = await enqueueImages(context, batch, items, room);
  if (enqueued > 0 && batch.waits_until) await waitUntil(db, batch._id, null);
  return enqueued;
}

/**
 * Puts the images that a restart makes again into their rows, unless that is done. Idempotent, also when several processes do it at
 * once: an attempt that was enqueued already has its key.
 */
export async function finishRestart(db: Db, batch: BatchRow): Promise<void> {
  const { _id: id, again } = batch;
  if (!again) return;
  await changeFiles(db, id, async () => {
    for (const { generation, row, take, attempt } of again) {
      await addToItem(db, id, row, { take, attempt });
      await markReplaced(db, generation);
    }
  });
  await endRestart(db, batch);
}

/** Lets a batch whose seller has reached the daily limit wait: upkeep continues it when the next day (UTC) has begun. */
async function waitForNextDay(db: Db, { _id, waits_until: until }: BatchRow): Promise<void> {
  const opens = nextDay(new Date());
  if (until?.getTime() !== opens.getTime()) await waitUntil(db, _id, opens);
}

/** Enqueues the next images of a batch, in the order of its rows. @param most how many @returns how many it enqueued */
async function enqueueImages(
  context: BatchContext,
  batch: BatchRow,
  items: readonly BatchItemRow[],
  most: number,
): Promise<number> {
  let enqueued = 0;
  for (const item of items) {
    for (const queued of item.queue) {
      if (enqueued >= most || !(await enqueueImage(context, batch, item, queued))) return enqueued;
      enqueued += 1;
    }
  }
  return enqueued;
}

/** Continues a batch without making the caller wait; what fails is repeated by upkeep. */
export function continueBatchSoon(context: BatchContext, batchId: string): void {
  continueBatch(context, batchId).catch((error) =>
    context.log.error({ err: error, batch: batchId }, 'a batch was not continued; upkeep will'),
  );
}

/** Enqueues one image. @returns false when the batch cannot be continued now */
async function enqueueImage(
  context: BatchContext,
  batch: BatchRow,
  item: BatchItemRow,
  queued: QueuedTake,
): Promise<boolean> {
  const { db } = context;
  try {
    await submit(context, { kind: 'batch', sellerId: batch.profile, batch, item, queued });
  } catch (error) {
    if (error instanceof NoBatchHold) {
      const profile = await findProfile(db, batch.profile);
      if (profile) await pauseWithoutHolds(context, profile, batch._id);
      return false;
    }
    if (!(error instanceof AppError)) throw error;
    // Since the profile was read, the seller has asked for other images.
    if (error.code === 'DAILY_LIMIT') await waitForNextDay(db, batch);
    // Deleted by the seller: it was enqueued before. Otherwise the account is gone, or upkeep has removed the row.
    if (error.code !== 'GENERATION_DELETED') return false;
  }
  await removeFromItem(db, item._id, queued);
  const now = await findAnyBatch(db, batch._id);
  if (now?.cancelled_at) await cancelRest(context, now);
  return now?.state === 'running' && !now.cancelled_at;
}

/**
 * Pauses a batch whose images wait, and of which none may begin: their plan or period has ended, or the plan allows none now.
 * @returns whether it did
 */
async function pauseWithoutHolds(
  context: BatchContext,
  profile: ProfileRow,
  batchId: string,
): Promise<boolean> {
  const { db } = context;
  if (nextBatchHold(profile, batchId) || (await hasOrphanedHold(db, profile, batchId))) return false;
  const waits = waitingOnHold(profile, batchId) + (await countWithoutHold(db, profile, batchId));
  if (waits === 0) return false;
  await pauseForPlan(context, profile, batchId);
  return true;
}

/** Pauses a batch of which no image may begin now, and says why. Idempotent; one that was paused before gets the reason. */
export async function pauseForPlan(
  context: Pick<BatchContext, 'db' | 'relay'>,
  profile: ProfileRow,
  batchId: string,
): Promise<void> {
  const reason = mayGenerate(profile, new Date())
    ? 'The plan or month in which these images were put on hold has ended. Resume puts those that wait on hold again.'
    : refusalByPlan(profile).message;
  await pauseBatch(context.db, batchId, reason);
  await announce(context, profile._id, { batch: true });
}

/** Whether a process died after it took the hold of an image that it did not enqueue: upkeep will return it. */
async function hasOrphanedHold(db: Db, { holds }: ProfileRow, batchId: string): Promise<boolean> {
  const taken = holds.filter(({ batch, waiting }) => batch === batchId && !waiting);
  const ids = taken.map(({ generation }) => generation);
  return (await findGenerationsById(db, ids)).length < ids.length;
}

/** Pauses a batch whose seller has used up what is allowed today of unpaid calls or refusals. @returns whether it was paused */
async function pauseForBudgets(
  context: BatchContext,
  batch: BatchRow,
  profile: ProfileRow,
): Promise<boolean> {
  try {
    await checkDailyBudgets(context, profile, batch.network);
    return false;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await pauseBatch(context.db, batch._id, error.message);
    await announce(context, batch.profile, { batch: true });
    return true;
  }
}

/**
 * Cancels what is left of a batch whose `cancelled_at` is set: the images that wait come back to the balance, those under
 * way are cancelled unless a preview is visible; these are made. Idempotent.
 */
export async function cancelRest(context: BatchContext, batch: BatchRow): Promise<void> {
  const { db, relay } = context;
  // Before the holds: an image that is enqueued at this moment finds no hold, and one that has its hold is cancelled below.
  await clearItems(db, batch._id);
  await announce(context, batch.profile, { profile: await releaseBatchHolds(db, batch) });
  for (const { _id: id } of await findUnendedIn(db, batch._id)) {
    const cancel = await cancelGeneration(db, batch.profile, id, false);
    if (cancel.outcome !== 'cancelled') continue;
    relay.publishCancel(id);
    await settleGeneration(context, cancel.row);
  }
}

/** An image that was made again without a result is not lost: the one before counts again. Idempotent. */
async function putBackImages(db: Db, batchId: string): Promise<void> {
  for (const [last, ...before] of (await attemptsByPlace(db, batchId)).values()) {
    if (last === undefined || (last.state === 'succeeded' && !last.batch!.replaced)) continue;
    const images = last.batch!.replaced ? [last, ...before] : before;
    const image = images.find(({ state, deletion }) => state === 'succeeded' && !deletion);
    if (!image) continue;
    // Without an attempt it was cancelled before it began.
    const attempt = last.batch!.replaced ? undefined : last;
    const failure = attempt?.failure ? failureText(attempt.failure) : 'It was cancelled.';
    // Another process may have ended the batch.
    await changeFiles(db, batchId, () => putBack(db, image._id, attempt?._id, failure));
  }
}

/**
 * Ends a batch of which nothing is left to do: gives back what is still on hold, removes the photos of what was cancelled
 * before it began, writes one notification, one event for webhooks and one mail for all of its images, and ends it. Idempotent; the state changes
 * last, so upkeep repeats the whole after a crash.
 */
async function finishBatch(context: BatchContext, batch: BatchRow): Promise<void> {
  const { db, relay, config } = context;
  const { _id: id, profile: sellerId, name, round } = batch;
  await announce(context, sellerId, { profile: await releaseBatchHolds(db, batch) });
  // Otherwise starting and cancelling batches would store any number of photos that no image pays for.
  if (batch.cancelled_at) await removeUnusedPhotos(context, id);
  // In the first round nothing was made again.
  if (round > 1) await putBackImages(db, id);
  const { succeeded: made, failed, cancelled } = (await countsOf(db, [batch])).get(id)!;
  const key = `batch:${id}:${round}`;
  // As of single images: notifications and mails are about what is real.
  const isTest = isTestSeller(sellerId);
  if (!isTest) {
    await notify(context, {
      profile: sellerId,
      key,
      generation: null,
      set: null,
      kind: 'batch-ended',
      data: { batch: id, name, made, failed, cancelled },
    });
  }
  const outcome = { succeeded: made, failed, cancelled };
  const ended: BatchRow = { ...batch, state: 'ended', ended_at: new Date(), outcome };
  const [summary] = await batchSummaries(db, [ended]);
  const [profile, settings] = await Promise.all([findProfile(db, sellerId), findSettings(db, sellerId)]);
  await tellOfBatch(context, profile, presentV1Batch(summary!, round));
  const canSignIn = profile && !profile.deletion_asked_at && !profile.disabled_at;
  if (!isTest && canSignIn && settings?.notifications_enabled) {
    const link = `${config.linkUrl}${pages.batches}/${id}`;
    const text = batchOutcome({ made, failed, cancelled });
    const details = { fullName: profile.full_name, name, outcome: text, link };
    await enqueueMail(db, relay, 'batchEnded', profile.email, details, { id: key });
  }
  await endBatch(db, batch, outcome, ended.ended_at!);
  await announce(context, sellerId, { batch: true });
}
