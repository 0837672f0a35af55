import type { z } from 'zod';
import type { BatchAction, reviewBatchSchema } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { cancelRest, continueBatchSoon, finishRestart, reservationKey } from '#shared/batches/run.ts';
import { checkRest, releaseReservation, reserveBatch, reserveRest } from '#shared/credits/batch-holds.ts';
import { checkDailyBudgets } from '#shared/credits/daily-budgets.ts';
import { checkCanGenerate } from '#shared/credits/holds.ts';
import {
  cancelBatch,
  findBatch,
  finishAddition,
  pauseBatch,
  removeBatch,
  restartBatch,
  resumeBatch,
  startBatch,
} from '#shared/data/batches/batches.ts';
import { countWaiting, findMissingPhotos, listBatchItems } from '#shared/data/batches/items.ts';
import type { BatchRow } from '#shared/data/batches/schema.ts';
import { type Db, newId } from '#shared/data/db.ts';
import {
  attemptsByPlace,
  findEndedIn,
  findFailedIn,
  placeOf,
  saveApproval,
} from '#shared/data/generations/batches.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { findActiveProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { checkOptions } from '#shared/generations/options.ts';
import { filesOfBatch, removeWithFiles } from '#shared/generations/remove-files.ts';
import { refuseBatchByScene } from '#shared/generations/test-refusals.ts';
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
async function start(context: ServerContext, seen: BatchRow): Promise<void> {
  const { db } = context;
  const batch = await finishAddition(db, seen);
  if (!batch) throw new AppError('NOT_FOUND');
  if (batch.state !== 'uploading') return;
  // What the caller saw, and agreed to, was less.
  if (batch.images !== seen.images) throw new AppError('BATCH_CHANGED');
  const profile = await activeProfile(context, batch);
  await checkStart(context, batch, profile);
  // The holds of different numbers are different ones: giving one back takes nothing from a start that came after more rows.
  const key = `${reservationKey(batch._id, 1)}:${batch.images}`;
  await reserveImages(context, profile, batch, { key, count: batch.images });
  if (!(await startBatch(db, batch)) && (await isUnstarted(context, batch))) {
    await announce(context, batch.profile, { profile: await releaseReservation(db, batch.profile, key) });
    throw new AppError('BATCH_CHANGED');
  }
  continueBatchSoon(context, batch._id);
}

/** Whether a batch that could not be started is none that another request has started. */
async function isUnstarted({ db }: ServerContext, { _id: id, profile }: BatchRow): Promise<boolean> {
  const now = await findBatch(db, profile, id);
  return now === null || now.state === 'uploading';
}

/** Checks photos and rows of a batch that is to be started. @throws AppError BATCH_EMPTY, BATCH_PHOTOS_MISSING; as `checkOptions` */
async function checkStart(
  { db, config }: ServerContext,
  batch: BatchRow,
  profile: ProfileRow,
): Promise<void> {
  if (batch.rows === 0) throw new AppError('BATCH_EMPTY');
  if ((await findMissingPhotos(db, batch._id)).length > 0) throw new AppError('BATCH_PHOTOS_MISSING');
  // The plan may have changed since the batch was made.
  for (const item of await listBatchItems(db, batch._id)) {
    checkOptions({ ...item.options, useSeed: false }, profile, config.image);
  }
}

/** What uses images of a batch. With `ids`, `retry` is of these images, as `makeAgain`. */
export interface Spend {
  action: 'start' | 'resume' | 'retry';
  ids?: readonly string[] | undefined;
}

/** @returns how many images it would use besides those that are made already */
export async function countSpend({ db }: ServerContext, batch: BatchRow, spend: Spend): Promise<number> {
  const { _id: id, state, images } = batch;
  if (spend.action === 'start') return state === 'uploading' ? images : 0;
  if (state !== (spend.action === 'resume' ? 'paused' : 'ended')) return 0;
  const waiting = (await countWaiting(db, [id])).get(id) ?? 0;
  return waiting + (spend.action === 'retry' ? (await findToMakeAgain(db, id, spend.ids)).length : 0);
}

/** Refuses what it would refuse. @param network as of `countedNetwork` @throws AppError */
export async function checkSpend(
  context: ServerContext,
  batch: BatchRow,
  spend: Spend,
  profile: ProfileRow,
  network: string | undefined,
): Promise<void> {
  const { db, config } = context;
  const { action, ids } = spend;
  if (batch.state === 'running' && !ids) return;
  if (action === 'start' && batch.state !== 'uploading') return;
  if (action === 'resume' && batch.state !== 'paused') throw new AppError('BATCH_CHANGED');
  if (action === 'retry' && batch.state !== 'ended') throw new AppError('BATCH_CHANGED');
  await refuseBatchByScene(db, batch);
  await checkDailyBudgets(context, profile, network);
  if (action === 'resume') return void (await checkRest(db, profile, batch._id, config.billing.fairUse));
  if (action === 'start') await checkStart(context, batch, profile);
  const images = await countSpend(context, batch, spend);
  if (images > 0) checkCanGenerate(profile, images, config.billing.fairUse);
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
  await makeImagesAgain(context, batch, await findToMakeAgain(context.db, batch._id));
}

