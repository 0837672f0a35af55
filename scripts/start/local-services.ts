/** The local services of a stack: each replaces a service whose setting is not given. */

import { join } from 'node:path';
import { localStripeKey } from '#scripts/stripe/local-key.ts';
import { argumentsOfModel, type ChosenModel } from '#shared/cutout/model-arguments.ts';
import { type GivenSettings, givenSettings, type SettingName } from '#shared/platform/settings.ts';
import { childEnvironment } from './child-environment.ts';
import type { RunningProcess } from './process.ts';
import type { ProcessGroup } from './process-group.ts';

const localServices = [
  { name: 'mongo', setting: 'MONGODB_URL', description: 'MongoDB' },
  { name: 'queue', setting: 'QUEUE_URL', description: 'queue (PostgreSQL)' },
  { name: 'openai', setting: 'OPENAI_API_KEY', description: 'local image renderer' },
  { name: 'stripe', setting: 'STRIPE_SECRET_KEY', description: 'Stripe, where no money moves' },
  { name: 'mail', setting: 'SMTP_URL', description: 'mail, shown on a page' },
] as const satisfies readonly { name: string; setting: SettingName; description: string }[];

export type LocalService = (typeof localServices)[number];

type Addresses = Pick<RunningProcess, 'url' | 'pageUrl'>;

/** Those that run, by name. */
export type RunningServices = ReadonlyMap<LocalService['name'], Addresses>;

/** The services that these settings do not name. */
export function missingServices(given: GivenSettings): LocalService[] {
  return localServices.filter((service) => given[service.setting] === undefined);
}

/** Starts local services; each keeps its data in a folder of its name. */
export async function startLocalServices(
  group: ProcessGroup,
  services: readonly LocalService[],
  dataFolder: string,
): Promise<RunningServices> {
  const running = services.map(async ({ name }) => {
    const model = name === 'openai' ? argumentsOfModel(cutoutModelOf(givenSettings())) : [];
    const command = ['scripts/local/main.ts', name, '--data', join(dataFolder, name), ...model];
    const logFolder = join(dataFolder, 'logs');
    const service = await group.start('service', {
      name,
      command,
      env: childEnvironment({}),
      logFolder,
      sameAddress,
    });
    return [name, service] as const;
  });
  return new Map(await group.all(running));
}

/** The options of scripts/local/main.ts that give a service the ports which it has chosen at its first start. */
function sameAddress({ url, pageUrl }: Addresses): string[] {
  const option = (name: string, address: string | undefined) =>
    address === undefined ? [] : [name, new URL(address).port];
  return [...option('--port', url), ...option('--web-port', pageUrl)];
}

/** The model of the settings; server and worker say so if it is none. */
function cutoutModelOf({
  CUTOUT_MODEL: file,
  CUTOUT_MODEL_FAMILY: family,
}: GivenSettings): ChosenModel | undefined {
  return file === undefined
    ? undefined
    : { file, ...(family === 'isnet' || family === 'u2net' ? { family } : {}) };
}

/** The settings with which server and worker reach the local services. */
export function serviceSettings(services: RunningServices): GivenSettings {
  const mongodbUrl = services.get('mongo')?.url;
  const queueUrl = services.get('queue')?.url;
  const imagesUrl = services.get('openai')?.url;
  const stripeUrl = services.get('stripe')?.url;
  const smtpUrl = services.get('mail')?.url;
  return {
    ...(mongodbUrl && { MONGODB_URL: `${mongodbUrl.replace(/\/+$/, '')}/packshot` }),
    ...(queueUrl && { QUEUE_URL: queueUrl }),
    ...(imagesUrl && { OPENAI_API_KEY: 'local', OPENAI_BASE_URL: imagesUrl, IMAGE_PROVIDER: 'local' }),
    ...(stripeUrl && { STRIPE_SECRET_KEY: localStripeKey, STRIPE_API_URL: stripeUrl }),
    ...(smtpUrl && { SMTP_URL: smtpUrl }),
  };
}
