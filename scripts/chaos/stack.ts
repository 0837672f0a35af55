/** The stack that a chaos campaign runs on: two servers and two workers, with a proxy on every hop. */
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createMailClient, type MailClient } from '#local/mail/control-client.ts';
import { createImageServerControl, type ImageServerControlClient } from '#local/openai/control-client.ts';
import { createStripeControl, type StripeControlClient } from '#local/stripe/control-client.ts';
import { freePort } from '#scripts/start/port.ts';
import { localStripeKey, setUpStripe } from '#scripts/stripe/setup.ts';
import { openStripe } from '#shared/billing/client.ts';
import { type Config, loadConfig } from '#shared/platform/config.ts';
import type { GivenSettings } from '#shared/platform/settings.ts';
import { type ChaosProcess, startChaosProcess } from './processes.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

const programNames = ['server-1', 'server-2', 'worker-1', 'worker-2'] as const;
const serviceNames = ['mongo', 'queue', 'images', 'stripe', 'mail'] as const;
type ProgramName = (typeof programNames)[number];
type ServiceName = (typeof serviceNames)[number];

/**
 * The connections between two parts, each with a proxy of its own: from one program to a service, from the sellers to one
 * server, and from Stripe to a server (its webhook).
 */
export type HopName =
  | `${ProgramName}→${ServiceName}`
  | 'sellers→server-1'
  | 'sellers→server-2'
  | 'stripe→server-1';

export interface ChaosStack {
  /** The settings of the programs, with addresses that no proxy is in front of. */
  config: Config;
  /** Whether the queue is on Redis or PostgreSQL. */
  queue: QueueKind;
  programs: Record<ProgramName, ChaosProcess>;
  services: Record<ServiceName, ChaosProcess>;
  hops: Record<HopName, TcpProxy>;
  images: ImageServerControlClient;
  stripe: StripeControlClient;
  mails: MailClient;
  /** Folder of photos and images; STORAGE_URL of all programs. */
  storageFolder: string;
  /** Folder of the logs of all processes. */
  logFolder: string;
  close(): Promise<void>;
}

export type QueueKind = 'redis' | 'postgres';

export interface ChaosStackOptions {
  queue: QueueKind;
  /** A new folder for the data and logs of all processes. */
  folder: string;
  /** Modules that are loaded before every server and worker, as absolute paths: they remove a guard. */
  imports?: readonly string[];
  /** Settings of all servers and workers that override the usual ones. */
  settings?: GivenSettings;
}

/** Settings with short times, so that a run needs seconds. See short-times.ts for the times that are no settings. */
const quick: GivenSettings = {
  HOST: '127.0.0.1',
  NETWORK_LIMIT_FACTOR: '1000000',
  LOG_LEVEL: 'info',
  OPENAI_API_KEY: 'local',
  IMAGE_PROVIDER: 'local',
  WORKER_CONCURRENCY: '4',
  WORKER_LOCK_MS: '1500',
  WORKER_GRACE_MS: '500',
  UPKEEP_INTERVAL_MS: '300',
  PROVIDER_BACKOFF_MS: '30',
  PROVIDER_TIMEOUT_MS: '3000',
  PROVIDER_STALL_MS: '1000',
  PROVIDER_BUSY_WAIT_MS: '6000',
  PROVIDER_ACCOUNT_WAIT_MS: '6000',
  BATCH_WINDOW: '3',
  STORAGE_RESERVE_MB: '8',
  PRODUCT_MATCH: 'false',
};

/** How long the provider takes for an image, in ms: long enough to be cancelled, and to be interrupted. */
export const usualProviderMs = 50;

/**
 * Starts all processes and the proxies between them.
 * @throws StackError when one does not start; those that did are stopped
 */
