import { continueBatch } from '#shared/batches/run.ts';
import { findBatchesIn, findRunningBatches, removeBatch } from '#shared/data/batches/batches.ts';
import { filesOfBatch, removeWithFiles } from '#shared/generations/remove-files.ts';
import type { WorkerContext } from '../context.ts';
import { forEachIsolated } from './run-steps.ts';

/* Upkeep's steps for batches (see upkeep.ts). */

/** Continues the batches that run: the process that was to enqueue their next images may have died. @returns how many images */
export async function continueBatches(context: WorkerContext, limit: number): Promise<number> {
  const { db, log } = context;
  let enqueued = 0;
  await forEachIsolated(
    await findRunningBatches(db, limit),
    1,
    async ({ _id }) => {
      enqueued += await continueBatch(context, _id);
      return true;
    },
    (error, { _id }) => log.error({ err: error, batch: _id }, 'a batch was not continued'),
  );
  return enqueued;
}

/**
 * Removes batches whose request died, and those whose photos nobody finished uploading, with their files.
 * @param receivedBefore those in `receiving` since before then
 * @param createdBefore those that were not started since before then
 * @returns how many
 */
export async function removeUnstartedBatches(
  context: WorkerContext,
  { receivedBefore, createdBefore }: { receivedBefore: Date; createdBefore: Date },
  limit: number,
): Promise<number> {
  const { db } = context;
  const rows = [
    ...(await findBatchesIn(db, 'receiving', receivedBefore, limit)),
    ...(await findBatchesIn(db, 'uploading', createdBefore, limit)),
  ];
  let removed = 0;
  for (const row of rows) {
    if (await removeWithFiles(context, filesOfBatch(row), () => removeBatch(db, row._id))) removed += 1;
  }
  return removed;
}
