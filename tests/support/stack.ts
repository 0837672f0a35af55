/** A complete Packshot for one test file: its own database, queue and storage folder in the stores of the run. */

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inject } from 'vitest';
import { serverLimits } from '#contract/server-limits.ts';
import { createMailClient, type MailClient } from '#local/mail/control-client.ts';
import { startMailServer } from '#local/mail/server.ts';
import {
  type ControlSettings,
  createImageServerControl,
  type ImageServerControlClient,
} from '#local/openai/control-client.ts';
import { startImageServer } from '#local/openai/server.ts';
import { createStripeControl, type StripeControlClient } from '#local/stripe/control-client.ts';
import { startStripeServer } from '#local/stripe/server.ts';
import { audit } from '#scripts/audit/audit.ts';
import type { ImageCheck } from '#scripts/audit/audit-images.ts';
import type { Finding } from '#scripts/audit/finding.ts';
import { localStripeKey } from '#scripts/stripe/local-key.ts';
import { setUpStripe } from '#scripts/stripe/setup.ts';
import { createDecoder } from '#server/decoder/decoder.ts';
import { createPhotoChecker } from '#server/photo-checks/photo-checker.ts';
import { type RunningServer, type ServerOptions, startServer } from '#server/server.ts';
import { createSketcher } from '#server/sketches/sketcher.ts';
import { openStripe } from '#shared/billing/client.ts';
import { connectionOf } from '#shared/data/collection.ts';
import { type Models, modelsOf } from '#shared/data/collections.ts';
import type { Db } from '#shared/data/db.ts';
import { type Config, loadConfig } from '#shared/platform/config.ts';
import { createLog } from '#shared/platform/log.ts';
import type { GivenSettings } from '#shared/platform/settings.ts';
import { openStorage } from '#shared/storage/open-storage.ts';
import { type RunningWorker, startWorker } from '#worker/worker.ts';
import { deadlinesHere } from './deadlines.ts';
import { findFreePort } from './free-port.ts';
import { limitMs, machineFactor } from './machine.ts';
import { type ProgramProcess, startProgram } from './program.ts';
import { createSeller, type NewSeller, type Seller } from './seller.ts';
import { recordStripeRequests } from './stripe-requests.ts';

export interface TestStack {
  config: Config;
  /** Folder of photos and images, unless the settings name another storage. */
  storageFolder: string;
  /** The same settings as text, for processes. */
  settings: GivenSettings;
  server: RunningServer;
  url: string;
  db: Db;
  /** The models behind `db`: tests read and write documents directly. */
  readonly models: Models;
  /** Tells the image server what to do, and what it was asked. */
  images: ImageServerControlClient;
  /** Controls the local Stripe: its clock, payments, declines, delayed events. */
  stripe: StripeControlClient;
  /** Reads the sent mails. */
  mails: MailClient;
  /** Address of the page that shows them. */
  mailPageUrl: string;
  /** Makes a seller with a verified address and a paid plan, and signs in. */
  seller(details?: NewSeller): Promise<Seller>;
  /** Starts a worker in this process; the stack closes it. */
  startWorker(settings?: GivenSettings): Promise<RunningWorker>;
  /** Starts a worker as a separate process, which a test may kill. */
  startWorkerProcess(settings?: GivenSettings): Promise<ProgramProcess>;
  /** Starts another server as a separate process. */
  startServerProcess(settings?: GivenSettings): Promise<ProgramProcess>;
  /**
   * Starts another server in this process, on the same stores; the stack closes it.
   * @param site the folder of the web app that it serves; the stack's unless given
   */
  startServer(settings?: GivenSettings, site?: string): Promise<RunningServer>;
  /** Restarts the server on the same port. */
  restartServer(): Promise<void>;
  /** The findings of `npm run audit`. @param images what of each image is compared with its row */
  audit(images?: ImageCheck): Promise<Finding[]>;
  close(): Promise<void>;
}

export interface TestStackOptions {
  /** Number of workers in this process; one unless given. */
  workers?: number;
  settings?: GivenSettings;
  /** Settings of the image server; it answers at once unless given. */
  images?: ControlSettings;
  /** Limits of the server that a test shortens, `site: builtSite` for tests of pages, and what calls addresses of strangers. */
  server?: Omit<ServerOptions, 'decoder' | 'photoChecker' | 'sketcher'>;
}

/** Settings of workers that a test needs upkeep from. By default they run none, because rounds cost CPU time. */
export const frequentUpkeep: GivenSettings = { UPKEEP_INTERVAL_MS: '1000' };

/**
 * Settings with short intervals: a dead worker is noticed within about two seconds. The rate limits by network are
 * raised because all requests of the tests come from one address.
 */
const quick: GivenSettings = {
  NETWORK_LIMIT_FACTOR: '1000',
  // Many tests make images fail.
  UNPAID_CALLS_FACTOR: '1000',
  LOG_LEVEL: 'fatal',
  WORKER_LOCK_MS: String(limitMs(1_500)),
  WORKER_GRACE_MS: String(limitMs(1_000)),
  UPKEEP_INTERVAL_MS: '600000',
  PROVIDER_BACKOFF_MS: '20',
  WORKER_CONCURRENCY: '4',
  // It costs half a second for each image, and is tested by itself.
  PRODUCT_MATCH: 'false',
  // The same.
  PHOTO_CHECKS: 'false',
};

