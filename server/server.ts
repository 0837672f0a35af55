import type { AddressInfo } from 'node:net';
import { BillingSetupError } from '#shared/billing/catalogue.ts';
import { type Billing, openBilling } from '#shared/billing/client.ts';
import type { Db } from '#shared/data/db.ts';
import { openDb } from '#shared/data/open-db.ts';
import { findUsersByEmail } from '#shared/data/users.ts';
import { type Config, ConfigError } from '#shared/platform/config.ts';
import { hostInUrl } from '#shared/platform/host-in-url.ts';
import { createLog, type Log } from '#shared/platform/log.ts';
import { demoAddresses } from '#shared/platform/production.ts';
import { openQueue } from '#shared/platform/queue.ts';
import { openRelay } from '#shared/platform/relay.ts';
import { createStorage, type Storage } from '#shared/platform/storage.ts';
import { logStorageError, storageErrorOf } from '#shared/platform/storage-error.ts';
import { openStorageMarker } from '#shared/platform/storage-marker.ts';
import { type AppOptions, buildApp } from './app.ts';
import { createDecoder } from './generations/decoder/decoder.ts';
import type { App } from './http/app-type.ts';
import type { ServerContext } from './http/context.ts';
import { openLive } from './live.ts';

export interface RunningServer {
  app: App;
  context: ServerContext;
  /** Address that it listens on. */
  url: string;
  /** Ends sockets and requests, then every connection. */
  close(): Promise<void>;
}

/** How long requests in progress get to finish when the server closes, in ms. */
export const requestEndMs = 10_000;

/**
 * Starts an API server.
 * @throws when a store does not answer, a migration fails, the port is taken, or Stripe sells something else than the contract says
 */
export async function startServer(config: Config, options: AppOptions = {}): Promise<RunningServer> {
  const log = createLog(config, 'server');
  const billing = openBilling(config.billing);
  await checkPrices(billing, log);
  const db = await openDb(config.mongodbUrl, log);
  if (config.production) await refuseDemoSellers(db);
  const queue = openQueue(config);
  queue.on('error', (error) => log.warn({ err: error }, 'queue'));
  const relay = openRelay(config, 'server', log);
  const storage = createStorage(config, openStorageMarker(config.storageFolder, db));
  await Promise.all([queue.waitUntilReady(), relay.ready(), prepareStorage(config, storage, log)]);
  const decoder = createDecoder(log);
  const context: ServerContext = { config, db, queue, relay, log, billing, storage, decoder };
  const app = await buildApp(context, options);
  const live = await openLive(app, context);
  await app.listen({ host: config.host, port: config.port });
  const { port } = app.server.address() as AddressInfo;
  return {
    app,
    context,
    url: `http://${hostInUrl(config.host)}:${port}`,
    async close() {
      // Sockets first: Fastify waits for open connections, and a socket never ends by itself.
      const ended = live.close();
      // Neither does a connection that a browser opened in advance and never used.
      await app.requestsEnded(requestEndMs);
      app.server.closeAllConnections();
      await ended;
      await app.close();
      await decoder.close();
      await relay.close();
      await queue.close();
      await db.close();
    },
  };
}

/** A folder that fails is mended while the server runs: until then it says that it is not ready, and takes no photos. */
async function prepareStorage(config: Config, storage: Storage, log: Log): Promise<void> {
  try {
    await storage.checkRoom(config.storageReserveBytes);
  } catch (error) {
    const failure = storageErrorOf(error, config.storageFolder);
    if (!failure) throw error;
    logStorageError(log, failure);
  }
}

/** @throws ConfigError when somebody could sign in with a password that stands in this repository */
async function refuseDemoSellers(db: Db): Promise<void> {
  const found = (await findUsersByEmail(db, demoAddresses))[0];
  if (!found) return;
  await db.close();
  throw new ConfigError(
    `the database has the demo seller ${found.email}, whose password everybody knows: delete that account or use another database`,
  );
}

/**
 * Nobody is to be charged another price than the one we show. When Stripe does not answer the server starts all the
 * same, since images need no Stripe; the prices are then looked at before something is sold.
 * @throws ConfigError that says what to create
 */
async function checkPrices(billing: Billing, log: Log): Promise<void> {
  try {
    await billing.catalogue();
  } catch (error) {
    if (error instanceof BillingSetupError) throw new ConfigError(error.message);
    log.error({ err: error }, 'the prices could not be checked: Stripe does not answer');
  }
}
