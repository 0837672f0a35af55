/** Webhook endpoints: who is told of which events. */

import { mergeMetadata } from '../billing/metadata.ts';
import type { Core } from '../core/core.ts';
import { newId } from '../core/store.ts';
import { invalidRequest } from '../errors.ts';
import type { WebhookEndpoint } from '../objects.ts';

/** What can be set of an endpoint. */
export interface EndpointWishes {
  url?: string | undefined;
  enabled_events?: string[] | undefined;
  description?: string | undefined;
  disabled?: boolean | undefined;
  metadata?: Record<string, string> | '' | undefined;
  api_version?: string | undefined;
}

/** Makes an endpoint; its secret is shown in this one answer only. */
export function createEndpoint(
  core: Core,
  wishes: EndpointWishes & { url: string; enabled_events: string[] },
): WebhookEndpoint {
  checkUrl(wishes.url);
  return core.create({
    id: newId('we'),
    object: 'webhook_endpoint',
    api_version: wishes.api_version ?? null,
    application: null,
    created: core.now(),
    description: wishes.description || null,
    enabled_events: wishes.enabled_events,
    livemode: false,
    metadata: mergeMetadata({}, wishes.metadata),
    secret: core.webhookSecret ?? newId('whsec'),
    status: 'enabled',
    url: wishes.url,
  });
}

/** Changes the given fields. Deliveries that wait go to the address they had. */
export function updateEndpoint(core: Core, id: string, wishes: EndpointWishes): WebhookEndpoint {
  const endpoint = core.need('webhook_endpoint', id);
  if (wishes.url !== undefined) checkUrl(wishes.url);
  return core.change(endpoint, {
    url: wishes.url ?? endpoint.url,
    enabled_events: wishes.enabled_events ?? endpoint.enabled_events,
    description: wishes.description === undefined ? endpoint.description : wishes.description || null,
    metadata: mergeMetadata(endpoint.metadata, wishes.metadata),
    status: wishes.disabled === undefined ? endpoint.status : wishes.disabled ? 'disabled' : 'enabled',
  });
}

/** Removes an endpoint; what was still to be delivered to it is given up. */
export function deleteEndpoint(
  core: Core,
  id: string,
): { id: string; object: 'webhook_endpoint'; deleted: true } {
  core.need('webhook_endpoint', id);
  core.store.remove(id);
  core.store.run("UPDATE deliveries SET state = 'given-up' WHERE endpoint = ? AND state = 'pending'", id);
  return { id, object: 'webhook_endpoint', deleted: true };
}

/** An endpoint as every answer but the first shows it. */
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
