import { Cluster, Redis } from 'ioredis';
import { Client } from 'pg';
import type { Log } from './log.ts';
import type { GenerationQueue } from './queue.ts';
import { redisOptions } from './queue-connection.ts';
import { parseQueueUrl, type RedisStore } from './queue-url.ts';
import { StoreFailure } from './store-failure.ts';

/** How long the store may take to accept a connection, in ms: on a busy machine PostgreSQL starts a process for it in seconds. */
const connectMs = 15_000;

/**
 * Connects once to the store of the queue: BullMQ would wait for it without saying why.
 * @throws StoreFailure that says what is wrong
 */
export async function checkQueue(queueUrl: string): Promise<void> {
  const store = parseQueueUrl(queueUrl);
  try {
    await (store.kind === 'postgres' ? checkPostgres(store.url) : checkRedis(store));
  } catch (error) {
    throw new StoreFailure('QUEUE_URL', error);
  }
}

async function checkPostgres(connectionString: string): Promise<void> {
  const client = new Client({ connectionString, connectionTimeoutMillis: connectMs });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('SELECT 1');
  } finally {
    await client.end().catch(() => {});
  }
}

async function checkRedis(store: RedisStore): Promise<void> {
  const options = {
    ...redisOptions(store),
    lazyConnect: true,
    connectTimeout: connectMs,
    maxRetriesPerRequest: 0,
  };
  const never = () => null;
  const client =
    store.topology === 'cluster'
      ? new Cluster(store.nodes, {
          redisOptions: options,
          lazyConnect: true,
          clusterRetryStrategy: never,
          ...(store.tls && { dnsLookup: (address, callback) => callback(null, address) }),
        })
      : new Redis({ ...options, retryStrategy: never, sentinelRetryStrategy: never });
  // The first one is the cause; what `connect` rejects with is often only that there is no connection.
  const errors: unknown[] = [];
  client.on('error', (error) => errors.push(error));
  client.on('node error', (error) => errors.push(error));
  try {
    await client.connect();
    // With the first connection a wrong number is no error.
    if (client instanceof Redis) await client.select(store.db);
    await client.ping();
  } catch (error) {
    throw new AggregateError([...errors, error], 'the queue cannot be used');
  } finally {
    client.disconnect();
  }
}

/**
 * What operators should know of the memory of a queue's Redis, which must refuse jobs when it is full and evict none.
 * @returns null if all is well, if it does not say, and on PostgreSQL
 */
export async function queueWarning(queue: GenerationQueue, queueUrl: string): Promise<string | null> {
  if (parseQueueUrl(queueUrl).kind === 'postgres') return null;
  const client = await queue.getBackend().client;
  // Not CONFIG, which managed services refuse. INFO may be refused too.
  const info = await client.info().catch(() => '');
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1];
  if (policy === undefined || policy === 'noeviction') return null;
  return `Redis has maxmemory-policy ${policy} and removes jobs when its memory is full. Set it to noeviction.`;
}

/** Logs what {@link queueWarning} finds, as an error: jobs may be lost. */
export async function logQueueWarning(queue: GenerationQueue, queueUrl: string, log: Log): Promise<void> {
  const warning = await queueWarning(queue, queueUrl);
  if (warning !== null) log.error(`QUEUE_URL: ${warning}`);
}
