/** `/v1/billing_portal`. */
import { z } from 'zod';
import { createConfiguration, updateConfiguration } from '../billing/portal/configurations.ts';
import { createPortalSession } from '../billing/portal/sessions.ts';
import type { Api } from './api.ts';
import { flag, list, metadata, nonEmptyText, prorationBehavior, text, url } from './parameters.ts';

const features = z.strictObject({
  customer_update: z
    .strictObject({ enabled: flag, allowed_updates: list(nonEmptyText).optional() })
    .optional(),
  invoice_history: z.strictObject({ enabled: flag }).optional(),
  payment_method_update: z.strictObject({ enabled: flag }).optional(),
  subscription_cancel: z
    .strictObject({
      enabled: flag,
      mode: z.literal('at_period_end').optional(),
      cancellation_reason: z
        .strictObject({ enabled: flag, options: list(nonEmptyText).optional() })
        .optional(),
    })
    .optional(),
  subscription_update: z
    .strictObject({
      enabled: flag,
      default_allowed_updates: list(z.literal('price')).optional(),
      products: list(z.strictObject({ product: nonEmptyText, prices: z.array(nonEmptyText) })).optional(),
      proration_behavior: prorationBehavior.optional(),
      schedule_at_period_end: z
        .strictObject({
          conditions: list(z.strictObject({ type: z.literal('decreasing_item_amount') })).optional(),
        })
        .optional(),
    })
    .optional(),
});

const configurationFields = {
  business_profile: z.strictObject({ headline: text.optional() }).optional(),
  default_return_url: text.optional(),
  metadata: metadata.optional(),
};

/** Adds the calls for the customer portal. */
export function addPortalApiRoutes(api: Api): void {
  const { core } = api;

  api.post(
    '/v1/billing_portal/configurations',
    z.strictObject({ ...configurationFields, features }),
    (input) => createConfiguration(core, input),
  );
  api.retrieve('/v1/billing_portal/configurations/:id', (id) =>
    core.getOrThrow('billing_portal.configuration', id),
  );
  api.post(
    '/v1/billing_portal/configurations/:id',
    z.strictObject({ ...configurationFields, features: features.optional(), active: flag.optional() }),
    (input, { id }) => updateConfiguration(core, id as string, input),
  );
  api.list('/v1/billing_portal/configurations', z.strictObject({ active: flag.optional() }), ({ active }) =>
    core.store
      .list('billing_portal.configuration')
      .filter((each) => active === undefined || each.active === active),
  );
  api.post(
    '/v1/billing_portal/sessions',
    z.strictObject({
      customer: nonEmptyText,
      return_url: url.optional(),
      configuration: nonEmptyText.optional(),
    }),
    (input) =>
      createPortalSession(core, {
        customer: input.customer,
        returnUrl: input.return_url,
        configuration: input.configuration,
      }),
  );
}
