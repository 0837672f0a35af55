import type { ServerContext } from '#server/http/context.ts';
import { replaceStoredSecret, secretsWithoutPrefix } from '#shared/data/accounts/sealed-secrets.ts';
import { createSeal, SealError } from '#shared/platform/seal.ts';

/**
 * Seals the two-factor secrets that are sealed with an older key again, and logs how many. Idempotent; several
 * servers may do it at once. Sellers whose secret none of the keys opens need a recovery code: the log says so.
 */
export async function sealSecrets({
  db,
  config,
  log,
}: Pick<ServerContext, 'db' | 'config' | 'log'>): Promise<void> {
  const seal = createSeal(config.sealingSecrets);
  let sealed = 0;
  let unreadable = 0;
  for await (const { sellerId, stored } of secretsWithoutPrefix(db, seal.prefix)) {
    try {
      const again = seal.seal(seal.open(stored, sellerId), sellerId);
      if (await replaceStoredSecret(db, sellerId, stored, again)) sealed += 1;
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      unreadable += 1;
    }
  }
  if (sealed > 0) log.info({ sealed }, 'two-factor secrets were sealed with the first of SEALING_KEYS');
  if (unreadable > 0) {
    log.error({ unreadable }, 'two-factor secrets are sealed with keys that are not in SEALING_KEYS');
  }
}
