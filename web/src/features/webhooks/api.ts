import {
  type ChangeWebhook,
  type CreateWebhook,
  type Webhook,
  type WebhookDelivery,
  type WebhookDeliveryList,
  type WebhookList,
  type WebhookWithSecret,
  webhookDeliveryListSchema,
  webhookDeliverySchema,
  webhookListSchema,
  webhookPaths,
  webhookSchema,
  webhookWithSecretSchema,
} from '#contract';
import { callApi } from '#web/lib/api.ts';

/** The seller's webhooks. @throws ApiError */
export function listWebhooks(signal?: AbortSignal): Promise<WebhookList> {
  return callApi('GET', webhookPaths.webhooks, webhookListSchema, { signal });
}

/** Makes a webhook. @throws ApiError; ADDRESS_REFUSED, WEBHOOK_LIMIT */
export function createWebhook(body: CreateWebhook): Promise<WebhookWithSecret> {
  return callApi('POST', webhookPaths.webhooks, webhookWithSecretSchema, { body });
}

/** Changes a webhook, or switches it on or off. @throws ApiError; ADDRESS_REFUSED */
export function changeWebhook(id: string, body: ChangeWebhook): Promise<Webhook> {
  return callApi('PATCH', webhookPaths.webhook(id), webhookSchema, { body });
}

/** Gives a webhook another secret. @throws ApiError */
export function rotateSecret(id: string): Promise<WebhookWithSecret> {
  return callApi('POST', webhookPaths.rotate(id), webhookWithSecretSchema, {});
}

/** Deletes a webhook. @throws ApiError */
export function deleteWebhook(id: string): Promise<void> {
  return callApi('DELETE', webhookPaths.webhook(id), {
    status: 204,
    check: 'Reload this page to see whether the webhook is still there.',
  });
}

/** What was sent to a webhook. @throws ApiError */
export function listDeliveries(
  id: string,
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<WebhookDeliveryList> {
  const query = cursor === undefined ? '' : `?${new URLSearchParams({ cursor })}`;
  return callApi('GET', webhookPaths.deliveries(id) + query, webhookDeliveryListSchema, { signal });
}

/** Sends a test event. @throws ApiError; WEBHOOK_OFF */
export function sendTestEvent(id: string): Promise<WebhookDelivery> {
  return callApi('POST', webhookPaths.test(id), webhookDeliverySchema, {});
}

/** Sends a delivery again. @throws ApiError; WEBHOOK_OFF */
export function resendDelivery(id: string, deliveryId: string): Promise<WebhookDelivery> {
  return callApi('POST', webhookPaths.resend(id, deliveryId), webhookDeliverySchema, {});
}
