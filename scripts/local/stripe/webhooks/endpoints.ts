/** Webhook endpoints and the events that they are subscribed to. */
import { type Core, newId } from '../core/core.ts';
import { invalidRequest } from '../errors.ts';
import type { WebhookEndpoint } from '../objects.ts';

/** The fields of an endpoint that can be set. */
interface EndpointParams {
  url?: string | undefined;
  enabled_events?: string[] | undefined;
  disabled?: boolean | undefined;
}

/** Creates an endpoint; only this reply contains its secret. */
export function createEndpoint(
  core: Core,
  params: { url: string; enabled_events: string[] },
): WebhookEndpoint {
  checkUrl(params.url);
  return core.create({
    id: newId('we'),
    object: 'webhook_endpoint',
    created: core.now(),
    enabled_events: params.enabled_events,
    secret: core.webhookSecret ?? newId('whsec'),
    status: 'enabled',
    url: params.url,
  });
}

/** Updates the given fields. Pending deliveries keep their URL. */
export function updateEndpoint(core: Core, id: string, params: EndpointParams): WebhookEndpoint {
  const endpoint = core.getOrThrow('webhook_endpoint', id);
  if (params.url !== undefined) checkUrl(params.url);
  return core.change(endpoint, {
    url: params.url ?? endpoint.url,
    enabled_events: params.enabled_events ?? endpoint.enabled_events,
    status: params.disabled === undefined ? endpoint.status : params.disabled ? 'disabled' : 'enabled',
  });
}

/** Deletes an endpoint; its pending deliveries are given up. */
export function deleteEndpoint(
  core: Core,
  id: string,
): { id: string; object: 'webhook_endpoint'; deleted: true } {
  core.getOrThrow('webhook_endpoint', id);
  core.store.remove(id);
  core.store.run("UPDATE deliveries SET state = 'given-up' WHERE endpoint = ? AND state = 'pending'", id);
  return { id, object: 'webhook_endpoint', deleted: true };
}

/** An endpoint as all later replies show it. */
export function withoutSecret({ secret: _, ...endpoint }: WebhookEndpoint): Omit<WebhookEndpoint, 'secret'> {
  return endpoint;
}

function checkUrl(url: string): void {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw invalidRequest(
      'Invalid URL: an explicit scheme (such as https) must be provided.',
      'url',
      'url_invalid',
    );
  }
}
