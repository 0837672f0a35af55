/** `/v1/checkout/sessions`. */
import { z } from 'zod';
import { expireCheckout } from '../billing/checkout.ts';
import { createCheckout } from '../billing/create-checkout.ts';
import type { Api } from './api.ts';
import { flag, integer, list, newMetadata, nonEmptyText, text, url } from './fields.ts';
import { lineItems } from './present.ts';

/** Adds the calls for checkout sessions. */
export function addCheckoutRoutes(api: Api): void {
  const { core } = api;

  api.post(
    '/v1/checkout/sessions',
    z.strictObject({
      mode: z.literal('subscription'),
      ui_mode: z.literal('hosted_page').optional(),
      line_items: z.array(
        z.strictObject({ price: nonEmptyText, quantity: integer.pipe(z.number().min(1)).default(1) }),
      ),
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
          description: text.optional(),
        })
        .optional(),
      expires_at: integer.optional(),
      allow_promotion_codes: flag.optional(),
      billing_address_collection: nonEmptyText.optional(),
      locale: nonEmptyText.optional(),
      payment_method_types: list(z.literal('card')).optional(),
      payment_method_collection: z.literal('always').optional(),
      customer_update: z.record(z.string(), z.string()).optional(),
      automatic_tax: z.strictObject({ enabled: z.literal('false') }).optional(),
    }),
    (input) =>
      createCheckout(core, {
        lineItems: input.line_items,
        successUrl: input.success_url,
        cancelUrl: input.cancel_url,
        customer: input.customer,
        customerEmail: input.customer_email,
        clientReferenceId: input.client_reference_id,
        metadata: input.metadata,
        subscriptionMetadata: input.subscription_data?.metadata,
        trialDays: input.subscription_data?.trial_period_days,
        expiresAt: input.expires_at,
        allowPromotionCodes: input.allow_promotion_codes,
        billingAddressCollection: input.billing_address_collection,
        locale: input.locale,
      }),
  );
  api.retrieve('/v1/checkout/sessions/:id', (id) => core.getOrThrow('checkout.session', id));
  api.post('/v1/checkout/sessions/:id/expire', z.strictObject({}), (_input, { id }) =>
    expireCheckout(core, core.getOrThrow('checkout.session', id as string)),
  );
  api.get('/v1/checkout/sessions/:id/line_items', z.object({}), (_input, { id }) =>
    lineItems(core, core.getOrThrow('checkout.session', id as string)),
  );
  api.list(
    '/v1/checkout/sessions',
    z.strictObject({
      customer: nonEmptyText.optional(),
      status: nonEmptyText.optional(),
      subscription: nonEmptyText.optional(),
      customer_details: z.strictObject({ email: nonEmptyText }).optional(),
    }),
    ({ customer, status, subscription, customer_details: details }) =>
      core.store
        .list('checkout.session', { customer })
        .filter(
          (each) =>
            (status === undefined || each.status === status) &&
            (subscription === undefined || each.subscription === subscription) &&
            (details === undefined || each.customer_details?.email === details.email),
        ),
  );
}
