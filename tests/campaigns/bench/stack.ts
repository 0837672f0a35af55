/** The stack that the benchmarks measure: each service in its own process, on a new database and queue. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { freePort } from '#scripts/start/port.ts';
import { type RunningProcess, startProcess } from '#scripts/start/process.ts';
import { localStripeKey, setUpStripe } from '#scripts/stripe/setup.ts';
import { openStripe } from '#shared/billing/client.ts';
import { type Config, loadConfig } from '#shared/platform/config.ts';
import { type GivenSettings, givenSettings } from '#shared/platform/settings.ts';

export interface BenchStack {
  config: Config;
  /** Address of the first server. */
  url: string;
  /** Addresses of all servers. */
  urls: string[];
  /** Address of the image server's control, if it was started with `--control`. */
  imagesControlUrl: string;
  /** Folder of photos and images. */
  storageFolder: string;
  /** All processes of the stack; their names appear in the results. */
  processes: RunningProcess[];
  /** Starts one more worker. */
  startWorker(): Promise<RunningProcess>;
  close(): Promise<void>;
}

/** Concurrent jobs of the worker, and concurrent requests of the load generator, in every comparison. */
export const concurrency = 8;

/**
 * Behaviour of the image server that leaves time between its previews, as a real provider does. A preview is stored before the
 * next one comes; one that is not stored when the image comes is skipped.
 */
export const previewsApart = { kind: 'slow', ms: 0, previewMs: 100 } as const;

/** Settings of server and worker that do not depend on the other processes. */
const fixedSettings: GivenSettings = {
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'warn',
  // All load comes from one network address.
  NETWORK_LIMIT_FACTOR: '1000',
  UNPAID_CALLS_FACTOR: '1000',
  OPENAI_API_KEY: 'local',
  IMAGE_PROVIDER: 'local',
  STRIPE_SECRET_KEY: localStripeKey,
  STRIPE_WEBHOOK_SECRET: 'unused',
  WORKER_CONCURRENCY: String(concurrency),
  // It takes several times as long as all else; `npm run campaign -- match-report` measures it.
  PRODUCT_MATCH: 'false',
};

/** What differs from the default stack. */
export interface BenchStackOptions {
  /** Settings of server and worker that override the default ones. */
  settings?: GivenSettings;
  /** How many servers run; one by default. The names of others than the first end with their number: `server-2`. */
  servers?: number;
  /** How many workers run from the beginning; one by default. */
  workers?: number;
  /** A queue of its own instead of the usual one: the installed redis-server. */
  onRedis?: boolean;
  /** Settings of the workers only. */
  workerSettings?: GivenSettings;
  /** Flags of the local image server; default: it answers without latency. */
  imageFlags?: readonly string[];
}

/**
 * Starts the local services, server and worker. Stores at MONGODB_URL and QUEUE_URL are used instead of local ones.
 * @throws StackError when a process does not start; those that did are stopped
 */
export async function startBenchStack(options: BenchStackOptions = {}): Promise<BenchStack> {
  const folder = await mkdtemp(join(tmpdir(), 'packshot-bench-'));
  const storageFolder = join(folder, 'images');
  const given = givenSettings();
  const processes: RunningProcess[] = [];
  const start = async (name: string, command: string[], settings: GivenSettings) => {
    const env = childEnvironment(settings);
    const started = await startProcess({
      name,
      command,
      env,
      logFolder: join(folder, 'logs'),
      endMs: 30_000,
    });
    processes.push(started);
    return started;
  };
  const numberOf = { server: 0, worker: 0 };
  /** One program more of a kind. The first one has no number in its name. */
  const startProgram = (kind: 'server' | 'worker', settings: GivenSettings) => {
    numberOf[kind] += 1;
    return start(numberOf[kind] === 1 ? kind : `${kind}-${numberOf[kind]}`, [`${kind}/main.ts`], settings);
  };
  const startPrograms = (kind: 'server' | 'worker', count: number, settings: GivenSettings) =>
    Promise.all(Array.from({ length: count }, () => startProgram(kind, settings)));
  const startRedis = async () => {
    const port = String(await freePort('127.0.0.1', 0));
    return start('queue', ['tests/campaigns/support/redis.ts', port, join(folder, 'redis')], {});
  };
  const local = (name: string, ...flags: string[]) =>
    start(name, ['scripts/local/main.ts', name, '--data', join(folder, name), ...flags], {});
  const close = async () => {
    for (const each of processes.toReversed()) await each.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const database = `bench_${randomBytes(6).toString('hex')}`;
    const [mongo, queue, images, stripe, mail] = await Promise.all([
      given.MONGODB_URL === undefined ? local('mongo') : undefined,
      options.onRedis ? startRedis() : given.QUEUE_URL === undefined ? local('queue') : undefined,
      local('openai', ...(options.imageFlags ?? ['--mode', 'instant'])),
      local('stripe'),
      local('mail'),
    ]);
    // No webhook is needed: makeSellers saves the billing state itself, so the events' address may be unreachable.
    await setUpStripe(
      openStripe({ secretKey: localStripeKey, apiUrl: stripe.url }),
      'http://packshot.invalid',
    );
    const mongodbUrl = new URL(mongo?.url ?? given.MONGODB_URL!);
    mongodbUrl.pathname = `/${database}`;
    const settings: GivenSettings = {
      ...fixedSettings,
      MONGODB_URL: mongodbUrl.href,
      QUEUE_URL: queue?.url ?? given.QUEUE_URL!,
      QUEUE_NAME: database,
      STORAGE_URL: pathToFileURL(storageFolder).href,
      SESSION_SECRET: randomBytes(32).toString('hex'),
      OPENAI_BASE_URL: images.url!,
      STRIPE_API_URL: stripe.url!,
      SMTP_URL: mail.url!,
      ...options.settings,
    };
    const ofWorkers = { ...settings, ...options.workerSettings };
    const [servers] = await Promise.all([
      startPrograms('server', options.servers ?? 1, settings),
      startPrograms('worker', options.workers ?? 1, ofWorkers),
    ]);
    return {
      config: loadConfig(settings),
      url: servers[0]!.url!,
      urls: servers.map(({ url }) => url!),
      imagesControlUrl: images.url!.replace(/\/v1$/, '/control'),
      storageFolder,
      processes,
      startWorker: () => startProgram('worker', ofWorkers),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
