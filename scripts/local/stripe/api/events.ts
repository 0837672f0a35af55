/** `/v1/events` and `/v1/webhook_endpoints`. */
import { z } from 'zod';
import { createEndpoint, deleteEndpoint, updateEndpoint, withoutSecret } from '../webhooks/endpoints.ts';
import type { Api } from './api.ts';
import { flag, nonEmptyText } from './fields.ts';

/** Adds the calls for events and webhook endpoints. */
export function addEventRoutes(api: Api): void {
  const { core } = api;

  api.list('/v1/events', z.strictObject({ type: nonEmptyText.optional() }), ({ type }) =>
    core.store.list('event', { owner: type }),
  );

  const fields = { url: nonEmptyText, enabled_events: z.array(nonEmptyText).min(1) };
  api.post('/v1/webhook_endpoints', z.strictObject(fields), (input) => createEndpoint(core, input));
  api.post(
    '/v1/webhook_endpoints/:id',
    z.strictObject({ ...fields, disabled: flag }).partial(),
    (input, { id }) => withoutSecret(updateEndpoint(core, id as string, input)),
  );
  api.delete('/v1/webhook_endpoints/:id', z.strictObject({}), (_input, { id }) =>
    deleteEndpoint(core, id as string),
  );
  api.list('/v1/webhook_endpoints', z.strictObject({}), () =>
    core.store.list('webhook_endpoint').map(withoutSecret),
  );
}
