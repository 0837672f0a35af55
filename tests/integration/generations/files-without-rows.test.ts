/** Files whose rows are gone: each way in which rows are removed before their files, with a storage that fails just then. */
import { expect, vi } from 'vitest';
import { batchPaths } from '#contract/batch-paths.ts';
import { finishDeletion } from '#shared/accounts/deletion.ts';
import { beginDeletion } from '#shared/data/accounts/deletion.ts';
import { StorageError } from '#shared/storage/storage-error.ts';
import { postBatch, putPhoto, sampleRows } from '#tests/support/batches.ts';
import { atOnce, never, workerContext } from '#tests/support/credits.ts';
import { expectError, strayFolders } from '#tests/support/errors.ts';
import { eventually } from '#tests/support/harness.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';
import type { WorkerContext } from '#worker/context.ts';
import { removeOldTests } from '#worker/sandbox/remove-old.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';

const test = testWithSeller({ workers: 0, settings: { BATCH_WINDOW: '1' } });

interface Place {
  stack: TestStack;
  seller: Seller;
  /** With the storage of the server. */
  worker: WorkerContext;
}

const failing = () => Promise.reject(new StorageError('EIO', 'a disk', 'a disk: it cannot be read'));

async function newBatch({ seller }: Place): Promise<string> {
  const { body } = await postBatch(seller, { rows: await sampleRows(1) });
  expect((await putPhoto(seller, body.id, await samplePhoto())).status).toBe(200);
  return body.id;
}

/** What is there before, and how it is removed then. */
const ways: Record<string, (place: Place) => Promise<() => Promise<unknown>>> = {
  'a form whose second photo cannot be stored': async ({ stack, seller }) => {
    const { storage } = stack.server.context;
    const { putFile } = storage;
    return async () => {
      const spy = vi.spyOn(storage, 'putFile');
      spy.mockImplementationOnce((key, path) => putFile(key, path)).mockImplementationOnce(failing);
      const photos = [await samplePhoto(), await samplePhoto()];
      expectError(await seller.send({ photos }), 'STORAGE_UNAVAILABLE');
      spy.mockRestore();
    };
  },
  'a form whose process died': async ({ stack, seller, worker }) => {
    const { id } = await seller.submit();
    await stack.models.generations.updateOne({ _id: id }, { $set: { state: 'receiving' } });
    return () => runUpkeep(worker, { ...never, requestMs: -1_000 });
  },
  'a batch that its seller deletes': async (place) => {
    const id = await newBatch(place);
    return async () => {
      const { status } = await place.seller.request(batchPaths.batch(id), { method: 'DELETE' });
      expect(status).toBe(204);
    };
  },
  'a batch that was never started': async (place) => {
    await newBatch(place);
    return () => runUpkeep(place.worker, { ...never, unstartedBatchMs: -1_000 });
  },
  'old images and batches of tests': async (place) => {
    await newBatch(place);
    await place.seller.submit();
    return () => removeOldTests(place.worker, new Date(Date.now() + 1_000));
  },
};

test.for(Object.keys(ways))(
  '%s: upkeep removes its files once the storage works',
  async (way, { stack, seller }) => {
    const { storage } = stack.server.context;
    const worker = workerContext(stack);
    const remove = await ways[way]!({ stack, seller, worker });
    const away = (['removePhotoSet', 'removeGeneration'] as const).map((name) =>
      vi.spyOn(storage, name).mockImplementation(failing),
    );
    await remove();
    for (const spy of away) spy.mockRestore();

    expect(await strayFolders(stack)).not.toEqual([]);
    expect(await stack.models.fileRemovals.countDocuments()).toBeGreaterThan(0);
    // While the request may still be under way.
    expect(await runUpkeep(worker, never)).toMatchObject({ filesRemoved: 0 });
    const { filesRemoved } = await runUpkeep(worker, { ...atOnce, settlementMs: 600_000 });
    expect(filesRemoved).toBeGreaterThan(0);
    expect(await strayFolders(stack)).toEqual([]);
    expect(await stack.models.fileRemovals.countDocuments()).toBe(0);
  },
);

test('the deletion of an account is not finished before they are removed', async ({ stack, seller }) => {
  const { storage } = stack.server.context;
  const worker = workerContext(stack);
  const remove = await ways['a form whose process died']!({ stack, seller, worker });
  const away = vi.spyOn(storage, 'removeGeneration').mockImplementation(failing);
  await remove();
  await beginDeletion(stack.db, seller.id);
  await expect(finishDeletion(worker, seller.id, new Date())).rejects.toThrow(StorageError);
  expect(await stack.models.profiles.countDocuments({ _id: seller.id })).toBe(1);
  away.mockRestore();
  // As upkeep does: the seller's project may still be written, a second after the image.
  await expect.poll(() => finishDeletion(worker, seller.id, new Date()), eventually).toBe(true);
  expect(await strayFolders(stack)).toEqual([]);
  expect(await stack.models.fileRemovals.countDocuments()).toBe(0);
});