/** Decodes photos for all servers in this process, so that not each starts decoder processes of its own. */
const decoder = createDecoder(createLog({ logLevel: 'fatal' }, 'test decoder'), {
  processorSeconds: serverLimits.decodeProcessorSeconds * machineFactor(),
  seconds: serverLimits.decodeSeconds * machineFactor(),
});

/** Tests beside this one may take all processor time: no answer of a model is given up. Nor would it be the first that waits. */
export const modelPatience = { waitSeconds: 600, seconds: 600, givenUpFirst: false } as const;

/** Checks photos for the servers whose settings turn that on. */
const photoChecker = createPhotoChecker(
  createLog({ logLevel: 'fatal' }, 'test photo checks'),
  { photoChecks: true, cutoutModel: undefined },
  modelPatience,
);

/** Draws the sketches of visitors for them, likewise. */
const sketcher = createSketcher(
  createLog({ logLevel: 'fatal' }, 'test sketches'),
  { cutoutModel: undefined },
  modelPatience,
);

/** What all servers in this process share. @param config of a server, which may turn a part of it off */
const sharedProcesses = ({ photoChecks, visitorSketches }: Config) => ({
  decoder,
  ...(photoChecks && { photoChecker }),
  ...(visitorSketches && { sketcher }),
});

/** Starts the server, the stand-ins and the workers on the stores of the run. */
export async function startTestStack(options: TestStackOptions = {}): Promise<TestStack> {
  const name = `test_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  const folder = await mkdtemp(join(tmpdir(), 'packshot-test-'));
  const imageServer = await startImageServer({ port: 0, mode: 'instant', control: true });
  const images = createImageServerControl(imageServer.controlUrl);
  if (options.images) await images.set(options.images);
  const [port, stripeServer, mailServer] = await Promise.all([
    findFreePort(),
    startStripeServer({ control: true, onRequest: recordStripeRequests() }),
    startMailServer({ control: true }),
  ]);
  const stripeSettings = {
    STRIPE_SECRET_KEY: localStripeKey,
    STRIPE_API_URL: stripeServer.url,
    ...(
      await setUpStripe(
        openStripe({ secretKey: localStripeKey, apiUrl: stripeServer.url }),
        `http://127.0.0.1:${port}`,
      )
    ).settings,
  };
  const settings: GivenSettings = {
    ...quick,
    ...stripeSettings,
    SMTP_URL: mailServer.url,
    MONGODB_URL: withDatabase(inject('mongodbUrl'), name),
    QUEUE_URL: inject('queueUrl'),
    QUEUE_NAME: name,
    STORAGE_URL: pathToFileURL(folder).href,
    SESSION_SECRET: randomUUID() + randomUUID(),
    PORT: String(port),
    OPENAI_API_KEY: 'test',
    OPENAI_BASE_URL: imageServer.url,
    IMAGE_PROVIDER: 'local',
    ...options.settings,
  };
  const config = loadConfig(settings);
  // Adding a route for each file of the site takes two fifths of the processor time of a start.
  const serverOptions = {
    site: null,
    deadlines: deadlinesHere,
    ...options.server,
    ...sharedProcesses(config),
  };
  let server = await startServer(config, serverOptions);
  const { db } = server.context;
  const workers: RunningWorker[] = [];
  const servers: RunningServer[] = [];
  const processes: ProgramProcess[] = [];
  const startProcess = async (program: 'server' | 'worker', given: GivenSettings) => {
    const started = await startProgram(program, { ...settings, PORT: '0', ...given });
    processes.push(started);
    return started;
  };

  const stack: TestStack = {
    config,
    storageFolder: folder,
    settings,
    server,
    url: server.url,
    db,
    get models() {
      return modelsOf(stack.db);
    },
    images,
    stripe: createStripeControl(stripeServer.controlUrl),
    // The mail server allows no longer wait.
    mails: createMailClient(mailServer.pageUrl, Math.min(limitMs(30_000), 290_000)),
    mailPageUrl: mailServer.pageUrl,
    seller: (details) => createSeller(stack, details),
    async startWorker(given = {}) {
      const worker = await startWorker(loadConfig({ ...settings, ...given }));
      workers.push(worker);
      return worker;
    },
    startWorkerProcess: (given = {}) => startProcess('worker', given),
    startServerProcess: (given = {}) => startProcess('server', given),
    async startServer(given = {}, site) {
      const anotherConfig = loadConfig({ ...settings, PORT: '0', ...given });
      const another = await startServer(anotherConfig, {
        site: site ?? options.server?.site ?? null,
        deadlines: deadlinesHere,
        ...sharedProcesses(anotherConfig),
      });
      servers.push(another);
      return another;
    },
    async restartServer() {
      await server.close();
      server = await startServer(config, serverOptions);
      stack.server = server;
      stack.db = server.context.db;
    },
    audit: async (images) => audit(stack.db, await openStorage(config.storage), images),
    async close() {
      await Promise.all(processes.map((started) => started.kill()));
      await Promise.all(servers.map((another) => another.close()));
      await Promise.all(workers.map((worker) => worker.close()));
      await connectionOf(stack.db).dropDatabase();
      await server.close();
      await Promise.all([imageServer.close(), stripeServer.close(), mailServer.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
  for (let count = options.workers ?? 1; count > 0; count -= 1) await stack.startWorker();
  return stack;
}

function withDatabase(mongodbUrl: string, database: string): string {
  const url = new URL(mongodbUrl);
  url.pathname = `/${database}`;
  return url.href;
}
