/** `/v1/charges`, `/v1/refunds`, `/v1/disputes`, `/v1/invoices`, `/v1/events` and `/v1/webhook_endpoints`. */
import { z } from 'zod';
import { refund } from '../billing/charges.ts';
import { createEndpoint, deleteEndpoint, updateEndpoint, withoutSecret } from '../webhooks/endpoints.ts';
import type { Api } from './api.ts';
import { flag, integer, nonEmptyText } from './parameters.ts';

/** Adds the calls for charges, refunds and disputes. */
export function addChargeRoutes(api: Api): void {
  const { core } = api;
  api.retrieve('/v1/charges/:id', (id) => core.getOrThrow('charge', id));
  api.list(
    '/v1/charges',
    z.strictObject({ customer: nonEmptyText.optional(), payment_intent: nonEmptyText.optional() }),
    ({ customer, payment_intent: owner }) => core.store.list('charge', { customer, owner }),
  );
  api.post(
    '/v1/refunds',
    z.strictObject({ charge: nonEmptyText, amount: integer.optional() }),
    ({ charge, amount }) => refund(core, charge, amount),
  );
  api.list('/v1/disputes', z.strictObject({ charge: nonEmptyText }), ({ charge }) =>
    core.store.list('dispute', { owner: charge }),
  );
}

/** Adds the calls for invoices. */
export function addInvoiceApiRoutes(api: Api): void {
  const { core } = api;
  api.retrieve('/v1/invoices/:id', (id) => core.getOrThrow('invoice', id));
  api.list(
    '/v1/invoices',
    z.strictObject({
      customer: nonEmptyText.optional(),
      subscription: nonEmptyText.optional(),
      status: nonEmptyText.optional(),
    }),
    ({ customer, subscription, status }) =>
      core.store
        .list('invoice', { customer, owner: subscription })
        .filter((each) => status === undefined || each.status === status),
  );
}

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
