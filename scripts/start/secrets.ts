/** Secrets of a stack, kept in its data folder. */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** How every secret begins that Stripe makes for a webhook; their lengths differ. */
const webhookSecretPrefix = 'whsec_';

const webhookSecretFile = (dataFolder: string) => join(dataFolder, 'webhook-secret');

/** The secret that the local Stripe signs its events with; undefined if none is kept that Stripe made. */
export async function keptWebhookSecret(dataFolder: string): Promise<string | undefined> {
  const kept = await read(webhookSecretFile(dataFolder));
  return kept.startsWith(webhookSecretPrefix) ? kept : undefined;
}

/** Keeps the secret of a webhook that was created just now: Stripe shows it only then. */
export function keepWebhookSecret(dataFolder: string, secret: string): Promise<void> {
  return write(webhookSecretFile(dataFolder), secret);
}

/** The key that sessions are signed with. It is kept, so that a restart signs nobody out. */
export async function sessionSecret(dataFolder: string): Promise<string> {
  const file = join(dataFolder, 'secret');
  const kept = await read(file);
  if (kept.length >= 32) return kept;
  const secret = randomBytes(32).toString('hex');
  await write(file, secret);
  return secret;
}

async function read(file: string): Promise<string> {
  return (await readFile(file, 'utf8').catch(() => '')).trim();
}

function write(file: string, secret: string): Promise<void> {
  return writeFile(file, `${secret}\n`, { mode: 0o600 });
}
