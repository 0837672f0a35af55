import type { BatchAction } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { cancelRest, continueBatchSoon, reservationKey } from '#shared/batches/run.ts';
import { checkRest, reserveBatch, reserveRest } from '#shared/credits/batch-holds.ts';
import { checkDailyBudgets } from '#shared/credits/daily-budgets.ts';
import { checkCanGenerate } from '#shared/credits/holds.ts';
import {
  cancelBatch,
  findBatch,
  pauseBatch,
  removeBatch,
  restartBatch,
  resumeBatch,
  startBatch,
} from '#shared/data/batches/batches.ts';
import { addToItem, countWaiting, findMissingPhotos, listBatchItems } from '#shared/data/batches/items.ts';
import type { BatchRow } from '#shared/data/batches/schema.ts';
import {
  attemptsByPlace,
  findEndedIn,
  findFailedIn,
  markReplaced,
  placeOf,
} from '#shared/data/generations/batches.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { findActiveProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { checkOptions } from '#shared/generations/options.ts';
import { removeUnusedPhotoSet } from '#shared/generations/photo-sets.ts';
import { AppError } from '#shared/platform/errors.ts';
import { announce } from '#shared/views/announce.ts';
import { admitBatch } from './admit-batch.ts';

/** Carries out an action. Each is idempotent: on a batch that is already in the state it leads to, it changes nothing. */
type Act = (context: ServerContext, batch: BatchRow) => Promise<void>;

/**
 * What a seller can do with a batch.
 * @throws AppError BATCH_CHANGED when its state does not allow the action; as described at each action
 */
export const batchActions: Record<BatchAction, Act> = { start, pause, resume, cancel, retry };

/**
 * Does what a request asks of a batch: admits it, does it, and tells the seller's windows.
 * @param act what is done; by default the action of this name
 * @returns the batch as it is then
 * @throws AppError as `admitBatch` and the action
 */
export async function runAction(
  context: ServerContext,
  batch: BatchRow,
  { name, network }: { name: BatchAction; network: string },
  act: Act = batchActions[name],
): Promise<BatchRow> {
  await admitBatch(context, batch, name, network);
  await act(context, batch);
  await announce(context, batch.profile, { batch: true });
  return batchOf(context, batch.profile, batch._id);
}

/**
 * Starts a batch whose photos are uploaded: puts all of its images on hold, or none.
 * @throws AppError as `checkStart`; as `checkCanGenerate`
 */
async function start(context: ServerContext, batch: BatchRow): Promise<void> {
  const { db } = context;
  if (batch.state !== 'uploading') return;
  const profile = await activeProfile(context, batch);
  await checkStart(context, batch, profile);
  await reserveImages(context, profile, batch, batch.images);
  await startBatch(db, batch._id);
  continueBatchSoon(context, batch._id);
}

/** Checks photos and rows of a batch that is to be started. @throws AppError BATCH_PHOTOS_MISSING; as `checkOptions` */
async function checkStart(
  { db, config }: ServerContext,
  batch: BatchRow,
  profile: ProfileRow,
): Promise<void> {
  if ((await findMissingPhotos(db, batch._id)).length > 0) throw new AppError('BATCH_PHOTOS_MISSING');
  // The plan may have changed since the batch was made.
  for (const item of await listBatchItems(db, batch._id)) {
    checkOptions({ ...item.options, useSeed: false }, profile, config.image);
  }
}

/** Refuses what starting a batch, or continuing one, would refuse. @param network as of `countedNetwork` @throws AppError */
export async function checkSpend(
  context: ServerContext,
  batch: BatchRow,
  action: 'start' | 'resume',
  profile: ProfileRow,
  network: string | undefined,
): Promise<void> {
  const { db, config } = context;
  if (batch.state === 'running' || (action === 'start' && batch.state !== 'uploading')) return;
  if (action === 'resume' && batch.state !== 'paused') throw new AppError('BATCH_CHANGED');
  await checkDailyBudgets(context, profile, network);
  if (action === 'resume') return void (await checkRest(db, profile, batch._id, config.billing.fairUse));
  await checkStart(context, batch, profile);
  checkCanGenerate(profile, batch.images, config.billing.fairUse);
}

async function pause({ db }: ServerContext, batch: BatchRow): Promise<void> {
  if (batch.state === 'paused' || (await pauseBatch(db, batch._id))) return;
  throw new AppError('BATCH_CHANGED');
}