export async function startChaosStack({
  queue,
  folder,
  imports = [],
  settings = {},
}: ChaosStackOptions): Promise<ChaosStack> {
  // PostgreSQL may run as another user, which needs search permission on its folder.
  await mkdir(folder, { recursive: true, mode: 0o711 });
  const logFolder = join(folder, 'logs');
  const storageFolder = join(folder, 'images');
  const closing: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const end of closing.toReversed()) await end();
  };
  const run = async (
    name: string,
    command: readonly string[],
    settings: GivenSettings = {},
    loaded: readonly string[] = [],
  ) => {
    const started = await startChaosProcess({ name, command, settings, imports: loaded, logFolder });
    closing.push(() => started.terminate());
    return started;
  };
  const proxy = async (targetUrl: string) => {
    const started = await startTcpProxy(targetUrl);
    closing.push(() => started.close());
    return started;
  };
  try {
    const services = await startServices(queue, folder, run);
    const name = `chaos_${randomBytes(6).toString('hex')}`;
    const mongodbUrl = new URL(services.mongo.url!);
    mongodbUrl.pathname = `/${name}`;
    // How often the driver looks for a server that is away.
    mongodbUrl.searchParams.set('heartbeatFrequencyMS', '500');
    const addresses: Record<ServiceName, string> = {
      mongo: mongodbUrl.href,
      queue: services.queue.url!,
      images: services.images.url!,
      stripe: services.stripe.url!,
      mail: services.mail.url!,
    };
    const hops = {} as Record<HopName, TcpProxy>;
    const ports = {} as Record<ProgramName, number>;
    for (const program of programNames) {
      for (const service of serviceNames) hops[`${program}→${service}`] = await proxy(addresses[service]);
    }
    for (const server of ['server-1', 'server-2'] as const) {
      ports[server] = await freePort('127.0.0.1', 0);
      hops[`sellers→${server}`] = await proxy(`http://127.0.0.1:${ports[server]}`);
    }
    hops['stripe→server-1'] = await proxy(`http://127.0.0.1:${ports['server-1']}`);
    const stripe = openStripe({ secretKey: localStripeKey, apiUrl: services.stripe.url! });
    const { settings: stripeSettings } = await setUpStripe(
      stripe,
      new URL(hops['stripe→server-1'].url).origin,
    );
    const common: GivenSettings = {
      ...quick,
      ...stripeSettings,
      STRIPE_SECRET_KEY: localStripeKey,
      QUEUE_NAME: name,
      STORAGE_URL: pathToFileURL(storageFolder).href,
      SESSION_SECRET: randomBytes(32).toString('hex'),
      ...settings,
    };
    const settingsOf = (program: ProgramName): GivenSettings => ({
      ...common,
      PORT: String(ports[program] ?? 0),
      MONGODB_URL: hops[`${program}→mongo`].url,
      QUEUE_URL: hops[`${program}→queue`].url,
      OPENAI_BASE_URL: hops[`${program}→images`].url,
      STRIPE_API_URL: new URL(hops[`${program}→stripe`].url).origin,
      SMTP_URL: hops[`${program}→mail`].url,
    });
    const loaded = [join(import.meta.dirname, 'preload/short-times.ts'), ...imports];
    const start = (program: ProgramName) =>
      run(program, [`${program.split('-')[0]}/main.ts`], settingsOf(program), loaded);
    // The first one migrates the database.
    const first = await start('server-1');
    const others = await Promise.all((['server-2', 'worker-1', 'worker-2'] as const).map(start));
    const images = createImageServerControl(`${new URL(addresses.images).origin}/control`);
    await images.set({ default: { kind: 'slow', ms: usualProviderMs } });
    return {
      config: loadConfig({
        ...settingsOf('server-1'),
        MONGODB_URL: addresses.mongo,
        QUEUE_URL: addresses.queue,
        STRIPE_API_URL: new URL(addresses.stripe).origin,
      }),
      queue,
      programs: { 'server-1': first, 'server-2': others[0]!, 'worker-1': others[1]!, 'worker-2': others[2]! },
      services,
      hops,
      images,
      stripe: createStripeControl(`${new URL(addresses.stripe).origin}/control`),
      mails: createMailClient(services.mail.pageUrl!),
      storageFolder,
      logFolder,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Starts the stores and the stand-ins of outside services, each on a port that it keeps. */
async function startServices(
  queue: QueueKind,
  folder: string,
  run: (name: string, command: readonly string[]) => Promise<ChaosProcess>,
): Promise<Record<ServiceName, ChaosProcess>> {
  const port = async () => String(await freePort('127.0.0.1', 0));
  const local = async (service: string, ...flags: string[]) => {
    const command = [
      'scripts/local/main.ts',
      service,
      '--data',
      join(folder, service),
      '--port',
      await port(),
    ];
    return run(service === 'openai' ? 'images' : service, [...command, ...flags]);
  };
  const redis = async () => run('queue', ['scripts/chaos/redis.ts', await port(), join(folder, 'redis')]);
  const [mongo, queueStore, images, stripe, mail] = await Promise.all([
    local('mongo'),
    queue === 'redis' ? redis() : local('queue'),
    local('openai', '--mode', 'instant', '--control'),
    local('stripe', '--control'),
    local('mail', '--control', '--web-port', await port()),
  ]);
  return { mongo, queue: queueStore, images, stripe, mail };
}
