/**
 * The stacks that campaigns and attacks run on: every service, server and worker in a process of its own, on a new database and
 * queue. With proxies, each connection between two of them can be disturbed, and each process ends and starts again.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createMailClient, type MailClient } from '#local/mail/control-client.ts';
import { createImageServerControl, type ImageServerControlClient } from '#local/openai/control-client.ts';
import { createStripeControl, type StripeControlClient } from '#local/stripe/control-client.ts';
import { localStripeKey } from '#scripts/stripe/local-key.ts';
import { setUpStripe } from '#scripts/stripe/setup.ts';
import { openStripe } from '#shared/billing/client.ts';
import { connectDb } from '#shared/data/connect.ts';
import type { Db } from '#shared/data/db.ts';
import { type Config, loadConfig } from '#shared/platform/config.ts';
import { type GivenSettings, givenSettings } from '#shared/platform/settings.ts';
import { startTcpProxy, type TcpProxy } from '#tests/support/tcp-proxy.ts';
import {
  type HopName,
  type ProgramName,
  programNames,
  type ServiceName,
  type StorageHopName,
  serverNames,
  serviceNames,
} from './hops.ts';
import { findLastingPort } from './ports.ts';
import { type CampaignProcess, type Launcher, type Program, startCampaignProcess } from './processes.ts';
import { dropDatabase } from './rows.ts';
import { type CampaignStorage, type StorageKind, startStorage } from './storage.ts';

export type QueueKind = 'redis' | 'postgres';

export interface CampaignStack {
  /** The settings of the programs, with addresses that no proxy is in front of. */
  config: Config;
  /** Address of the first server. */
  url: string;
  /** Addresses of all servers. */
  urls: string[];
  /** The image server. */
  images: ImageServerControlClient;
  /** A connection to the stack's database, which is removed at the end. */
  db: Db;
  /** Folder of photos and images. */
  storageFolder: string;
  /** All processes of the stack; their names appear in the results. */
  processes: CampaignProcess[];
  /** The process with a name. @throws Error if there is none */
  process(name: string): CampaignProcess;
  /** Starts one more worker. */
  startWorker(): Promise<CampaignProcess>;
  /** Has something end with the stack, before its processes. */
  onClose(end: () => unknown): void;
}

/** What differs from the usual stack. */
export interface CampaignStackOptions {
  /** Settings of server and worker that override the usual ones. */
  settings?: GivenSettings;
  /** How many servers run; one by default, and with none there is no address. The names of others than the first end with their number: `server-2`. */
  servers?: number;
  /** How many workers run from the beginning; one by default. */
  workers?: number;
  /** A queue of its own instead of the usual one: the installed redis-server. */
  onRedis?: boolean;
  /** Settings of the workers only. */
  workerSettings?: GivenSettings;
  /** Further flags of the local image server, which answers without latency. */
  imageFlags?: readonly string[];
  /** Modules that are loaded before every server and worker, as absolute paths. */
  imports?: readonly string[];
}

/** Concurrent jobs of the worker, and concurrent requests of the load generator, in every comparison. */
export const concurrency = 8;

/**
 * Behaviour of the image server that leaves time between its previews, as a real provider does. A preview is stored before the
 * next one comes; one that is not stored when the image comes is skipped.
 */
export const previewsApart = { kind: 'slow', ms: 0, previewMs: 100 } as const;

/** Settings of server and worker in every stack. */
export const common: GivenSettings = {
  HOST: '127.0.0.1',
  PORT: '0',
  OPENAI_API_KEY: 'local',
  IMAGE_PROVIDER: 'local',
  STRIPE_SECRET_KEY: localStripeKey,
  STRIPE_WEBHOOK_SECRET: 'unused',
  // All load comes from one network address.
  NETWORK_LIMIT_FACTOR: '1000000',
  UNPAID_CALLS_FACTOR: '1000000',
  // It takes several times as long as all else; `npm run campaign -- match-report` measures it.
  PRODUCT_MATCH: 'false',
  PHOTO_CHECKS: 'false',
};

/** Runs something on a stack of its own, which ends afterwards. @throws StackError when a process does not start */
export async function onStack<Result>(
  options: CampaignStackOptions,
  run: (stack: CampaignStack) => Promise<Result>,
): Promise<Result> {
  const { stack, close } = await startCampaignStack(options);
  try {
    return await run(stack);
  } finally {
    await close();
  }
}

/**
 * Starts the local services, servers and workers. Stores at MONGODB_URL and QUEUE_URL are used instead of local ones.
 * @throws StackError when a process does not start; those that did are stopped
 */
