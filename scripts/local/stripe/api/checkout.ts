/** `/v1/checkout/sessions` and `/v1/billing_portal`. */
import { z } from 'zod';
import { createCheckout, expireCheckout } from '../billing/checkout.ts';
import { createPortalSession } from '../billing/portal.ts';
import { createConfiguration, updateConfiguration } from '../billing/portal-settings.ts';
import { invalidRequest } from '../errors.ts';
import type { PortalSession } from '../objects.ts';
import type { Api } from './api.ts';
import { flag, integer, list, metadata, newMetadata, prorationBehavior, text, word } from './fields.ts';
import { lineItems } from './present.ts';

const address = word.refine((value) => /^https?:\/\//.test(value), 'not a valid URL');

/** Adds the calls for checkout sessions. */
export function addCheckoutRoutes(api: Api): void {
  const { core } = api;

  api.post(
    '/v1/checkout/sessions',
    z.strictObject({
      mode: z.literal('subscription'),
      ui_mode: z.literal('hosted_page').optional(),
      line_items: z.array(
        z.strictObject({ price: word, quantity: integer.pipe(z.number().min(1)).default(1) }),
      ),
      success_url: address,
      cancel_url: address.optional(),
      customer: word.optional(),
      customer_email: word.optional(),
      client_reference_id: word.pipe(z.string().max(200)).optional(),
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
      billing_address_collection: word.optional(),
      locale: word.optional(),
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
  api.retrieve('/v1/checkout/sessions/:id', (id) => core.need('checkout.session', id));
  api.post('/v1/checkout/sessions/:id/expire', z.strictObject({}), (_input, { id }) =>
    expireCheckout(core, core.need('checkout.session', id as string)),
  );
  api.get('/v1/checkout/sessions/:id/line_items', z.object({}), (_input, { id }) =>
    lineItems(core, core.need('checkout.session', id as string)),
  );
  api.list(
    '/v1/checkout/sessions',
    z.strictObject({
      customer: word.optional(),
      status: word.optional(),
      subscription: word.optional(),
      customer_details: z.strictObject({ email: word }).optional(),
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

const features = z.strictObject({
  customer_update: z.strictObject({ enabled: flag, allowed_updates: list(word).optional() }).optional(),
  invoice_history: z.strictObject({ enabled: flag }).optional(),
  payment_method_update: z.strictObject({ enabled: flag }).optional(),
  subscription_cancel: z
    .strictObject({
      enabled: flag,
      mode: z.enum(['at_period_end', 'immediately']).optional(),
      proration_behavior: prorationBehavior.optional(),
      cancellation_reason: z.strictObject({ enabled: flag, options: list(word).optional() }).optional(),
    })
    .optional(),
  subscription_update: z
    .strictObject({
      enabled: flag,
      default_allowed_updates: list(z.enum(['price', 'quantity', 'promotion_code'])).optional(),
      products: list(z.strictObject({ product: word, prices: z.array(word) })).optional(),
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
      type: word,
      redirect: z.strictObject({ return_url: address }).optional(),
      hosted_confirmation: z.strictObject({ custom_message: text.optional() }).optional(),
    })
    .optional(),
  subscription_cancel: z.strictObject({ subscription: word }).optional(),
  subscription_update: z.strictObject({ subscription: word }).optional(),
  subscription_update_confirm: z
    .strictObject({
      subscription: word,
      items: z.array(
        z.strictObject({ id: word.optional(), price: word.optional(), quantity: integer.optional() }),
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
    core.need('billing_portal.configuration', id),
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
      customer: word,
      return_url: address.optional(),
      configuration: word.optional(),
      locale: word.optional(),
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
      api.core.need('subscription', about, `flow_data[${given.type}][subscription]`).customer !== customer
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
