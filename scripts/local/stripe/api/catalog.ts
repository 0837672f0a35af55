/** `/v1/products` and `/v1/prices`. */
import { z } from 'zod';
import { createPrice, createProduct, updatePrice, updateProduct } from '../billing/catalog.ts';
import { StripeApiError } from '../errors.ts';
import type { Api } from './api.ts';
import { flag, integer, list, newMetadata, nonEmptyText, text } from './fields.ts';

const productFields = {
  active: flag.optional(),
  description: text.optional(),
  images: list(nonEmptyText).optional(),
  marketing_features: list(z.strictObject({ name: nonEmptyText })).optional(),
  metadata: newMetadata.optional(),
  statement_descriptor: text.optional(),
  tax_code: text.optional(),
  unit_label: text.optional(),
  url: text.optional(),
};
const interval = z.enum(['day', 'week', 'month', 'year']);
const currency = z.string().regex(/^[a-zA-Z]{3}$/, 'must be a three-letter currency code');

/** Adds the calls for products and prices. */
export function addCatalogRoutes(api: Api): void {
  const { core } = api;
  const { store } = core;

  api.post(
    '/v1/products',
    z.strictObject({ ...productFields, id: nonEmptyText.optional(), name: nonEmptyText }),
    (input) => createProduct(core, input),
  );
  api.retrieve('/v1/products/:id', (id) => core.getOrThrow('product', id));
  api.post(
    '/v1/products/:id',
    z.strictObject({
      ...productFields,
      name: nonEmptyText.optional(),
      default_price: nonEmptyText.optional(),
    }),
    (input, { id }) => updateProduct(core, id as string, input),
  );
  api.list(
    '/v1/products',
    z.strictObject({ active: flag.optional(), ids: list(nonEmptyText).optional() }),
    ({ active, ids }) =>
      store
        .list('product')
        .filter(
          (each) => (active === undefined || each.active === active) && (ids?.includes(each.id) ?? true),
        ),
  );
  api.delete('/v1/products/:id', z.strictObject({}), (_input, { id }) => {
    const product = core.getOrThrow('product', id as string);
    if (store.list('price', { owner: product.id }).length > 0) {
      throw new StripeApiError(400, {
        type: 'invalid_request_error',
        message: 'This product cannot be deleted because it has one or more prices.',
      });
    }
    store.remove(product.id);
    core.record('product.deleted', product);
    return { id: product.id, object: 'product', deleted: true };
  });

  api.post(
    '/v1/prices',
    z.strictObject({
      product: nonEmptyText.optional(),
      product_data: z
        .strictObject({ id: nonEmptyText.optional(), name: nonEmptyText, metadata: newMetadata.optional() })
        .optional(),
      unit_amount: integer.pipe(z.number().min(0)),
      currency,
      recurring: z.strictObject({
        interval,
        interval_count: integer.optional(),
        usage_type: z.literal('licensed').optional(),
      }),
      lookup_key: nonEmptyText.optional(),
      transfer_lookup_key: flag.optional(),
      nickname: text.optional(),
      active: flag.optional(),
      metadata: newMetadata.optional(),
      tax_behavior: nonEmptyText.optional(),
    }),
    (input) => createPrice(core, input),
  );
  api.retrieve('/v1/prices/:id', (id) => core.getOrThrow('price', id));
  api.post(
    '/v1/prices/:id',
    z.strictObject({
      active: flag.optional(),
      nickname: text.optional(),
      lookup_key: text.optional(),
      transfer_lookup_key: flag.optional(),
      metadata: newMetadata.optional(),
      tax_behavior: nonEmptyText.optional(),
    }),
    (input, { id }) => updatePrice(core, id as string, input),
  );
  api.list(
    '/v1/prices',
    z.strictObject({
      active: flag.optional(),
      product: nonEmptyText.optional(),
      currency: currency.optional(),
      type: nonEmptyText.optional(),
      lookup_keys: list(nonEmptyText).optional(),
      recurring: z.strictObject({ interval: interval.optional() }).optional(),
    }),
    (input) =>
      store
        .list('price', { owner: input.product })
        .filter(
          (price) =>
            (input.active === undefined || price.active === input.active) &&
            (input.currency === undefined || price.currency === input.currency) &&
            (input.type === undefined || price.type === input.type) &&
            (input.recurring?.interval === undefined ||
              price.recurring.interval === input.recurring.interval) &&
            (input.lookup_keys === undefined || input.lookup_keys.includes(price.lookup_key ?? '')),
        ),
  );
}
