/** The calls for every resource except subscriptions and their schedules. */
import { z } from 'zod';
import { createPrice, createProduct, updatePrice, updateProduct } from '../billing/catalog.ts';
import { refund } from '../billing/charges.ts';
import { createCheckout, expireCheckout } from '../billing/checkout.ts';
import { createCustomer, deleteCustomer, updateCustomer } from '../billing/customers.ts';
import { attach, detach } from '../billing/payment-methods.ts';
import { voidByRequest } from '../billing/pending-update.ts';
import {
  createConfiguration,
  featuresSchema,
  updateConfiguration,
} from '../billing/portal/configurations.ts';
import { createPortalSession } from '../billing/portal/sessions.ts';
import { noSuch } from '../errors.ts';
import { createEndpoint, deleteEndpoint, updateEndpoint, withoutSecret } from '../webhooks/endpoints.ts';
import { type Api, noParameters } from './api.ts';
import {
  flag,
  integer,
  list,
  metadata,
  newMetadata,
  nonEmptyText,
  one,
  onlyItem,
  text,
  url,
} from './parameters.ts';

const customerFields = z.strictObject({
  address: z
    .union([
      z.literal('').transform(() => null),
      z.strictObject({ country: nonEmptyText.pipe(z.string().length(2)) }),
    ])
    .optional(),
  balance: integer.optional(),
  email: text.optional(),
  name: text.optional(),
  metadata: metadata.optional(),
  invoice_settings: z.strictObject({ default_payment_method: text.optional() }).optional(),
});

/** Adds the calls for customers and their cards. */
function addCustomerRoutes(api: Api): void {
  const { core } = api;
  const { store } = core;

  api.post('/v1/customers', customerFields, (input) => createCustomer(core, input));
  api.retrieve('/v1/customers/:id', (id) => {
    const found = store.get('customer', id) ?? store.get('deleted_customer', id);
    if (found === undefined) throw noSuch('customer', id);
    return found;
  });
  api.post('/v1/customers/:id', customerFields, (input, id) => updateCustomer(core, id, input));
  api.delete('/v1/customers/:id', (id) => deleteCustomer(core, id));
  api.list('/v1/customers', z.strictObject({ email: nonEmptyText.optional() }), (input) =>
    store.list('customer').filter(({ email }) => input.email === undefined || email === input.email),
  );

  api.list('/v1/payment_methods', z.strictObject({ customer: nonEmptyText }), ({ customer }) => {
    core.getOrThrow('customer', customer, 'customer');
    return store.list('payment_method', { customer });
  });
  api.retrieve('/v1/payment_methods/:id', (id) => core.getOrThrow('payment_method', id));
  api.post('/v1/payment_methods/:id/attach', z.strictObject({ customer: nonEmptyText }), ({ customer }, id) =>
    attach(core, id, customer),
  );
  api.post('/v1/payment_methods/:id/detach', noParameters, (_input, id) => detach(core, id));
}

const currencyCode = z.string().regex(/^[a-zA-Z]{3}$/, 'must be a three-letter currency code');

/** Adds the calls for products and prices. */
function addCatalogRoutes(api: Api): void {
  const { core } = api;
  const { store } = core;

  api.post(
    '/v1/products',
    z.strictObject({
      id: nonEmptyText.optional(),
      name: nonEmptyText,
      active: flag.optional(),
      description: text.optional(),
    }),
    (input) => createProduct(core, input),
  );
  api.post(
    '/v1/products/:id',
    z.strictObject({
      name: nonEmptyText.optional(),
      active: flag.optional(),
      description: text.optional(),
    }),
    (input, id) => updateProduct(core, id, input),
  );
  api.list('/v1/products', z.strictObject({ ids: list(nonEmptyText).optional() }), ({ ids }) =>
    store.list('product').filter((each) => ids?.includes(each.id) ?? true),
  );

  api.post(
    '/v1/prices',
    z.strictObject({
      product: nonEmptyText,
      unit_amount: integer.pipe(z.number().min(1)),
      currency: currencyCode,
      recurring: z.strictObject({ interval: z.literal('month') }),
      tax_behavior: z.enum(['exclusive', 'inclusive', 'unspecified']).optional(),
      lookup_key: nonEmptyText.optional(),
      transfer_lookup_key: flag.optional(),
    }),
    (input) => createPrice(core, input),
  );
  api.post(
    '/v1/prices/:id',
    z.strictObject({ tax_behavior: z.enum(['exclusive', 'inclusive']) }),
    ({ tax_behavior }, id) => updatePrice(core, id, tax_behavior),
  );
  api.retrieve('/v1/prices/:id', (id) => core.getOrThrow('price', id));
  api.list(
    '/v1/prices',
    z.strictObject({ active: flag.optional(), lookup_keys: list(nonEmptyText).optional() }),
    ({ active, lookup_keys: keys }) =>
      store
        .list('price')
        .filter(
          (price) =>
            (active === undefined || price.active === active) &&
            (keys === undefined || keys.includes(price.lookup_key ?? '')),
        ),
  );
}

const autoOrNever = z.enum(['auto', 'never']);

