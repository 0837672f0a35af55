import type { Db } from '#shared/data/db.ts';
import type { Config } from '#shared/platform/config.ts';
import type { Log } from '#shared/platform/log.ts';
import type { GenerationQueue } from '#shared/platform/queue.ts';
import type { EventRelay } from '#shared/platform/relay.ts';
import type { Storage } from '#shared/storage/storage.ts';

/** What watching the installation needs of the contexts of server and worker. */
export interface WatchContext {
  db: Db;
  queue: GenerationQueue;
  storage: Storage;
  relay: EventRelay;
  log: Log;
  config: Pick<Config, 'alerts' | 'image' | 'linkUrl' | 'worker'>;
}
