import { ping } from '#shared/data/connect.ts';
import type { Db } from '#shared/data/db.ts';
import type { Log } from '#shared/platform/log.ts';
import type { GenerationQueue } from '#shared/platform/queue.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { type StoreName, storeUp } from './metrics.ts';
import { createStoreRead } from './store-read.ts';

interface Stores {
  db: Db;
  queue: GenerationQueue;
  storage: Storage;
  log: Log;
}

/** Whether each store of a process answers it in time. */
export type StoreHealth = Record<StoreName, boolean>;

/**
 * Makes a function that asks each store of a process, at most as often as `createStoreRead` allows.
 * @param bytes that the storage folder must have free
 */
export function createStoreHealth(
  { db, queue, storage, log }: Stores,
  bytes: number,
): () => Promise<StoreHealth> {
  const readOf = (store: StoreName, ask: () => Promise<unknown>) =>
    createStoreRead(
      () => ask().then(() => true),
      (error) => log.debug({ err: error, store }, 'a store did not answer a scrape or probe'),
    );
  const mongodb = readOf('mongodb', () => ping(db));
  const jobs = readOf('queue', () => queue.getJobCounts('waiting'));
  const files = readOf('storage', () => storage.checkRoom(bytes));
  return async () => {
    const [database, waiting, room] = await Promise.all([mongodb(), jobs(), files()]);
    return { mongodb: database ?? false, queue: waiting ?? false, storage: room ?? false };
  };
}

/** Sets `packshot_store_up` for each store of a process. */
export function showStoreHealth(health: StoreHealth): void {
  for (const [store, up] of Object.entries(health)) {
    storeUp.set({ store: store as StoreName }, up ? 1 : 0);
  }
}
