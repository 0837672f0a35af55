import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { BillingSetupError } from '#shared/billing/catalogue.ts';
import { type Billing, openBilling } from '#shared/billing/client.ts';
import { findUsersByEmail } from '#shared/data/accounts/users.ts';
import { openDb } from '#shared/data/connect.ts';
import type { Db } from '#shared/data/db.ts';
import { reportServer, withdrawServer } from '#shared/data/queue/server-reports.ts';
import { openCredentials } from '#shared/images/credentials.ts';
import { serveMetrics } from '#shared/metrics/serve.ts';
import { createOutbound, type Outbound } from '#shared/outbound/outbound.ts';
import { checkQueue, logQueueWarning } from '#shared/platform/check-queue.ts';
import { type Config, ConfigError } from '#shared/platform/config.ts';
import { hostInUrl } from '#shared/platform/host-in-url.ts';
import { createLog, type Log } from '#shared/platform/log.ts';
import { logConnectionErrors } from '#shared/platform/log-connection-errors.ts';
import { demoAddresses } from '#shared/platform/production.ts';
import { openQueue } from '#shared/platform/queue.ts';
import { openRelay } from '#shared/platform/relay.ts';
import { sandboxConfig } from '#shared/platform/sandbox-config.ts';
import { version } from '#shared/platform/version.ts';
import { openStorage } from '#shared/storage/open-storage.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { logIfStorageFails } from '#shared/storage/storage-error.ts';
import { startTracing } from '#shared/tracing/tracing.ts';
import { watchDatabase } from '#shared/watch/database-watch.ts';
import { type ProcessReports, reportRegularly } from '#shared/watch/report-process.ts';
import { watchRegularly } from '#shared/watch/watch.ts';
import { sealSecrets } from './accounts/two-factor/seal-secrets.ts';
import { type AppOptions, buildApp } from './app.ts';
import { createDecoder, type Decoder } from './decoder/decoder.ts';
import type { App } from './http/app-type.ts';
import type { ServerContext } from './http/context.ts';
import { type Live, openLive } from './live/live.ts';
import { createPhotoChecker, type PhotoChecker } from './photo-checks/photo-checker.ts';
import { requestEndMs } from './plugins/open-requests.ts';
import { createSketcher, type Sketcher } from './sketches/sketcher.ts';
import { collectServerMetrics } from './status/metrics.ts';
import { sealWebhookSecrets } from './webhooks/seal-secrets.ts';

/** How long a server that closes goes on accepting connections behind a proxy, in ms, and has each closed with its reply. */
const proxyMs = 1_000;

export interface RunningServer {
  app: App;
  context: ServerContext;
  /** Address at which it is reached. */
  url: string;
  /** Closes sockets, waits for requests in progress, then closes all connections. */
  close(): Promise<void>;
}

/** Options that tests set. */
export interface ServerOptions extends AppOptions {
  /** Decodes photos; the caller closes it. By default the server has its own. */
  decoder?: Decoder;
  /** The same for photo checks. */
  photoChecker?: PhotoChecker;
  /** The same for sketches of visitors. */
  sketcher?: Sketcher;
  /** Calls the addresses that sellers give. */
  outbound?: Outbound;
}

/**
 * Starts an API server.
 * @throws when a store does not answer, a migration fails, the port is taken, or Stripe's prices differ from the contract
 */
