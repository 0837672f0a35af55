import type { ServerContext } from '#server/http/context.ts';
import { replaceWebhookSecret, webhookSecretsWithoutPrefix } from '#shared/data/webhooks/endpoints.ts';
import { createSeal, sealAgain } from '#shared/platform/seal.ts';

/** Seals the secrets of webhooks that are sealed with an older key again, and logs how many. */
export async function sealWebhookSecrets({
  db,
  config,
  log,
}: Pick<ServerContext, 'db' | 'config' | 'log'>): Promise<void> {
  const seal = createSeal(config.webhooks.keys);
  const { sealed, unreadable } = await sealAgain(
    seal,
    webhookSecretsWithoutPrefix(db, seal.prefix),
    (id, from, to) => replaceWebhookSecret(db, id, from, to),
  );
  if (sealed > 0) log.info({ sealed }, 'secrets of webhooks were sealed with the first of WEBHOOK_KEYS');
  if (unreadable > 0) {
    log.error({ unreadable }, 'secrets of webhooks are sealed with keys that are not in WEBHOOK_KEYS');
  }
}
