import { localStripeKey } from '#scripts/stripe/local-key.ts';
import { setUpStripe } from '#scripts/stripe/setup.ts';
import { openStripe } from '#shared/billing/client.ts';
import { keepWebhookSecret, keptWebhookSecret } from './secrets.ts';

/**
 * Creates Packshot's products in the local Stripe and a webhook that sends its events to the server.
 * @returns the secret that signs the events
 */
export async function prepareStripe({
  url,
  port,
  dataFolder,
}: {
  url: string;
  port: number;
  dataFolder: string;
}): Promise<string> {
  const stripe = openStripe({ secretKey: localStripeKey, apiUrl: url });
  const kept = await keptWebhookSecret(dataFolder);
  if (kept === undefined) {
    // The secret of a webhook that exists cannot be read again.
    const { data } = await stripe.webhookEndpoints.list({ limit: 100 });
    for (const { id } of data) await stripe.webhookEndpoints.del(id);
  }
  const { settings } = await setUpStripe(stripe, `http://127.0.0.1:${port}`, true);
  const created = settings.STRIPE_WEBHOOK_SECRET;
  if (created === undefined) return kept!;
  await keepWebhookSecret(dataFolder, created);
  return created;
}
