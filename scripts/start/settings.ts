/** What a stack stands in for, and the settings that its processes get. */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { localStripeKey } from '#scripts/stripe/setup.ts';
import { givenSettings, type SettingName } from '#shared/platform/config.ts';

export type GivenSettings = Partial<Record<SettingName, string>>;

/** The local services: each stands in where its setting is not given. */
export const localServices = [
  { name: 'mongo', setting: 'MONGODB_URL', stands: 'MongoDB' },
  { name: 'queue', setting: 'QUEUE_URL', stands: 'queue (PostgreSQL)' },
  { name: 'openai', setting: 'OPENAI_API_KEY', stands: 'local image renderer' },
  { name: 'stripe', setting: 'STRIPE_SECRET_KEY', stands: 'Stripe, where no money moves' },
  { name: 'mail', setting: 'SMTP_URL', stands: 'mail, shown on a page' },
] as const satisfies readonly { name: string; setting: SettingName; stands: string }[];

export type LocalService = (typeof localServices)[number];

/** The local services that these settings leave to us. */
export function missingServices(given: GivenSettings = givenSettings()): LocalService[] {
  return localServices.filter((service) => given[service.setting] === undefined);
}

/**
 * The settings for server and worker that follow from the local services' addresses.
 * @param urls address of each local service that runs
 */
export function settingsFor(urls: ReadonlyMap<LocalService['name'], string>): GivenSettings {
  const mongodbUrl = urls.get('mongo');
  const queueUrl = urls.get('queue');
  const imagesUrl = urls.get('openai');
  const stripeUrl = urls.get('stripe');
  const smtpUrl = urls.get('mail');
  return {
    ...(mongodbUrl === undefined ? {} : { MONGODB_URL: `${mongodbUrl.replace(/\/+$/, '')}/packshot` }),
    ...(queueUrl === undefined ? {} : { QUEUE_URL: queueUrl }),
    ...(imagesUrl === undefined
      ? {}
      : { OPENAI_API_KEY: 'local', OPENAI_BASE_URL: imagesUrl, IMAGE_PROVIDER: 'local' }),
    ...(stripeUrl === undefined ? {} : { STRIPE_SECRET_KEY: localStripeKey, STRIPE_API_URL: stripeUrl }),
    ...(smtpUrl === undefined ? {} : { SMTP_URL: smtpUrl }),
  };
}

/**
 * The secret that Stripe signs its events with: Stripe tells it once, when the webhook is made.
 * @param made the secret of a webhook that was made now
 */
export function keptWebhookSecret(dataFolder: string, made: string | undefined): Promise<string> {
  return keep(join(dataFolder, 'webhook-secret'), made);
}

/** The key that sessions are signed with, made once and kept, so that a restart signs nobody out. */
export async function keptSecret(dataFolder: string): Promise<string> {
  return keep(join(dataFolder, 'secret'), undefined);
}

/** What a file keeps, unless there is something new to keep; made up where there is neither. */
async function keep(file: string, given: string | undefined): Promise<string> {
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (given === undefined && kept.trim().length >= 32) return kept.trim();
  const secret = given ?? randomBytes(32).toString('hex');
  await writeFile(file, `${secret}\n`, { mode: 0o600 });
  return secret;
}
