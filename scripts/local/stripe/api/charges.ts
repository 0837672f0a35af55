/** `/v1/charges`, `/v1/refunds`, `/v1/disputes`. */
import { z } from 'zod';
import { refund } from '../billing/charges.ts';
import { closeDispute } from '../billing/disputes.ts';
import type { Api } from './api.ts';
import { integer, newMetadata, nonEmptyText } from './fields.ts';

/** Adds the calls for charges, refunds and disputes. */
export function addChargeRoutes(api: Api): void {
  const { core } = api;
  const { store } = core;

  api.retrieve('/v1/charges/:id', (id) => core.getOrThrow('charge', id));
  api.list(
    '/v1/charges',
    z.strictObject({ customer: nonEmptyText.optional(), payment_intent: nonEmptyText.optional() }),
    ({ customer, payment_intent: owner }) => store.list('charge', { customer, owner }),
  );

  api.post(
    '/v1/refunds',
    z.strictObject({
      charge: nonEmptyText.optional(),
      payment_intent: nonEmptyText.optional(),
      amount: integer.optional(),
      reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
      metadata: newMetadata.optional(),
    }),
    ({ payment_intent: paymentIntent, ...params }) => refund(core, { ...params, paymentIntent }),
  );
  api.retrieve('/v1/refunds/:id', (id) => core.getOrThrow('refund', id));
  const ofCharge = z.strictObject({
    charge: nonEmptyText.optional(),
    payment_intent: nonEmptyText.optional(),
  });
  api.list('/v1/refunds', ofCharge, ({ charge, payment_intent: intent }) =>
    store.list('refund', { owner: charge }).filter((each) => hasPaymentIntent(each, intent)),
  );

  api.retrieve('/v1/disputes/:id', (id) => core.getOrThrow('dispute', id));
  api.list('/v1/disputes', ofCharge, ({ charge, payment_intent: intent }) =>
    store.list('dispute', { owner: charge }).filter((each) => hasPaymentIntent(each, intent)),
  );
  api.post('/v1/disputes/:id/close', z.strictObject({}), (_input, { id }) =>
    closeDispute(core, id as string, 'lost'),
  );
}

function hasPaymentIntent(
  { payment_intent: intent }: { payment_intent: string | null },
  wanted: string | undefined,
) {
  return wanted === undefined || intent === wanted;
}
