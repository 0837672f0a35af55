import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from './client.ts';

/** What a person has to change before a command can run. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

/**
 * Address and key: from `PACKSHOT` and `PACKSHOT_KEY`, or else from `packshot/config.json` in the folder for settings, with
 * `url` and `key`.
 * @throws SettingsError when one is missing, or others can read the file
 */
export async function readSettings(): Promise<Connection> {
  const environment = process.env;
  const file = join(environment.XDG_CONFIG_HOME || join(homedir(), '.config'), 'packshot', 'config.json');
  const stored = await readStored(file);
  const url = environment.PACKSHOT || stored.url;
  const key = environment.PACKSHOT_KEY || stored.key;
  if (!url || !key) {
    const missing = url ? 'a key (PACKSHOT_KEY)' : 'the address of Packshot (PACKSHOT)';
    throw new SettingsError(`set ${missing}, or write it into ${file}`);
  }
  if (!/^https?:\/\/[^/]/.test(url)) {
    throw new SettingsError('the address of Packshot starts with https:// or http://');
  }
  return { url, key };
}

async function readStored(file: string): Promise<Partial<Connection>> {
  const found = await stat(file).catch(() => undefined);
  if (!found) return {};
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) {
    throw new SettingsError(`others can read the key in ${file}: chmod 600 it`);
  }
  try {
    const { url, key } = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    return { ...(typeof url === 'string' && { url }), ...(typeof key === 'string' && { key }) };
  } catch {
    throw new SettingsError(`${file} is no JSON`);
  }
}

/** Whether a key makes test images. The beginning stands here: a package of its own has no more of the contract than it needs. */
export const isTestKey = (key: string) => key.startsWith('pk_test_');
