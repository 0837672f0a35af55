/** The local queue store: PostgreSQL on 127.0.0.1, for BullMQ's PostgreSQL backend. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { resolve } from 'node:path';
import { Client } from 'pg';
import { prepareCluster, roleName } from './cluster.ts';
import { startPostmaster } from './postmaster.ts';

export interface QueueServerOptions {
  /** 0, the default, picks a free port. */
  port?: number;
  /** Keeps the jobs between starts; made when missing. One server a folder. */
  dataFolder: string;
}

/** A PostgreSQL that accepts connections. */
export interface QueueServer {
  /** `postgres://…` with the role's password, for `QUEUE_URL`. */
  url: string;
  /** Ends PostgreSQL; everything acknowledged is kept. */
  close(): Promise<void>;
  /** Resolves when PostgreSQL is gone, with its last words: by `close`, or by itself. */
  ended: Promise<string>;
}

const databaseName = 'packshot';

/**
 * Starts PostgreSQL and resolves when a client can connect.
 * @throws the listen error (EADDRINUSE) when the port is taken; Error with one clear line otherwise
 */
export async function startQueueServer(options: QueueServerOptions): Promise<QueueServer> {
  const port = await freePort(options.port ?? 0);
  const cluster = await prepareCluster(resolve(options.dataFolder));
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
 * PostgreSQL cannot pick a port itself, so the system picks one for us and we let go of it.
 * @throws the listen error when a wanted port is taken
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