export async function startServer(config: Config, options: ServerOptions = {}): Promise<RunningServer> {
  const log = createLog(config, 'server');
  const folder = config.storage.kind === 'file' ? config.storage.folder : undefined;
  const photoChecker = options.photoChecker ?? createPhotoChecker(log, config);
  await photoChecker.ready();
  const sketcher = options.sketcher ?? createSketcher(log, config);
  const tracing = await startTracing(config, 'server', log);
  const billing = openBilling(config.billing);
  await checkPrices(billing, log);
  const db = await openDb(config.mongodbUrl, log);
  if (config.production) await refuseDemoSellers(db);
  await sealSecrets({ db, config, log });
  await sealWebhookSecrets({ db, config, log });
  await checkQueue(config.queueUrl);
  const queue = openQueue(config, tracing?.queue);
  const testQueue = openQueue(sandboxConfig(config), tracing?.queue);
  logConnectionErrors(queue, 'queue', log);
  logConnectionErrors(testQueue, 'queue of the sandbox', log);
  const relay = openRelay(config, 'server', log);
  const storage = await openStorage(config.storage, db);
  await Promise.all([
    queue.waitUntilReady(),
    testQueue.waitUntilReady(),
    relay.ready(),
    prepareStorage(config, storage, log),
  ]);
  await logQueueWarning(queue, config.queueUrl, log);
  const decoder =
    options.decoder ?? createDecoder(log, { folder, credentials: await openCredentials(config, log) });
  const outbound =
    options.outbound ??
    // Who is called by it can look up whom to ask.
    createOutbound({ proxy: config.outboundProxy, userAgent: `Packshot/${version} (+${config.linkUrl})` });
  const context: ServerContext = {
    config,
    db,
    queue,
    testQueue,
    relay,
    log,
    billing,
    storage,
    decoder,
    photoChecker,
    sketcher,
    outbound,
  };
  const app = await buildApp(context, { ...options, tracing });
  const live = await openLive(app, context);
  const reports = reportServerRegularly(context, live);
  await reports.ready;
  await app.listen({ host: config.host, port: config.port });
  const metrics =
    config.metrics &&
    (await serveMetrics(config.metrics, 'server', log, collectServerMetrics(context, live)));
  const watch = watchRegularly(context);
  const { port } = app.server.address() as AddressInfo;
  return {
    app,
    context,
    url: `http://${hostInUrl(config.host)}:${port}`,
    async close() {
      if (config.trustedProxies > 0) {
        // A proxy keeps connections: it must not send a request on one at the moment at which it is closed.
        app.endConnections();
        await wait(proxyMs);
      }
      // Sockets first: Fastify waits for open connections, and sockets stay open.
      const socketsClosed = live.close();
      app.endWaits();
      // Browsers keep connections open, some of them unused.
      await app.requestsEnded(requestEndMs);
      app.server.closeAllConnections();
      await socketsClosed;
      await Promise.all([watch.stop(), reports.stop()]);
      await metrics?.close();
      await app.close();
      if (!options.decoder) await decoder.close();
      if (!options.photoChecker) await photoChecker.close();
      if (!options.sketcher) await sketcher.close();
      await relay.close();
      await queue.close();
      await testQueue.close();
      await db.close();
      await tracing?.close();
    },
  };
}

/** Reports this server and its sockets, until it is stopped. */
function reportServerRegularly(context: ServerContext, live: Live): ProcessReports {
  return reportRegularly(
    context,
    {
      bytes: context.config.storageReserveBytes,
      write: (db, id, report, lifeMs) =>
        reportServer(db, id, { sockets: live.openSockets(), report }, lifeMs),
      withdraw: withdrawServer,
    },
    watchDatabase(context),
  );
}

/** Logs a storage that fails or is another one than the database's. The server still starts: it is not ready and refuses
 * uploads until the storage works. */
async function prepareStorage(config: Config, storage: Storage, log: Log): Promise<void> {
  await storage.checkRoom(config.storageReserveBytes).catch(logIfStorageFails(log));
}

/** @throws ConfigError when there is a demo seller, whose password is in this repository */
async function refuseDemoSellers(db: Db): Promise<void> {
  const found = (await findUsersByEmail(db, demoAddresses))[0];
  if (!found) return;
  await db.close();
  throw new ConfigError(
    `the database has the demo seller ${found.email}, whose password is public: delete that account or use another database`,
  );
}

/**
 * Checks that Stripe charges the prices that we show. If Stripe does not answer, the server starts anyway, since images do
 * not need Stripe; the prices are then checked before the first sale.
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