/** The failed images of a batch, or those with these ids that ended; without those that were made again. */
const findToMakeAgain = (db: Db, batchId: string, ids?: readonly string[]): Promise<GenerationRow[]> =>
  ids ? findEndedIn(db, batchId, ids) : findFailedIn(db, batchId);

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
  await makeImagesAgain(context, batch, await findToMakeAgain(context.db, batch._id, ids));
}

/** One update of the batch decides which images are made again: of several requests for other ones, only one is carried out. */
async function makeImagesAgain(
  context: ServerContext,
  batch: BatchRow,
  images: readonly GenerationRow[],
): Promise<void> {
  const { db } = context;
  const { _id: id, profile: sellerId } = batch;
  // Those that wait in an ended batch, because a server of the version before died.
  const added = (await countWaiting(db, [id])).get(id) ?? 0;
  if (images.length + added === 0) return;
  const attempts = await attemptsByPlace(db, id);
  const again = images.map(({ _id: generation, batch: part }) => {
    // An image that was put back is not the last attempt.
    const { attempt } = attempts.get(placeOf(part!))![0]!.batch!;
    return { generation, row: part!.row, take: part!.take, attempt: attempt + 1 };
  });
  // A hold of this request alone, so that giving it back takes nothing from the request that is carried out.
  const key = `${reservationKey(id, batch.round + 1)}:${newId()}`;
  await reserveImages(context, await activeProfile(context, batch), batch, {
    key,
    count: images.length + added,
  });
  const restarted = await restartBatch(db, batch, again);
  if (!restarted) {
    await announce(context, sellerId, { profile: await releaseReservation(db, sellerId, key) });
    const now = await batchOf(context, sellerId, id);
    if (
      await areMadeAgain(
        db,
        now,
        images.map(({ _id }) => _id),
      )
    )
      return;
    throw new AppError('BATCH_CHANGED');
  }
  await finishRestart(db, restarted);
  continueBatchSoon(context, id);
}

/**
 * Whether a request to make images again was carried out that named an earlier round than a batch has.
 * @param ids of the images; without them those that had failed
 */
export async function wasCarriedOut(
  { db }: ServerContext,
  batch: BatchRow,
  ids?: readonly string[],
): Promise<boolean> {
  const { _id: id, restarted_at: restartedAt } = batch;
  if (ids) return areMadeAgain(db, batch, ids);
  const failed = await findFailedIn(db, id);
  const before = failed.filter(({ created_at: at }) => restartedAt !== undefined && at < restartedAt);
  return areMadeAgain(
    db,
    batch,
    before.map(({ _id }) => _id),
  );
}

/** Whether each of these images of a batch has a later attempt, or one that waits. @param batch read before */
async function areMadeAgain(db: Db, { _id: id, again }: BatchRow, ids: readonly string[]): Promise<boolean> {
  // An attempt comes from the batch to its row, and from there to the generations.
  const items = await listBatchItems(db, id);
  const attempts = await attemptsByPlace(db, id);
  const waiting = items.flatMap(({ index: row, queue }) =>
    queue.map(({ take, attempt }) => ({ row, take, attempt })),
  );
  const known = [...attempts.values()].flat().map(({ batch }) => batch!);
  const all = Map.groupBy([...(again ?? []), ...waiting, ...known], placeOf);
  const named = [...attempts.values()].flat().filter(({ _id }) => ids.includes(_id));
  return (
    named.length === new Set(ids).size &&
    named.every(({ batch: part }) => all.get(placeOf(part!))!.some(({ attempt }) => attempt > part!.attempt))
  );
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
  { _id, profile: sellerId }: BatchRow,
  reservation: { key: string; count: number },
): Promise<void> {
  const { db, config } = context;
  const held = await reserveBatch(db, profile, { batch: _id, ...reservation }, config.billing.fairUse);
  await announce(context, sellerId, { profile: held });
}

/** Approves finished images of a batch, or takes that back. Ids of other images are passed over. */
export async function review(
  context: ServerContext,
  batch: BatchRow,
  { images, approved }: z.output<typeof reviewBatchSchema>,
): Promise<void> {
  const image = await saveApproval(context.db, batch._id, images, approved);
  // One of them is enough: other windows then read the batch again.
  if (image) await announce(context, batch.profile, { generation: image });
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
export async function deleteBatch(context: ServerContext, batch: BatchRow): Promise<void> {
  const isRemoved = await removeWithFiles(context, filesOfBatch(batch), () =>
    removeBatch(context.db, batch._id),
  );
  if (!isRemoved) throw new AppError('BATCH_IN_PROGRESS');
  await announce(context, batch.profile, { batch: true });
}
