import type { Billing } from '#shared/billing/client.ts';
import type { Db } from '#shared/data/db.ts';
import type { Credentials } from '#shared/images/credentials.ts';
import type { Config } from '#shared/platform/config.ts';
import type { Log } from '#shared/platform/log.ts';
import type { GenerationQueue } from '#shared/platform/queue.ts';
import type { EventRelay } from '#shared/platform/relay.ts';
import type { Storage } from '#shared/storage/storage.ts';
import type { DailyBudget } from './flow/daily-budget.ts';
import type { FairOrder } from './flow/fair-order.ts';
import type { ProviderFlow } from './flow/provider-pause.ts';
import type { StorageWatch } from './flow/storage-watch.ts';
import type { RecentImagesCount } from './generate/recent-images.ts';
import type { Comparisons } from './product-match/comparisons.ts';
import type { Provider } from './providers/provider.ts';

/** What the functions of the worker share. */
export interface WorkerContext {
  config: Config;
  db: Db;
  storage: Storage;
  storageWatch: StorageWatch;
  relay: EventRelay;
  queue: GenerationQueue;
  provider: Provider;
  /** Null where images are not compared with their photos. */
  comparisons: Comparisons | null;
  billing: Billing;
  log: Log;
  budget: DailyBudget;
  fairOrder: FairOrder;
  flow: ProviderFlow;
  /** The worker's running attempts by generation; aborting one stops its provider call. */
  underWay: Map<string, AbortController>;
  recentImages: RecentImagesCount;
  /** What signs images; null without a certificate. */
  credentials: Credentials | null;
}

/** Duration of a claim's lease, in ms. It ends before BullMQ gives the job of a dead worker to another. */
export function leaseMs(config: Config): number {
  return Math.round((config.worker.lockMs * 2) / 3);
}
