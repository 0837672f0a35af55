/** `/v1/products` and `/v1/prices`. */
import { z } from 'zod';
import { createPrice, createProduct, updateProduct } from '../billing/catalog.ts';
import type { Api } from './api.ts';
import { flag, integer, list, nonEmptyText, text } from './parameters.ts';

/** Adds the calls for products and prices. */
export function addCatalogRoutes(api: Api): void {
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
    (input, { id }) => updateProduct(core, id as string, input),
  );
  api.list('/v1/products', z.strictObject({ ids: list(nonEmptyText).optional() }), ({ ids }) =>
    store.list('product').filter((each) => ids?.includes(each.id) ?? true),
  );

  api.post(
    '/v1/prices',
    z.strictObject({
      product: nonEmptyText,
      unit_amount: integer.pipe(z.number().min(0)),
      currency: z.string().regex(/^[a-zA-Z]{3}$/, 'must be a three-letter currency code'),
      recurring: z.strictObject({ interval: z.literal('month') }),
      lookup_key: nonEmptyText.optional(),
      transfer_lookup_key: flag.optional(),
    }),
    (input) => createPrice(core, input),
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
