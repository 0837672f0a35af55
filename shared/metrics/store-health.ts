import { type Db, ping } from '#shared/data/db.ts';
import type { Log } from '#shared/platform/log.ts';
import type { GenerationQueue } from '#shared/platform/queue.ts';
import type { Storage } from '#shared/platform/storage.ts';
import { type StoreName, storeUp } from './metrics.ts';
import type { Collect } from './serve.ts';
import { createStoreRead } from './store-read.ts';

interface Stores {
  db: Db;
  queue: GenerationQueue;
  storage: Storage;
  log: Log;
}

/**
 * Sets `packshot_store_up` for each store of a process.
 * @param bytes that the storage folder must have free
 */
export function collectStoreHealth({ db, queue, storage, log }: Stores, bytes: number): Collect {
  const asks: Record<StoreName, () => Promise<unknown>> = {
    mongodb: () => ping(db),
    queue: () => queue.getJobCounts('waiting'),
    storage: () => storage.checkRoom(bytes),
  };
  const reads = Object.entries(asks).map(([store, ask]) => {
    const answers = async () => {
      await ask();
      return true;
    };
    const report = (error: unknown) => log.debug({ err: error, store }, 'a store did not answer a scrape');
    return { store, read: createStoreRead(answers, report) };
  });
  return async () => {
    await Promise.all(
      reads.map(async ({ store, read }) =>
        storeUp.set({ store: store as StoreName }, (await read()) ? 1 : 0),
      ),
    );
  };
}
