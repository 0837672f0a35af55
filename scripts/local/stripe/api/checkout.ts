/** `/v1/checkout/sessions`. */
import { z } from 'zod';
import { createCheckout, expireCheckout } from '../billing/checkout.ts';
import type { Api } from './api.ts';
import { integer, newMetadata, nonEmptyText, one, url } from './parameters.ts';

/** Adds the calls for checkout sessions. */
export function addCheckoutRoutes(api: Api): void {
  const { core } = api;

  api.post(
    '/v1/checkout/sessions',
    z.strictObject({
      mode: z.literal('subscription'),
      line_items: z.array(z.strictObject({ price: nonEmptyText, quantity: one })),
      success_url: url,
      cancel_url: url.optional(),
      customer: nonEmptyText.optional(),
      customer_email: nonEmptyText.optional(),
      client_reference_id: nonEmptyText.pipe(z.string().max(200)).optional(),
      metadata: newMetadata.optional(),
      subscription_data: z
        .strictObject({
          metadata: newMetadata.optional(),
          trial_period_days: integer.pipe(z.number().min(1).max(730)).optional(),
        })
        .optional(),
    }),
    (input) =>
      createCheckout(core, {
        prices: input.line_items.map(({ price }) => price),
        successUrl: input.success_url,
        cancelUrl: input.cancel_url,
        customer: input.customer,
        customerEmail: input.customer_email,
        clientReferenceId: input.client_reference_id,
        metadata: input.metadata,
        subscriptionMetadata: input.subscription_data?.metadata,
        trialDays: input.subscription_data?.trial_period_days,
      }),
  );
  api.retrieve('/v1/checkout/sessions/:id', (id) => core.getOrThrow('checkout.session', id));
  api.post('/v1/checkout/sessions/:id/expire', z.strictObject({}), (_input, { id }) =>
    expireCheckout(core, core.getOrThrow('checkout.session', id as string)),
  );
  api.list(
    '/v1/checkout/sessions',
    z.strictObject({ customer: nonEmptyText.optional(), status: nonEmptyText.optional() }),
    ({ customer, status }) =>
      core.store
        .list('checkout.session', { customer })
        .filter((each) => status === undefined || each.status === status),
  );
}