/** What sessions of both modes take. */
const checkoutFields = {
  success_url: url,
  cancel_url: url.optional(),
  customer: nonEmptyText,
  client_reference_id: nonEmptyText.pipe(z.string().max(200)).optional(),
  metadata: newMetadata.optional(),
  automatic_tax: z.strictObject({ enabled: flag }).optional(),
  tax_id_collection: z.strictObject({ enabled: flag }).optional(),
  billing_address_collection: z.enum(['auto', 'required']).optional(),
  customer_update: z
    .strictObject({ name: autoOrNever.optional(), address: autoOrNever.optional() })
    .optional(),
};

const priceData = z.strictObject({
  currency: currencyCode,
  unit_amount: integer.pipe(z.number().min(0)),
  tax_behavior: z.enum(['exclusive', 'inclusive', 'unspecified']).optional(),
  product_data: z.strictObject({ name: nonEmptyText, description: nonEmptyText.optional() }),
});

/** Adds the calls for checkout sessions. */
function addCheckoutRoutes(api: Api): void {
  const { core } = api;

  api.post(
    '/v1/checkout/sessions',
    z.discriminatedUnion('mode', [
      z.strictObject({
        mode: z.literal('subscription'),
        line_items: onlyItem,
        subscription_data: z.strictObject({ metadata: newMetadata.optional() }).optional(),
        ...checkoutFields,
      }),
      z.strictObject({
        mode: z.literal('payment'),
        line_items: z.array(z.strictObject({ price_data: priceData, quantity: one })).length(1),
        payment_intent_data: z
          .strictObject({ metadata: newMetadata.optional(), description: nonEmptyText.optional() })
          .optional(),
        invoice_creation: z.strictObject({ enabled: flag }).optional(),
        ...checkoutFields,
      }),
    ]),
    (input) => createCheckout(core, input),
  );
  api.retrieve('/v1/checkout/sessions/:id', (id) => core.getOrThrow('checkout.session', id));
  api.post('/v1/checkout/sessions/:id/expire', noParameters, (_input, id) =>
    expireCheckout(core, core.getOrThrow('checkout.session', id)),
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

const configurationFields = {
  business_profile: z
    .strictObject({
      headline: text.optional(),
      privacy_policy_url: url.optional(),
      terms_of_service_url: url.optional(),
    })
    .optional(),
  default_return_url: text.optional(),
  metadata: metadata.optional(),
};

/** Adds the calls for the customer portal. */
function addPortalApiRoutes(api: Api): void {
  const { core } = api;

  api.post(
    '/v1/billing_portal/configurations',
    z.strictObject({ ...configurationFields, features: featuresSchema }),
    (input) => createConfiguration(core, input),
  );
  api.retrieve('/v1/billing_portal/configurations/:id', (id) =>
    core.getOrThrow('billing_portal.configuration', id),
  );
  api.post(
    '/v1/billing_portal/configurations/:id',
    z.strictObject({ ...configurationFields, features: featuresSchema.optional(), active: flag.optional() }),
    (input, id) => updateConfiguration(core, id, input),
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
      flow_data: flowData.optional(),
    }),
    (input) => createPortalSession(core, input),
  );
}

const flowData = z.strictObject({
  type: z.enum(['payment_method_update', 'subscription_update_confirm']),
  after_completion: z.strictObject({
    type: z.literal('redirect'),
    redirect: z.strictObject({ return_url: url }),
  }),
  subscription_update_confirm: z
    .strictObject({
      subscription: nonEmptyText,
      items: z.array(z.strictObject({ id: nonEmptyText, price: nonEmptyText, quantity: one })),
    })
    .optional(),
});

/** Adds the calls for payments, charges, refunds and disputes. */
function addChargeRoutes(api: Api): void {
  const { core } = api;
  api.retrieve('/v1/payment_intents/:id', (id) => core.getOrThrow('payment_intent', id));
  api.list('/v1/payment_intents', z.strictObject({ customer: nonEmptyText.optional() }), ({ customer }) =>
    core.store.list('payment_intent', { customer }),
  );
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
function addInvoiceApiRoutes(api: Api): void {
  const { core } = api;
  api.retrieve('/v1/invoices/:id', (id) => core.getOrThrow('invoice', id));
  api.post('/v1/invoices/:id/void', noParameters, (_input, id) => voidByRequest(core, id));
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
function addEventRoutes(api: Api): void {
  const { core } = api;

  api.list('/v1/events', z.strictObject({ type: nonEmptyText.optional() }), ({ type }) =>
    core.store.list('event', { owner: type }),
  );

  const fields = { url: nonEmptyText, enabled_events: z.array(nonEmptyText).min(1) };
  api.post('/v1/webhook_endpoints', z.strictObject(fields), (input) => createEndpoint(core, input));
  api.post(
    '/v1/webhook_endpoints/:id',
    z.strictObject({ ...fields, disabled: flag }).partial(),
    (input, id) => withoutSecret(updateEndpoint(core, id, input)),
  );
  api.delete('/v1/webhook_endpoints/:id', (id) => deleteEndpoint(core, id));
  api.list('/v1/webhook_endpoints', z.strictObject({}), () =>
    core.store.list('webhook_endpoint').map(withoutSecret),
  );
}

/** Adds these calls to the API. */
export function addResourceRoutes(api: Api): void {
  addCustomerRoutes(api);
  addCatalogRoutes(api);
  addCheckoutRoutes(api);
  addPortalApiRoutes(api);
  addChargeRoutes(api);
  addInvoiceApiRoutes(api);
  addEventRoutes(api);
}
