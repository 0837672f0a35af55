import type { ServerContext } from '#server/http/context.ts';
import { replaceStoredSecret, secretsWithoutPrefix } from '#shared/data/accounts/sealed-secrets.ts';
import { createSeal, sealAgain } from '#shared/platform/seal.ts';

/**
 * Seals the two-factor secrets that are sealed with an older key again, and logs how many. Sellers whose secret none of the
 * keys opens need a recovery code: the log says so.
 */
export async function sealSecrets({
  db,
  config,
  log,
}: Pick<ServerContext, 'db' | 'config' | 'log'>): Promise<void> {
  const seal = createSeal(config.sealingSecrets);
  const { sealed, unreadable } = await sealAgain(
    seal,
    secretsWithoutPrefix(db, seal.prefix),
    (sellerId, from, to) => replaceStoredSecret(db, sellerId, from, to),
  );
  if (sealed > 0) log.info({ sealed }, 'two-factor secrets were sealed with the first of SEALING_KEYS');
  if (unreadable > 0) {
    log.error({ unreadable }, 'two-factor secrets are sealed with keys that are not in SEALING_KEYS');
  }
}
