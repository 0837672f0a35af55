/** One Packshot for one test file: its own database, queue and storage folder on the run's stores. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
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
import { audit, type Finding } from '#scripts/audit/audit.ts';
import { freePort } from '#scripts/start/port.ts';
import { localStripeKey, setUpStripe } from '#scripts/stripe/setup.ts';
import type { AppOptions } from '#server/app.ts';
import { type RunningServer, startServer } from '#server/server.ts';
import { openStripe } from '#shared/billing/client.ts';
import type { Db } from '#shared/data/db.ts';
import { connectionOf, type Models, modelsOf } from '#shared/data/models.ts';
import { type Config, loadConfig } from '#shared/platform/config.ts';
import type { SettingName } from '#shared/platform/settings.ts';
import { createStorage } from '#shared/platform/storage.ts';
import { type RunningWorker, startWorker } from '#worker/worker.ts';
import { type ProgramProcess, startProgram } from './program.ts';
import { createSeller, type NewSeller, type Seller } from './seller.ts';

export type GivenSettings = Partial<Record<SettingName, string>>;

export interface TestStack {
  config: Config;
  /** The same settings as text, for processes. */
  settings: GivenSettings;
  server: RunningServer;
  url: string;
  db: Db;
  /** The models behind `db`: tests read and write documents directly. */
  readonly models: Models;
  /** Tells the image server what to do, and what it was asked. */
  images: ImageServerControlClient;
  /** Lets time pass at Stripe, pays, declines, holds events up. */
  stripe: StripeControlClient;
  /** Reads the mails that were sent. */
  mails: MailClient;
  /** Makes a seller with a confirmed address and a paid plan, and signs them in. */
  seller(details?: NewSeller): Promise<Seller>;
  /** Starts a worker in this process; it is closed with the stack. */
  startWorker(settings?: GivenSettings): Promise<RunningWorker>;
  /** Starts a worker as a process of its own, which a test may kill. */
  startWorkerProcess(settings?: GivenSettings): Promise<ProgramProcess>;
  /** Starts one more server as a process of its own. */
  startServerProcess(settings?: GivenSettings): Promise<ProgramProcess>;
  /** Starts one more server in this process, on the same stores; it is closed with the stack. */
  startServer(settings?: GivenSettings): Promise<RunningServer>;
  /** Ends the API server and starts another one on the same port. */
  restartServer(): Promise<void>;
  /** What `npm run audit` would find. */
  audit(): Promise<Finding[]>;
  close(): Promise<void>;
}

export interface TestStackOptions {
  /** Workers in this process; one unless given. */
  workers?: number;
  settings?: GivenSettings;
  /** What the image server does unless told otherwise; it answers at once unless given. */
  images?: ControlSettings;
  /** Bounds of the server that are shorter than usual. */
  server?: AppOptions;
}

/**
 * Waits short enough for tests: a worker's death is noticed within about two seconds. And limits by network that no test
 * meets by chance: all of them come from one address.
 */
const quick: GivenSettings = {
  NETWORK_LIMIT_FACTOR: '1000',
  LOG_LEVEL: 'fatal',
  WORKER_LOCK_MS: '1500',
  WORKER_GRACE_MS: '1000',
  UPKEEP_INTERVAL_MS: '300',
  PROVIDER_BACKOFF_MS: '20',
};

/** Starts server, image server and workers on the stores that the run has taken. */
export async function startTestStack(options: TestStackOptions = {}): Promise<TestStack> {
  const name = `test_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  const folder = await mkdtemp(join(tmpdir(), 'packshot-test-'));
  const imageServer = await startImageServer({ port: 0, mode: 'instant', control: true });
  const images = createImageServerControl(imageServer.controlUrl);
  if (options.images) await images.set(options.images);
  const [port, stripeServer, mailServer] = await Promise.all([
    freePort('127.0.0.1', 0),
    startStripeServer({ control: true }),
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
    STORAGE_FOLDER: folder,
    SESSION_SECRET: randomUUID() + randomUUID(),
    PORT: String(port),
    OPENAI_API_KEY: 'test',
    OPENAI_BASE_URL: imageServer.url,
    IMAGE_PROVIDER: 'local',
    ...options.settings,
  };
  const config = loadConfig(settings);
  let server = await startServer(config, options.server);
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
    settings,
    server,
    url: server.url,
    db,
    get models() {
      return modelsOf(stack.db);
    },
    images,
    stripe: createStripeControl(stripeServer.controlUrl),
    mails: createMailClient(mailServer.pageUrl),
    seller: (details) => createSeller(stack, details),
    async startWorker(given = {}) {
      const worker = await startWorker(loadConfig({ ...settings, ...given }));
      workers.push(worker);
      return worker;
    },
    startWorkerProcess: (given = {}) => startProcess('worker', given),
    startServerProcess: (given = {}) => startProcess('server', given),
    async startServer(given = {}) {
      const another = await startServer(loadConfig({ ...settings, PORT: '0', ...given }));
      servers.push(another);
      return another;
    },
    async restartServer() {
      await server.close();
      server = await startServer(config, options.server);
      stack.server = server;
      stack.db = server.context.db;
    },
    audit: () => audit(stack.db, createStorage(config)),
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
