/** Servers and workers of either release behind nginx with TLS, with Redis, as in production. */
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createImageServerControl, type ImageServerControlClient } from '#local/openai/control-client.ts';
import { localStripeKey } from '#scripts/stripe/local-key.ts';
import { setUpStripe } from '#scripts/stripe/setup.ts';
import { openStripe } from '#shared/billing/client.ts';
import { type Config, loadConfig } from '#shared/platform/config.ts';
import type { GivenSettings } from '#shared/platform/settings.ts';
import { findLastingPort } from '#tests/campaigns/support/ports.ts';
import type { CampaignProcess } from '#tests/campaigns/support/processes.ts';
import {
  common,
  createLauncher,
  databaseName,
  startLastingServices,
  withDatabase,
} from '#tests/campaigns/support/stack.ts';
import { makeCertificate } from './authority.ts';

/** A checkout whose programs are run. */
export interface Release {
  name: string;
  folder: string;
}

export interface RolloutStack {
  config: Config;
  settings: GivenSettings;
  /** The address of nginx. */
  url: string;
  storageFolder: string;
  logFolder: string;
  images: ImageServerControlClient;
  /** The stores and nginx. */
  services: Record<'mongo' | 'queue' | 'nginx', CampaignProcess>;
  /** In the order of their ports, and of their start. */
  servers: CampaignProcess[];
  workers: CampaignProcess[];
  /** Starts a worker more. */
  addWorker(release: Release): Promise<void>;
  /** Replaces a server by one of another release at the same address. */
  replaceServer(index: number, release: Release): Promise<void>;
  /** Starts a worker of another release, and ends one that runs. */
  replaceWorker(index: number, release: Release): Promise<void>;
  close(): Promise<void>;
}

const serverCount = 2;

/** Starts the stack with two servers and one worker. @throws StackError when a process does not start */
export async function startRolloutStack(folder: string, first: Release): Promise<RolloutStack> {
  await mkdir(folder, { recursive: true, mode: 0o711 });
  const certificates = join(folder, 'certificates');
  await mkdir(certificates);
  await makeCertificate(certificates);
  // Longer than a worker waits for its images.
  const { launcher, logFolder, close } = createLauncher(folder, { endMs: 40_000 });
  try {
    const services = await startLastingServices('redis', launcher);
    const ports = await Promise.all(Array.from({ length: serverCount + 1 }, () => findLastingPort()));
    const nginxPort = ports.pop()!;
    const { settings: stripeSettings } = await setUpStripe(
      openStripe({ secretKey: localStripeKey, apiUrl: services.stripe.url! }),
      `http://127.0.0.1:${ports[0]}`,
    );
    const storageFolder = join(folder, 'images');
    const url = `https://127.0.0.1:${nginxPort}`;
    const name = databaseName();
    const settings: GivenSettings = {
      ...common,
      ...stripeSettings,
      NODE_ENV: 'production',
      // Production refuses local services.
      TRY_OUT: 'true',
      PUBLIC_URL: url,
      TRUSTED_PROXIES: '1',
      WORKER_CONCURRENCY: '4',
      MONGODB_URL: withDatabase(services.mongo.url!, name).href,
      QUEUE_URL: services.queue.url!,
      QUEUE_NAME: name,
      STORAGE_URL: pathToFileURL(storageFolder).href,
      SESSION_SECRET: randomBytes(32).toString('hex'),
      SEALING_KEYS: randomBytes(32).toString('hex'),
      WEBHOOK_KEYS: randomBytes(32).toString('hex'),
      OPENAI_BASE_URL: services.images.url!,
      STRIPE_API_URL: services.stripe.url!,
      SMTP_URL: services.mail.url!,
    };
    let started = 0;
    const run = (kind: 'server' | 'worker', release: Release, port: number) => {
      started += 1;
      return launcher.run({
        name: `${started}-${kind}-${release.name}`,
        command: [join(release.folder, kind, 'main.ts')],
        settings: { ...settings, PORT: String(port) },
      });
    };
    const servers: CampaignProcess[] = [];
    for (const port of ports) servers.push(await run('server', first, port));
    const workers = [await run('worker', first, 0)];
    const nginx = await launcher.run({
      name: 'nginx',
      command: [
        'tests/campaigns/rollout/nginx.ts',
        String(nginxPort),
        certificates,
        ...ports.map((port) => `http://127.0.0.1:${port}`),
      ],
    });
    return {
      config: loadConfig(settings),
      settings,
      url,
      storageFolder,
      logFolder,
      images: createImageServerControl(`${new URL(services.images.url!).origin}/control`),
      services: { mongo: services.mongo, queue: services.queue, nginx },
      servers,
      workers,
      async addWorker(release) {
        workers.push(await run('worker', release, 0));
      },
      async replaceServer(index, release) {
        await servers[index]!.terminate();
        servers[index] = await run('server', release, ports[index]!);
      },
      async replaceWorker(index, release) {
        const before = workers[index]!;
        workers[index] = await run('worker', release, 0);
        await before.terminate();
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
