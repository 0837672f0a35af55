import type { CheckedStore, StoreProblem } from '#shared/data/queue/server-reports.ts';
import { inTime } from '#shared/platform/in-time.ts';
import type { WatchContext } from './context.ts';

/** How long a store may take to answer, in ms. */
const answerMs = 5_000;

/** Checks the stores of a process. */
export interface StoreChecks {
  /** @returns those that fail, since when, and why */
  check(): Promise<StoreProblem[]>;
}

/** @param bytes that the storage must have free */
export function createStoreChecks(
  { queue, storage }: Pick<WatchContext, 'queue' | 'storage'>,
  bytes: number,
): StoreChecks {
  const asks: Record<CheckedStore, () => Promise<unknown>> = {
    queue: () => queue.getJobCounts('waiting'),
    storage: () => storage.checkRoom(bytes),
  };
  const since = new Map<CheckedStore, Date>();
  return {
    async check() {
      const stores = Object.entries(asks) as [CheckedStore, () => Promise<unknown>][];
      const problems = await Promise.all(
        stores.map(async ([store, ask]) => {
          const error = await errorOf(ask);
          if (error === undefined) {
            since.delete(store);
            return [];
          }
          if (!since.has(store)) since.set(store, new Date());
          return [{ store, error, since: since.get(store)! }];
        }),
      );
      return problems.flat();
    },
  };
}

/** @returns why a store does not answer; undefined if it does */
async function errorOf(ask: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await inTime(ask(), answerMs);
    return undefined;
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).slice(0, 500) || 'It failed.';
  }
}
