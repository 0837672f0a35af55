/** The stack that a chaos campaign runs on: two servers and two workers, with a proxy on every hop. */
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createMailClient, type MailClient } from '#local/mail/control-client.ts';
import { createImageServerControl, type ImageServerControlClient } from '#local/openai/control-client.ts';
import { createStripeControl, type StripeControlClient } from '#local/stripe/control-client.ts';
import { localStripeKey, setUpStripe } from '#scripts/stripe/setup.ts';
import { openStripe } from '#shared/billing/client.ts';
import { type Config, loadConfig } from '#shared/platform/config.ts';
import type { GivenSettings } from '#shared/platform/settings.ts';
import { startTcpProxy, type TcpProxy } from '#tests/support/tcp-proxy.ts';
import {
  type HopName,
  type ProgramName,
  programNames,
  type ServiceName,
  type StorageHopName,
  serverNames,
  serviceNames,
  workerNames,
} from './hops.ts';
import { findLastingPort } from './ports.ts';
import { type ChaosProcess, type Program, startChaosProcess } from './processes.ts';
import { type QueueKind, startServices } from './services.ts';
import { type ChaosStorage, type Launcher, type StorageKind, startStorage } from './storage.ts';

export interface ChaosStack {
  /** The settings of the programs, with addresses that no proxy is in front of. */
  config: Config;
  /** Whether the queue is on Redis or PostgreSQL. */
  queue: QueueKind;
  programs: Record<ProgramName, ChaosProcess>;
  services: Record<ServiceName, ChaosProcess>;
  /** Those to the storage exist only where it is a bucket. */
  hops: Hops;
  images: ImageServerControlClient;
  stripe: StripeControlClient;
  mails: MailClient;
  storage: ChaosStorage;
  /** Folder of the logs of all processes. */
  logFolder: string;
  close(): Promise<void>;
}

type Hops = Record<Exclude<HopName, StorageHopName>, TcpProxy> & Partial<Record<StorageHopName, TcpProxy>>;

export interface ChaosStackOptions {
  queue: QueueKind;
  storage: StorageKind;
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
  UNPAID_CALLS_FACTOR: '1000000',
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
  storage: storageKind,
  folder,
  imports = [],
  settings = {},
}: ChaosStackOptions): Promise<ChaosStack> {
  // PostgreSQL may run as another user, which needs search permission on its folder.
  await mkdir(folder, { recursive: true, mode: 0o711 });
  const logFolder = join(folder, 'logs');
  const temporaryFolder = join(folder, 'tmp');
  await mkdir(temporaryFolder);
  const closing: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const end of closing.toReversed()) await end();
  };
  const run = async (program: Omit<Program, 'logFolder'>) => {
    const started = await startChaosProcess({ ...program, logFolder });
    closing.push(() => started.terminate());
    return started;
  };
  const proxy = async (targetUrl: string) => {
    const started = await startTcpProxy(targetUrl, await findLastingPort());
    closing.push(() => started.close());
    return started;
  };
  const launcher: Launcher = {
    folder,
    run: (name, command) => run({ name, command }),
    proxy,
    onClose: (end) => void closing.push(end),
  };
  try {
    const storage = await startStorage(storageKind, launcher, temporaryFolder);
    const services = await startServices(queue, launcher);
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
    const hops = (storage.kind === 's3' ? { ...storage.hops } : {}) as Hops;
    const ports: Partial<Record<ProgramName, number>> = {};
    for (const program of programNames) {
      for (const service of serviceNames) hops[`${program}→${service}`] = await proxy(addresses[service]);
    }
    for (const server of serverNames) {
      ports[server] = await findLastingPort();
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
      SESSION_SECRET: randomBytes(32).toString('hex'),
      ...settings,
    };
    const settingsOf = (program: ProgramName): GivenSettings => ({
      ...common,
      ...storage.settingsOf(program),
      PORT: String(ports[program] ?? 0),
      MONGODB_URL: hops[`${program}→mongo`].url,
      QUEUE_URL: hops[`${program}→queue`].url,
      OPENAI_BASE_URL: hops[`${program}→images`].url,
      STRIPE_API_URL: new URL(hops[`${program}→stripe`].url).origin,
      SMTP_URL: hops[`${program}→mail`].url,
    });
    const loaded = [join(import.meta.dirname, 'preload/short-times.ts'), ...imports];
    const programs = {} as ChaosStack['programs'];
    const start = async (name: ProgramName) => {
      const command = [`${name.split('-')[0]}/main.ts`];
      programs[name] = await run({
        name,
        command,
        settings: settingsOf(name),
        imports: loaded,
        temporaryFolder,
      });
    };
    // The first one migrates the database.
    await start('server-1');
    await Promise.all([start('server-2'), ...workerNames.map(start)]);
    const images = createImageServerControl(`${new URL(addresses.images).origin}/control`);
    await images.set({ default: { kind: 'slow', ms: usualProviderMs } });
    return {
      config: loadConfig({
        ...settingsOf('server-1'),
        ...storage.settings,
        MONGODB_URL: addresses.mongo,
        QUEUE_URL: addresses.queue,
        STRIPE_API_URL: new URL(addresses.stripe).origin,
      }),
      queue,
      programs,
      services,
      hops,
      images,
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
