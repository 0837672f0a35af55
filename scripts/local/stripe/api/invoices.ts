/** `/v1/invoices`. */
import { z } from 'zod';
import type { Api } from './api.ts';
import { nonEmptyText } from './fields.ts';

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
