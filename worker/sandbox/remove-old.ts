import { limits } from '#contract';
import { removeGeneration } from '#shared/data/generations/end.ts';
import { findOldTests, removeBesideTest, removeOldTestBatches } from '#shared/data/sandbox.ts';
import { removeUnusedPhotoSet } from '#shared/generations/photo-sets.ts';
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
  { db, storage, log }: Pick<WorkerContext, 'db' | 'storage' | 'log'>,
  before = new Date(Date.now() - limits.testDays * 86_400_000),
): Promise<number> {
  const removed = await forEachIsolated(
    await findOldTests(db, before, batchSize),
    1,
    async (test) => {
      const { _id: id, photo_set: photoSet } = test;
      // The row goes after its files: after a crash, the files are found by it.
      await storage.removeGeneration(id);
      await removeBesideTest(db, test, before);
      await removeGeneration(db, id);
      await removeUnusedPhotoSet({ db, storage }, photoSet);
      return true;
    },
    (error, { _id }) => log.error({ err: error, generation: _id }, 'an old test image was not removed'),
  );
  const batches = await removeOldTestBatches(db, before, batchSize);
  for (const batch of batches) await removeUnusedPhotoSet({ db, storage }, batch);
  return removed;
}
