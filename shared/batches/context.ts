import type { Db } from '#shared/data/db.ts';
import type { Config } from '#shared/platform/config.ts';
import type { Log } from '#shared/platform/log.ts';
import type { GenerationQueue } from '#shared/platform/queue.ts';
import type { EventRelay } from '#shared/platform/relay.ts';
import type { Storage } from '#shared/platform/storage.ts';

/** What batches need of the contexts of server and worker. */
export interface BatchContext {
  db: Db;
  relay: EventRelay;
  queue: GenerationQueue;
  storage: Storage;
  config: Pick<
    Config,
    'linkUrl' | 'billing' | 'image' | 'batchWindow' | 'unpaidCallsFactor' | 'networkLimitFactor'
  >;
  log: Log;
}
