/** What a stack stands in for, and the settings that its processes get. */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { givenSettings, type SettingName } from '../../shared/config.ts';

export type GivenSettings = Partial<Record<SettingName, string>>;

/** The local services: each stands in where its setting is not given. */
export const localServices = [
  { name: 'mongo', setting: 'MONGODB_URL', stands: 'MongoDB' },
  { name: 'queue', setting: 'QUEUE_URL', stands: 'queue (PostgreSQL)' },
  { name: 'openai', setting: 'OPENAI_API_KEY', stands: 'image renderer without AI' },
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
  return {
    ...(mongodbUrl === undefined ? {} : { MONGODB_URL: `${mongodbUrl.replace(/\/+$/, '')}/packshot` }),
    ...(queueUrl === undefined ? {} : { QUEUE_URL: queueUrl }),
    ...(imagesUrl === undefined
      ? {}
      : { OPENAI_API_KEY: 'local', OPENAI_BASE_URL: imagesUrl, IMAGE_PROVIDER: 'local' }),
  };
}

/** The key that sessions are signed with, made once and kept, so that a restart signs nobody out. */
export async function keptSecret(dataFolder: string): Promise<string> {
  const file = join(dataFolder, 'secret');
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (kept.trim().length >= 32) return kept.trim();
  const secret = randomBytes(32).toString('hex');
  await writeFile(file, `${secret}\n`, { mode: 0o600 });
  return secret;
}
