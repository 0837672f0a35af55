import type { Decoder } from '#server/decoder/decoder.ts';
import type { PhotoChecker } from '#server/photo-checks/photo-checker.ts';
import type { Sketcher } from '#server/sketches/sketcher.ts';
import type { Billing } from '#shared/billing/client.ts';
import type { Db } from '#shared/data/db.ts';
import type { Outbound } from '#shared/outbound/outbound.ts';
import type { Config } from '#shared/platform/config.ts';
import type { Log } from '#shared/platform/log.ts';
import type { GenerationQueue } from '#shared/platform/queue.ts';
import type { EventRelay } from '#shared/platform/relay.ts';
import type { Storage } from '#shared/storage/storage.ts';

/** Everything that routes and plugins need: settings, connections and services. */
export interface ServerContext {
  config: Config;
  db: Db;
  storage: Storage;
  queue: GenerationQueue;
  /** The queue of the sandbox. */
  testQueue: GenerationQueue;
  relay: EventRelay;
  billing: Billing;
  decoder: Decoder;
  photoChecker: PhotoChecker;
  sketcher: Sketcher;
  outbound: Outbound;
  log: Log;
}
