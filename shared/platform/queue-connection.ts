import type { ConnectionOptions } from 'bullmq';
import { Cluster, type RedisOptions } from 'ioredis';
import { parseQueueUrl, type RedisStore } from './queue-url.ts';
import { ReconnectingSentinelConnector } from './sentinel-connector.ts';

/** How BullMQ connects to the queue's store. */
export type QueueConnection =
  | {
      kind: 'redis';
      /** What BullMQ's keys begin with. In a cluster it has a hash tag, so that all keys are on one node. */
      prefix: string;
      /** Opens a connection for one part of BullMQ. @param options offline: commands wait while there is no connection */
      open(options: { offline: boolean }): OpenConnection;
    }
  | { kind: 'postgres'; connection: { connectionString: string; migrate: true } };

interface OpenConnection {
  connection: ConnectionOptions;
  /** Closes what BullMQ does not close: it closes only connections that it opened itself. */
  release(): void;
}

/** The connection for a value of `QUEUE_URL`. @throws QueueUrlError */
export function queueConnection(queueUrl: string): QueueConnection {
  const store = parseQueueUrl(queueUrl);
  if (store.kind === 'postgres') {
    return { kind: 'postgres', connection: { connectionString: store.url, migrate: true } };
  }
  const options = redisOptions(store);
  if (store.topology === 'cluster') {
    return {
      kind: 'redis',
      prefix: '{packshot}',
      open({ offline }) {
        const cluster = settling(
          new Cluster(store.nodes, {
            redisOptions: options,
            enableOfflineQueue: offline,
            // A node that moved is asked for by the name that its certificate has.
            ...(store.tls && { dnsLookup: (address, callback) => callback(null, address) }),
          }),
        );
        return { connection: cluster as unknown as ConnectionOptions, release: () => cluster.disconnect() };
      },
    };
  }
  return {
    kind: 'redis',
    prefix: 'bull',
    open: ({ offline }) => ({
      connection: { ...options, enableOfflineQueue: offline } as ConnectionOptions,
      release() {},
    }),
  };
}

/** What ioredis declares as private. */
interface Inside {
  handleCloseEvent(): void;
}

/**
 * Lets `connect()` and `disconnect()` of a cluster come to an end in any case. BullMQ waits for both: without this a worker takes no job
 * for 30 s after it has found the cluster failing, or never closes.
 * @returns the cluster; what BullMQ duplicates is the same
 */
function settling(cluster: Cluster): Cluster {
  const connect = cluster.connect.bind(cluster);
  // The promise of ioredis never settles if the cluster is found failing: ioredis then connects again by itself.
  cluster.connect = () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const end = () => reject(new Error('Connection is closed.'));
    cluster.once('ready', resolve).once('end', end);
    connect().then(resolve, reject);
    return promise.finally(() => cluster.off('ready', resolve).off('end', end));
  };
  const disconnect = cluster.disconnect.bind(cluster);
  // While ioredis waits until it connects again, there is no connection with whose end it would emit its own.
  cluster.disconnect = (reconnect = false) => {
    const isWaiting = cluster.status === 'reconnecting';
    disconnect(reconnect);
    if (isWaiting && !reconnect) (cluster as unknown as Inside).handleCloseEvent();
  };
  const duplicate = cluster.duplicate.bind(cluster);
  cluster.duplicate = (...given) => settling(duplicate(...given));
  return cluster;
}

/** How ioredis connects to a store that is no cluster, or to the nodes of one. */
export function redisOptions(store: RedisStore): RedisOptions {
  const { topology, nodes, username, password, db, masterName, sentinelPassword, tls } = store;
  const common: RedisOptions = {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls && { tls }),
    // BullMQ requires it: a command waits for the connection instead of failing after some tries.
    maxRetriesPerRequest: null,
    // IPv4 and IPv6.
    family: 0,
  };
  if (topology === 'cluster') return common;
  if (topology === 'single') return { ...common, ...nodes[0]!, db };
  return {
    ...common,
    sentinels: nodes,
    name: masterName,
    db,
    ...(sentinelPassword !== undefined && { sentinelPassword }),
    ...(tls && { enableTLSForSentinelMode: true, sentinelTLS: tls }),
    // Connections to the old master end as soon as the sentinels have chosen another one.
    failoverDetector: true,
    Connector: ReconnectingSentinelConnector as unknown as NonNullable<RedisOptions['Connector']>,
  };
}

/** Lets a part of BullMQ release its connection when it is closed. @returns it */
export function releasedOnClose<Part extends { close(...given: never[]): Promise<void> }>(
  part: Part,
  { release }: OpenConnection,
): Part {
  const close = part.close.bind(part);
  part.close = async (...given) => {
    await close(...given);
    release();
  };
  return part;
}
