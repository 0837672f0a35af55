/** Secrets of a stack, kept in its data folder. */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The secret that Stripe signs its events with.
 * @param created the secret of a webhook that was created just now: Stripe shows it only then
 */
export function webhookSecret(dataFolder: string, created: string | undefined): Promise<string> {
  return readOrCreate(join(dataFolder, 'webhook-secret'), created);
}

/** The key that sessions are signed with. It is kept, so that a restart signs nobody out. */
export function sessionSecret(dataFolder: string): Promise<string> {
  return readOrCreate(join(dataFolder, 'secret'), undefined);
}

/** Writes `replacement` if there is one; else reads the file; else writes a random secret. */
async function readOrCreate(file: string, replacement: string | undefined): Promise<string> {
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (replacement === undefined && kept.trim().length >= 32) return kept.trim();
  const secret = replacement ?? randomBytes(32).toString('hex');
  await writeFile(file, `${secret}\n`, { mode: 0o600 });
  return secret;
}
