import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ObjectId } from 'bson';
import { createUser } from './commands/authentication.ts';
import type { ServerState, User } from './commands/context.ts';
import { Cursors } from './cursors.ts';
import { GroupCommit, serveConnection } from './protocol/connection.ts';
import { Catalog } from './storage/catalog.ts';
import { Database } from './storage/database.ts';
import { removeExpired } from './storage/expiry.ts';

/** Options of the local MongoDB server. */
interface MongoServerOptions {
  /** 0 for any free port. */
  port: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** Folder for the data; undefined for a temporary folder that `close` removes. */
  dataFolder?: string | undefined;
  /** Whether writes are on disk before they are acknowledged; default true, false for a temporary folder. */
  fsync?: boolean | undefined;
  /** How often TTL indexes remove documents; default every 5 seconds. */
  ttlIntervalMs?: number;
  /** The version of MongoDB that it says it is: 5 to 8. Before 6, partial indexes take fewer operators. Default 8.0.0. */
  version?: string;
  /** Clients have to sign in as this user; by default they need not. */
  user?: { name: string; password: string } | undefined;
}

/** A running server. */
interface MongoServer {
  /** `mongodb://HOST:PORT`. */
  url: string;
  /** Commits pending writes, closes all connections, and releases the port and the data folder. */
  close(): Promise<void>;
}

/**
 * Starts a MongoDB server that stores its data in one SQLite file.
 * @throws the EADDRINUSE error when the port is taken, an error when another server uses the folder
 */
export async function startMongoServer(options: MongoServerOptions): Promise<MongoServer> {
  const folder = options.dataFolder ?? mkdtempSync(join(tmpdir(), 'local-mongo-'));
  const removeFolder = () => {
    if (options.dataFolder === undefined) rmSync(folder, { recursive: true, force: true });
  };
  const host = options.host ?? '127.0.0.1';
  const sockets = new Set<Socket>();
  const server = createServer();
  try {
    await listen(server, options.port, host);
  } catch (error) {
    removeFolder();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  let running: ReturnType<typeof serve>;
  try {
    const sql = new Database(folder, options.fsync ?? options.dataFolder !== undefined);
    const user = options.user && createUser(options.user.name, options.user.password);
    running = serve(server, sockets, sql, user, options);
  } catch (error) {
    server.close();
    removeFolder();
    throw error;
  }
  return {
    url: `mongodb://${host}:${port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      running.stop();
      for (const socket of sockets) socket.destroy();
      await closed;
      running.sql.close();
      removeFolder();
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function serve(
  server: Server,
  sockets: Set<Socket>,
  sql: Database,
  user: User | undefined,
  { ttlIntervalMs = 5000, version = '8.0.0' }: MongoServerOptions,
) {
  const catalog = new Catalog(sql);
  const state: ServerState = {
    catalog,
    cursors: new Cursors(),
    processId: new ObjectId(),
    version,
    user,
  };
  const outbox = new GroupCommit(sql, () => catalog.reload());
  let connectionId = 0;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    serveConnection(socket, ++connectionId, state, outbox);
  });
  const timer = setInterval(() => {
    state.cursors.expire();
    try {
      removeExpired(catalog);
    } catch (error) {
      console.error('local MongoDB server: expired documents could not be removed:', error);
    }
    outbox.schedule();
  }, ttlIntervalMs);
  timer.unref();
  return {
    sql,
    stop: () => {
      clearInterval(timer);
      outbox.flush();
    },
  };
}