/**
 * Continues a paused batch: puts what waits on hold again, as far as it is not, all of it or nothing.
 * @throws AppError as `checkCanGenerate`
 */
async function resume(context: ServerContext, batch: BatchRow): Promise<void> {
  const { db, config } = context;
  if (batch.state !== 'running') {
    if (batch.state !== 'paused') throw new AppError('BATCH_CHANGED');
    const profile = await activeProfile(context, batch);
    const held = await reserveRest(db, profile, batch._id, config.billing.fairUse);
    await announce(context, batch.profile, { profile: held });
    if (!(await resumeBatch(db, batch._id))) throw new AppError('BATCH_CHANGED');
  }
  continueBatchSoon(context, batch._id);
}

/** Cancels the rest of a batch: its holds come back; images with a visible preview are made. */
async function cancel(context: ServerContext, batch: BatchRow): Promise<void> {
  if (batch.cancelled_at) return;
  const cancelled = await cancelBatch(context.db, batch._id);
  if (!cancelled) throw new AppError('BATCH_CHANGED');
  await cancelRest(context, cancelled);
  continueBatchSoon(context, batch._id);
}

/**
 * Makes the failed images of an ended batch again: puts all of them on hold, or none.
 * @throws AppError as `checkCanGenerate`
 */
async function retry(context: ServerContext, batch: BatchRow): Promise<void> {
  if (batch.state === 'running') return;
  if (batch.state !== 'ended') throw new AppError('BATCH_CHANGED');
  await makeImagesAgain(context, batch, await findFailedIn(context.db, batch._id));
}

/**
 * Makes chosen images of an ended batch again: puts all of them on hold, or none. The images before stay in the library, and
 * in the batch until they have a successor. Ids of other images are passed over.
 * @throws AppError BATCH_CHANGED when it has not ended; as `checkCanGenerate`
 */
export async function makeAgain(
  context: ServerContext,
  batch: BatchRow,
  ids: readonly string[],
): Promise<void> {
  if (batch.state !== 'ended') throw new AppError('BATCH_CHANGED');
  await makeImagesAgain(context, batch, await findEndedIn(context.db, batch._id, ids));
}

async function makeImagesAgain(
  context: ServerContext,
  batch: BatchRow,
  images: readonly GenerationRow[],
): Promise<void> {
  const { db } = context;
  // Those that such a request has added whose process died before the batch ran.
  const added = (await countWaiting(db, [batch._id])).get(batch._id) ?? 0;
  if (images.length + added === 0) return;
  await reserveImages(context, await activeProfile(context, batch), batch, images.length + added);
  const attempts = await attemptsByPlace(db, batch._id);
  for (const { _id: id, batch: part } of images) {
    const { row, take } = part!;
    // An image that was put back is not the last attempt.
    const { attempt } = attempts.get(placeOf(part!))![0]!.batch!;
    await addToItem(db, batch._id, row, { take, attempt: attempt + 1 });
    await markReplaced(db, id);
  }
  await restartBatch(db, batch);
  continueBatchSoon(context, batch._id);
}

async function activeProfile({ db }: ServerContext, { profile: sellerId }: BatchRow): Promise<ProfileRow> {
  const profile = await findActiveProfile(db, sellerId);
  if (!profile) throw new AppError('UNAUTHENTICATED');
  return profile;
}

/** Puts images of the next round of a batch on hold, all or none, and tells the seller the new balance. */
async function reserveImages(
  context: ServerContext,
  profile: ProfileRow,
  { _id, round, profile: sellerId }: BatchRow,
  count: number,
): Promise<void> {
  const { db, config } = context;
  const reservation = { batch: _id, key: reservationKey(_id, round + 1), count };
  const held = await reserveBatch(db, profile, reservation, config.billing.fairUse);
  await announce(context, sellerId, { profile: held });
}

/** @returns a seller's own batch @throws AppError NOT_FOUND */
export async function batchOf(
  { db }: Pick<ServerContext, 'db'>,
  sellerId: string,
  id: string,
): Promise<BatchRow> {
  const batch = await findBatch(db, sellerId, id);
  if (!batch) throw new AppError('NOT_FOUND');
  return batch;
}

/** Deletes a batch; its images stay. @throws AppError BATCH_IN_PROGRESS */
export async function deleteBatch(context: ServerContext, { _id: id, profile }: BatchRow): Promise<void> {
  if (!(await removeBatch(context.db, id))) throw new AppError('BATCH_IN_PROGRESS');
  await removeUnusedPhotoSet(context, id);
  await announce(context, profile, { batch: true });
}
