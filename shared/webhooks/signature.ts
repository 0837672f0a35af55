import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** How secrets begin (https://www.standardwebhooks.com). */
const webhookSecretPrefix = 'whsec_';
/** Bytes of a secret: of the 24 to 64 that Standard Webhooks allows. */
const secretBytes = 32;

/** A new secret of a webhook. */
export const newWebhookSecret = () => webhookSecretPrefix + randomBytes(secretBytes).toString('base64');

/**
 * The headers of Standard Webhooks.
 * @param secrets each signs, so that the receiver may know either of them
 * @param at when it is sent: receivers refuse what is old
 */
export function webhookHeaders(
  secrets: readonly string[],
  { id, at, body }: { id: string; at: Date; body: string },
): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}
