/** `/v1/billing_portal`. */
import { z } from 'zod';
import { createConfiguration, updateConfiguration } from '../billing/portal/configurations.ts';
import { createPortalSession } from '../billing/portal/sessions.ts';
import { invalidRequest } from '../errors.ts';
import type { PortalSession } from '../objects.ts';
import type { Api } from './api.ts';
import { flag, integer, list, metadata, nonEmptyText, prorationBehavior, text, url } from './fields.ts';

const features = z.strictObject({
  customer_update: z
    .strictObject({ enabled: flag, allowed_updates: list(nonEmptyText).optional() })
    .optional(),
  invoice_history: z.strictObject({ enabled: flag }).optional(),
  payment_method_update: z.strictObject({ enabled: flag }).optional(),
  subscription_cancel: z
    .strictObject({
      enabled: flag,
      mode: z.enum(['at_period_end', 'immediately']).optional(),
      proration_behavior: prorationBehavior.optional(),
      cancellation_reason: z
        .strictObject({ enabled: flag, options: list(nonEmptyText).optional() })
        .optional(),
    })
    .optional(),
  subscription_update: z
    .strictObject({
      enabled: flag,
      default_allowed_updates: list(z.enum(['price', 'quantity', 'promotion_code'])).optional(),
      products: list(z.strictObject({ product: nonEmptyText, prices: z.array(nonEmptyText) })).optional(),
      proration_behavior: prorationBehavior.optional(),
      schedule_at_period_end: z
        .strictObject({
          conditions: list(
            z.strictObject({ type: z.enum(['decreasing_item_amount', 'shortening_interval']) }),
          ).optional(),
        })
        .optional(),
      billing_cycle_anchor: z.enum(['now', 'unchanged']).optional(),
      trial_update_behavior: z.enum(['continue_trial', 'end_trial']).optional(),
    })
    .optional(),
});

const configurationFields = {
  business_profile: z
    .strictObject({
      headline: text.optional(),
      privacy_policy_url: text.optional(),
      terms_of_service_url: text.optional(),
    })
    .optional(),
  default_return_url: text.optional(),
  login_page: z.strictObject({ enabled: z.literal('false') }).optional(),
  metadata: metadata.optional(),
  name: text.optional(),
};

const flow = z.strictObject({
  type: z.enum([
    'payment_method_update',
    'subscription_cancel',
    'subscription_update',
    'subscription_update_confirm',
  ]),
  after_completion: z
    .strictObject({
      type: nonEmptyText,
      redirect: z.strictObject({ return_url: url }).optional(),
      hosted_confirmation: z.strictObject({ custom_message: text.optional() }).optional(),
    })
    .optional(),
  subscription_cancel: z.strictObject({ subscription: nonEmptyText }).optional(),
  subscription_update: z.strictObject({ subscription: nonEmptyText }).optional(),
  subscription_update_confirm: z
    .strictObject({
      subscription: nonEmptyText,
      items: z.array(
        z.strictObject({
          id: nonEmptyText.optional(),
          price: nonEmptyText.optional(),
          quantity: integer.optional(),
        }),
      ),
    })
    .optional(),
});

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
  api.list(
    '/v1/billing_portal/configurations',
    z.strictObject({ active: flag.optional(), is_default: flag.optional() }),
    (input) =>
      core.store
        .list('billing_portal.configuration')
        .filter(
          (each) =>
            (input.active === undefined || each.active === input.active) &&
            (input.is_default === undefined || each.is_default === input.is_default),
        ),
  );
  api.post(
    '/v1/billing_portal/sessions',
    z.strictObject({
      customer: nonEmptyText,
      return_url: url.optional(),
      configuration: nonEmptyText.optional(),
      locale: nonEmptyText.optional(),
      flow_data: flow.optional(),
    }),
    (input) =>
      createPortalSession(core, {
        customer: input.customer,
        returnUrl: input.return_url,
        configuration: input.configuration,
        locale: input.locale,
        flow: flowOf(api, input.customer, input.flow_data),
      }),
  );
}

function flowOf(api: Api, customer: string, given: z.output<typeof flow> | undefined): PortalSession['flow'] {
  if (given === undefined) return null;
  const { subscription_cancel: cancel, subscription_update: update } = given;
  const confirm = given.subscription_update_confirm;
  const about = cancel?.subscription ?? update?.subscription ?? confirm?.subscription;
  if (given.type !== 'payment_method_update') {
    if (about === undefined) {
      throw invalidRequest(
        `Missing required param: flow_data[${given.type}].`,
        `flow_data[${given.type}]`,
        'parameter_missing',
      );
    }
    if (
      api.core.getOrThrow('subscription', about, `flow_data[${given.type}][subscription]`).customer !==
      customer
    ) {
      throw invalidRequest(
        'The subscription is not the customer’s.',
        `flow_data[${given.type}][subscription]`,
      );
    }
  }
  const after = given.after_completion;
  return {
    after_completion: {
      hosted_confirmation:
        after?.hosted_confirmation === undefined
          ? null
          : { custom_message: after.hosted_confirmation.custom_message ?? null },
      redirect: after?.redirect ?? null,
      type: after?.type ?? 'portal_homepage',
    },
    customer_update: null,
    subscription_cancel: cancel === undefined ? null : { retention: null, ...cancel },
    subscription_pause: null,
    subscription_update: update ?? null,
    subscription_update_confirm:
      confirm === undefined
        ? null
        : {
            discounts: null,
            subscription: confirm.subscription,
            items: confirm.items.map(({ id = null, price = null, quantity = 1 }) => ({
              id,
              price,
              quantity,
            })),
          },
    type: given.type,
  };
}
