/** The local queue store: PostgreSQL on 127.0.0.1, for BullMQ's PostgreSQL backend. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { resolve } from 'node:path';
import { Client } from 'pg';
import { prepareCluster, roleName } from './cluster.ts';
import { clearLockFile, startPostmaster } from './postmaster.ts';

export interface QueueServerOptions {
  /** 0, the default, for any free port. */
  port?: number;
  /** Folder for the data; created if missing. Only one server can use it at a time. */
  dataFolder: string;
}

/** A PostgreSQL that accepts connections. */
export interface QueueServer {
  /** `postgres://…` with the role's password, for `QUEUE_URL`. */
  url: string;
  /** Stops PostgreSQL; everything acknowledged is kept. */
  close(): Promise<void>;
  /** Resolves when PostgreSQL has ended, by `close` or unexpectedly, with its last output. */
  ended: Promise<string>;
}

const databaseName = 'packshot';

/**
 * Starts PostgreSQL and resolves when a client can connect.
 * @throws the listen error (EADDRINUSE) when the port is taken; Error with a one-line message otherwise
 */
export async function startQueueServer(options: QueueServerOptions): Promise<QueueServer> {
  const cluster = await prepareCluster(resolve(options.dataFolder));
  // A PostgreSQL whose parent was killed keeps its port until it has ended.
  await clearLockFile(cluster.folder);
  const port = await freePort(options.port ?? 0);
  const postmaster = await startPostmaster(cluster, port);
  const address = (database: string) =>
    `postgres://${roleName}:${cluster.password}@127.0.0.1:${port}/${database}`;
  try {
    await createDatabase(address('postgres'));
  } catch (error) {
    await postmaster.close();
    throw error;
  }
  return { url: address(databaseName), close: postmaster.close, ended: postmaster.ended };
}

/**
 * PostgreSQL cannot choose a free port itself, so this binds one and releases it.
 * @throws the listen error when the requested port is taken
 */
async function freePort(wanted: number): Promise<number> {
  const probe = createServer().listen(wanted, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

async function createDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [databaseName]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${databaseName}`);
  } finally {
    await client.end();
  }
}
