/** `/v1/charges`, `/v1/refunds`, `/v1/disputes`. */
import { z } from 'zod';
import { refund } from '../billing/charges.ts';
import type { Api } from './api.ts';
import { integer, nonEmptyText } from './fields.ts';

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
