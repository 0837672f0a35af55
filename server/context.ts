import type { Billing } from '../shared/billing/client.ts';
import type { Config } from '../shared/config.ts';
import type { Db } from '../shared/data/connect.ts';
import type { Log } from '../shared/log.ts';
import type { GenerationQueue } from '../shared/queue.ts';
import type { EventRelay } from '../shared/relay.ts';
import type { Storage } from '../shared/storage.ts';
import type { Decoder } from './decoder/decoder.ts';

/** What the server's parts work with. */
export interface ServerContext {
  config: Config;
  db: Db;
  storage: Storage;
  queue: GenerationQueue;
  relay: EventRelay;
  billing: Billing;
  decoder: Decoder;
  log: Log;
}
