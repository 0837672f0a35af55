/** The marker that ties a bucket to its database. */
import { expect, inject } from 'vitest';
import { connectDb } from '#shared/data/connect.ts';
import { findStorageMarker } from '#shared/data/storage-folders.ts';
import { openStorage } from '#shared/storage/open-storage.ts';
import { storageKeys } from '#shared/storage/storage.ts';
import { newPrefix } from '#tests/support/s3-server.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ workers: 0 });
const noBucket = inject('s3Bucket') === undefined;

test.skipIf(noBucket)(
  'processes that start at once agree on a marker; with another bucket or a folder they say so',
  async ({ stack }) => {
    await stack.models.storageFolders.deleteMany({});
    await stack.models.generations.deleteMany({});
    const place = newPrefix();
    const connections = await Promise.all([1, 2, 3].map(() => connectDb(stack.config.mongodbUrl)));
    try {
      const storages = await Promise.all(
        Array.from({ length: 9 }, (_, index) => openStorage(place, connections[index % 3])),
      );
      await Promise.all(storages.map((storage) => storage.checkRoom(1)));
      expect(await findStorageMarker(stack.db)).toMatch(/^[0-9a-f-]{36}$/);
      expect(await storages[0]!.get(storageKeys.image('1', 1))).toBeUndefined();

      const other = await openStorage(newPrefix(), stack.db);
      const folder = await openStorage({ kind: 'file', folder: `${stack.storageFolder}.other` }, stack.db);
      for (const [storage, question] of [
        [other, 'has it been copied from another storage completely?'],
        [folder, 'is the volume mounted?'],
      ] as const) {
        await expect(storage.checkRoom(1)).rejects.toMatchObject({
          name: 'StorageError',
          code: 'WRONG_STORAGE',
          message: expect.stringContaining(
            `the storage ${storage.name} is not the one that the database belongs to: ${question}`,
          ),
        });
        // Nothing is reported as missing, and nothing is removed.
        await expect(storage.get(storageKeys.image('1', 1))).rejects.toMatchObject({ code: 'WRONG_STORAGE' });
        await expect(storage.removeGeneration('1')).rejects.toMatchObject({ code: 'WRONG_STORAGE' });
      }
    } finally {
      await Promise.all(connections.map((each) => each.close()));
    }
  },
);