export async function startCampaignStack(
  options: CampaignStackOptions = {},
): Promise<{ stack: CampaignStack; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'packshot-campaign-'));
  const storageFolder = join(folder, 'images');
  const given = givenSettings();
  const { launcher, processes, close } = createLauncher(folder, { endMs: 30_000 });
  launcher.onClose(() => rm(folder, { recursive: true, force: true }));
  const numberOf = { server: 0, worker: 0 };
  /** One program more of a kind. The first one has no number in its name. */
  const startProgram = (kind: 'server' | 'worker', settings: GivenSettings) => {
    numberOf[kind] += 1;
    const name = numberOf[kind] === 1 ? kind : `${kind}-${numberOf[kind]}`;
    return launcher.run({ name, command: [`${kind}/main.ts`], settings, imports: options.imports ?? [] });
  };
  const startPrograms = (kind: 'server' | 'worker', count: number, settings: GivenSettings) =>
    Promise.all(Array.from({ length: count }, () => startProgram(kind, settings)));
  try {
    const [mongo, queue, images, stripe, mail] = await Promise.all([
      given.MONGODB_URL === undefined ? startLocal(launcher, 'mongo') : undefined,
      options.onRedis
        ? startRedis(launcher)
        : given.QUEUE_URL === undefined
          ? startLocal(launcher, 'queue')
          : undefined,
      startLocal(launcher, 'openai', '--mode', 'instant', '--control', ...(options.imageFlags ?? [])),
      startLocal(launcher, 'stripe'),
      startLocal(launcher, 'mail'),
    ]);
    // No webhook is needed: makeSellers saves the billing state itself, so the events' address may be unreachable.
    await setUpStripe(
      openStripe({ secretKey: localStripeKey, apiUrl: stripe.url! }),
      'http://packshot.invalid',
    );
    const name = databaseName();
    const settings: GivenSettings = {
      ...common,
      LOG_LEVEL: 'warn',
      WORKER_CONCURRENCY: String(concurrency),
      MONGODB_URL: withDatabase(mongo?.url ?? given.MONGODB_URL!, name).href,
      QUEUE_URL: queue?.url ?? given.QUEUE_URL!,
      QUEUE_NAME: name,
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
    const db = await connectDb(settings.MONGODB_URL!);
    launcher.onClose(async () => {
      await dropDatabase(db);
      await db.close();
    });
    const stack: CampaignStack = {
      config: loadConfig(settings),
      url: servers[0]?.url ?? '',
      urls: servers.map(({ url }) => url!),
      images: createImageServerControl(images.url!.replace(/\/v1$/, '/control')),
      db,
      storageFolder,
      processes,
      process(wanted) {
        const found = processes.find((each) => each.name === wanted);
        if (!found) throw new Error(`the stack has no process ${wanted}`);
        return found;
      },
      startWorker: () => startProgram('worker', ofWorkers),
      onClose: (end) => launcher.onClose(async () => end()),
    };
    return { stack, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Two servers and two workers, with a proxy on every hop. */
export interface ProxiedStack {
  /** The settings of the programs, with addresses that no proxy is in front of. */
  config: Config;
  /** Whether the queue is on Redis or PostgreSQL. */
  queue: QueueKind;
  programs: Record<ProgramName, CampaignProcess>;
  services: Record<ServiceName, CampaignProcess>;
  /** Those to the storage exist only where it is a bucket. */
  hops: Hops;
  images: ImageServerControlClient;
  stripe: StripeControlClient;
  mails: MailClient;
  storage: CampaignStorage;
  /** Folder of the logs of all processes. */
  logFolder: string;
  close(): Promise<void>;
}

type Hops = Record<Exclude<HopName, StorageHopName>, TcpProxy> & Partial<Record<StorageHopName, TcpProxy>>;

export interface ProxiedStackOptions {
  queue: QueueKind;
  storage: StorageKind;
  /** A new folder for the data and logs of all processes. */
  folder: string;
  /** Modules that are loaded before every server and worker, as absolute paths. */
  imports: readonly string[];
  /** Settings of all servers and workers that override the usual ones. */
  settings: GivenSettings;
}

/**
 * Starts all processes and the proxies between them. Each process keeps its port when it ends and starts again.
 * @throws StackError when one does not start; those that did are stopped
 */
export async function startProxiedStack({
  queue,
  storage: storageKind,
  folder,
  imports,
  settings,
}: ProxiedStackOptions): Promise<ProxiedStack> {
  // PostgreSQL may run as another user, which needs search permission on its folder.
  await mkdir(folder, { recursive: true, mode: 0o711 });
  const temporaryFolder = join(folder, 'tmp');
  await mkdir(temporaryFolder);
  const { launcher, logFolder, close } = createLauncher(folder, {
    endMs: 5_000,
    // Starts after the first one need about half as long.
    compileCache: join(folder, 'compile-cache'),
  });
  const { proxy } = launcher;
  try {
    const storage = await startStorage(storageKind, launcher, temporaryFolder);
    const services = await startLastingServices(queue, launcher);
    const name = databaseName();
    const mongodbUrl = withDatabase(services.mongo.url!, name);
    // How often the driver looks for a server that is away.
    mongodbUrl.searchParams.set('heartbeatFrequencyMS', '500');
    const addresses: Record<ServiceName, string> = {
      mongo: mongodbUrl.href,
      queue: services.queue.url!,
      images: services.images.url!,
      stripe: services.stripe.url!,
      mail: services.mail.url!,
    };
    const hops = (storage.kind === 's3' ? { ...storage.hops } : {}) as Hops;
    const ports: Partial<Record<ProgramName, number>> = {};
    for (const program of programNames) {
      for (const service of serviceNames) hops[`${program}→${service}`] = await proxy(addresses[service]);
    }
    for (const server of serverNames) {
      ports[server] = await findLastingPort();
      hops[`sellers→${server}`] = await proxy(`http://127.0.0.1:${ports[server]}`);
    }
    hops['stripe→server'] = await proxy(`http://127.0.0.1:${ports.server}`);
    const { settings: stripeSettings } = await setUpStripe(
      openStripe({ secretKey: localStripeKey, apiUrl: services.stripe.url! }),
      new URL(hops['stripe→server'].url).origin,
    );
    const ofAll: GivenSettings = {
      ...common,
      LOG_LEVEL: 'info',
      ...stripeSettings,
      QUEUE_NAME: name,
      SESSION_SECRET: randomBytes(32).toString('hex'),
      ...settings,
    };
    const settingsOf = (program: ProgramName): GivenSettings => ({
      ...ofAll,
      ...storage.settingsOf(program),
      PORT: String(ports[program] ?? 0),
      MONGODB_URL: hops[`${program}→mongo`].url,
      QUEUE_URL: hops[`${program}→queue`].url,
      OPENAI_BASE_URL: hops[`${program}→images`].url,
      STRIPE_API_URL: new URL(hops[`${program}→stripe`].url).origin,
      SMTP_URL: hops[`${program}→mail`].url,
    });
    const programs = {} as ProxiedStack['programs'];
    const start = async (program: ProgramName) => {
      const command = [`${program.split('-')[0]}/main.ts`];
      const started = { name: program, command, settings: settingsOf(program), imports, temporaryFolder };
      programs[program] = await launcher.run(started);
    };
    const [first, ...others] = programNames;
    // It migrates the database.
    await start(first);
    await Promise.all(others.map(start));
    return {
      config: loadConfig({
        ...settingsOf(first),
        ...storage.settings,
        MONGODB_URL: addresses.mongo,
        QUEUE_URL: addresses.queue,
        STRIPE_API_URL: new URL(addresses.stripe).origin,
      }),
      queue,
      programs,
      services,
      hops,
      images: createImageServerControl(`${new URL(addresses.images).origin}/control`),
      stripe: createStripeControl(`${new URL(addresses.stripe).origin}/control`),
      mails: createMailClient(services.mail.pageUrl!),
      storage,
      logFolder,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @param kept how long a process may take to end, in ms, and where its compiled modules are kept, if they are */
export function createLauncher(folder: string, kept: Pick<Program, 'endMs' | 'compileCache'>) {
  const logFolder = join(folder, 'logs');
  const processes: CampaignProcess[] = [];
  const closing: (() => Promise<unknown>)[] = [];
  const launcher: Launcher = {
    folder,
    async run(program) {
      const started = await startCampaignProcess({ ...program, ...kept, logFolder });
      processes.push(started);
      closing.push(() => started.terminate());
      return started;
    },
    async proxy(targetUrl) {
      const started = await startTcpProxy(targetUrl, await findLastingPort());
      closing.push(() => started.close());
      return started;
    },
    onClose: (end) => void closing.push(end),
  };
  const close = async () => {
    for (const end of closing.toReversed()) await end();
  };
  return { launcher, logFolder, processes, close };
}

/** Starts the stores and the stand-ins of outside services, each on a port that it keeps. */
export async function startLastingServices(
  queue: QueueKind,
  launcher: Launcher,
): Promise<Record<ServiceName, CampaignProcess>> {
  const port = async () => String(await findLastingPort());
  const lasting = async (service: string, ...flags: string[]) =>
    startLocal(launcher, service, '--port', await port(), ...flags);
  const [mongo, queueStore, images, stripe, mail] = await Promise.all([
    lasting('mongo'),
    queue === 'redis' ? startRedis(launcher) : lasting('queue'),
    // Two attempts at one generation make different files, so that one cannot be taken for the other.
    lasting('openai', '--mode', 'instant', '--distinct', '--control'),
    lasting('stripe', '--control'),
    lasting('mail', '--control', '--web-port', await port()),
  ]);
  return { mongo, queue: queueStore, images, stripe, mail };
}

const startLocal = ({ folder, run }: Launcher, name: string, ...flags: string[]) =>
  run({ name, command: ['scripts/local/main.ts', name, '--data', join(folder, name), ...flags] });

const startRedis = async ({ folder, run }: Launcher) => {
  const port = String(await findLastingPort());
  return run({
    name: 'queue',
    command: ['tests/campaigns/support/redis.ts', port, join(folder, 'redis')],
  });
};

export const databaseName = () => `campaign_${randomBytes(6).toString('hex')}`;

export function withDatabase(mongodbUrl: string, name: string): URL {
  const url = new URL(mongodbUrl);
  url.pathname = `/${name}`;
  return url;
}
