import { limits } from '#contract';
import { findBatchesBefore, removeBatchesById } from '#shared/data/batches/batches.ts';
import { removeGeneration } from '#shared/data/generations/end.ts';
import { removeOldest } from '#shared/data/retention.ts';
import { findOldTests, removeBesideTest } from '#shared/data/sandbox.ts';
import { filesOfBatch, removeWithFiles } from '#shared/generations/remove-files.ts';
import { forEachIsolated } from '#worker/upkeep/run-steps.ts';
import type { WorkerContext } from '../context.ts';

/** Test images that a round removes, at most. */
const batchSize = 200;

/**
 * Removes what test keys made more than `limits.testDays` ago, with its files.
 * @param before only what was made before then
 * @returns how many images
 */
export async function removeOldTests(
  context: Pick<WorkerContext, 'db' | 'storage' | 'log'>,
  before = new Date(Date.now() - limits.testDays * 86_400_000),
): Promise<number> {
  const { db, log } = context;
  const removed = await forEachIsolated(
    await findOldTests(db, before, batchSize),
    1,
    async (test) => {
      const { _id: id, profile, photo_set } = test;
      return removeWithFiles(context, { profile, generations: [id], photo_set }, async () => {
        await removeBesideTest(db, test, before);
        await removeGeneration(db, id);
        return true;
      });
    },
    (error, { _id }) => log.error({ err: error, generation: _id }, 'an old test image was not removed'),
  );
  await removeOldest(db, 'notifications', before, batchSize);
  for (const old of await findBatchesBefore(db, before, batchSize)) {
    await removeWithFiles(context, filesOfBatch(old), async () => {
      await removeBatchesById(db, [old._id]);
      return true;
    });
  }
  return removed;
}
