import type { Webhook, WebhookDelivery } from '#contract';
import { modeOf } from '#shared/data/test-seller.ts';
import type { WebhookDeliveryRow } from '#shared/data/webhooks/deliveries.ts';
import type { WebhookEndpointRow } from '#shared/data/webhooks/endpoints.ts';

/** A webhook as its seller sees it, without its secret. */
export function presentWebhook(row: WebhookEndpointRow): Webhook {
  const { off, failing, previous_secret: previous } = row;
  return {
    id: row._id,
    mode: modeOf(row.profile),
    url: row.url,
    events: row.events,
    enabled: off === null,
    off: off && { reason: off.reason, at: off.at.toISOString() },
    failingSince: failing?.since.toISOString() ?? null,
    previousSecretUntil:
      previous && previous.until.getTime() > Date.now() ? previous.until.toISOString() : null,
    createdAt: row.created_at.toISOString(),
  };
}

/** What was sent to a webhook, and what it answered. */
export function presentDelivery(row: WebhookDeliveryRow): WebhookDelivery {
  return {
    id: row._id,
    eventId: row.event,
    type: row.type,
    state: row.state,
    createdAt: row.created_at.toISOString(),
    nextTryAt: row.state === 'waiting' ? row.due_at.toISOString() : null,
    body: row.body,
    tries: row.tries.map(({ at, ...made }) => ({ at: at.toISOString(), ...made })),
  };
}
