/** Products and their prices. */
import type { Core } from '../core/core.ts';
import { newId } from '../core/ids.ts';
import { invalidRequest, StripeApiError } from '../errors.ts';
import type { Plan, Price, Product } from '../objects.ts';
import { mergeMetadata } from './metadata.ts';

/** Parameters of a new product; the caller may choose the `id`. */
export interface ProductParams {
  id?: string | undefined;
  name: string;
  description?: string | undefined;
  active?: boolean | undefined;
  metadata?: Record<string, string> | undefined;
  images?: string[] | undefined;
  marketing_features?: { name: string }[] | undefined;
  statement_descriptor?: string | undefined;
  tax_code?: string | undefined;
  unit_label?: string | undefined;
  url?: string | undefined;
}

/** @throws StripeApiError 400 when the id is taken */
export function createProduct(core: Core, params: ProductParams): Product {
  const id = params.id ?? newId('prod');
  if (core.store.find(id) !== undefined) {
    throw new StripeApiError(400, {
      type: 'invalid_request_error',
      code: 'resource_already_exists',
      message: `Product already exists.`,
      param: 'id',
    });
  }
  const now = core.now();
  const product: Product = {
    id,
    object: 'product',
    active: params.active ?? true,
    created: now,
    default_price: null,
    description: params.description ?? null,
    images: params.images ?? [],
    livemode: false,
    marketing_features: params.marketing_features ?? [],
    metadata: params.metadata ?? {},
    name: params.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: params.statement_descriptor ?? null,
    tax_code: params.tax_code ?? null,
    tax_details: null,
    type: 'service',
    unit_label: params.unit_label ?? null,
    updated: now,
    url: params.url ?? null,
  };
  return core.create(product, 'product.created');
}

/** Updates the given fields and merges metadata. */
export function updateProduct(
  core: Core,
  id: string,
  changes: Partial<Omit<ProductParams, 'id'>> & { default_price?: string | undefined },
): Product {
  const product = core.getOrThrow('product', id);
  const { metadata, ...fields } = changes;
  if (fields.default_price !== undefined) core.getOrThrow('price', fields.default_price, 'default_price');
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const changed = { ...given, metadata: mergeMetadata(product.metadata, metadata) } as Partial<Product>;
  if (JSON.stringify({ ...product, ...changed }) === JSON.stringify(product)) return product;
  return core.change(product, { ...changed, updated: core.now() }, 'product.updated');
}

/** Parameters of a new price. `unit_amount` is in the currency's smallest unit. */
export interface PriceParams {
  product?: string | undefined;
  product_data?:
    | { id?: string | undefined; name: string; metadata?: Record<string, string> | undefined }
    | undefined;
  unit_amount: number;
  currency: string;
  recurring: { interval: string; interval_count?: number | undefined };
  lookup_key?: string | undefined;
  transfer_lookup_key?: boolean | undefined;
  nickname?: string | undefined;
  active?: boolean | undefined;
  metadata?: Record<string, string> | undefined;
  tax_behavior?: string | undefined;
}

/** @throws StripeApiError 400 for an unknown product, or a lookup key that another active price uses */
export function createPrice(core: Core, params: PriceParams): Price {
  if ((params.product === undefined) === (params.product_data === undefined)) {
    throw invalidRequest('Give either product or product_data.', 'product', 'parameter_missing');
  }
  const product = params.product_data
    ? createProduct(core, params.product_data)
    : core.getOrThrow('product', params.product as string, 'product');
  takeLookupKey(core, params.lookup_key, params.transfer_lookup_key === true);
  const price: Price = {
    id: newId('price'),
    object: 'price',
    active: params.active ?? true,
    billing_scheme: 'per_unit',
    created: core.now(),
    currency: params.currency.toLowerCase(),
    custom_unit_amount: null,
    livemode: false,
    lookup_key: params.lookup_key ?? null,
    metadata: params.metadata ?? {},
    nickname: params.nickname ?? null,
    product: product.id,
    recurring: {
      interval: params.recurring.interval,
      interval_count: params.recurring.interval_count ?? 1,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    tax_behavior: params.tax_behavior ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: 'recurring',
    unit_amount: params.unit_amount,
    unit_amount_decimal: String(params.unit_amount),
  };
  return core.create(price, 'price.created');
}

/** Updates a price. Its amount cannot change. */
export function updatePrice(
  core: Core,
  id: string,
  changes: {
    active?: boolean | undefined;
    nickname?: string | undefined;
    lookup_key?: string | undefined;
    transfer_lookup_key?: boolean | undefined;
    metadata?: Record<string, string> | undefined;
    tax_behavior?: string | undefined;
  },
): Price {
  const price = core.getOrThrow('price', id);
  if (changes.lookup_key !== price.lookup_key) {
    takeLookupKey(core, changes.lookup_key, changes.transfer_lookup_key === true);
  }
  return core.change(
    price,
    {
      active: changes.active ?? price.active,
      nickname: changes.nickname ?? price.nickname,
      lookup_key: changes.lookup_key === undefined ? price.lookup_key : changes.lookup_key || null,
      tax_behavior: changes.tax_behavior ?? price.tax_behavior,
      metadata: mergeMetadata(price.metadata, changes.metadata),
    },
    'price.updated',
  );
}

function takeLookupKey(core: Core, key: string | undefined, transfer: boolean): void {
  if (key === undefined || key === '') return;
  const holder = core.store.list('price').find((price) => price.lookup_key === key);
  if (holder === undefined) return;
  if (!transfer) {
    throw invalidRequest(
      `A price (${holder.id}) already uses that lookup key. Set transfer_lookup_key to move it.`,
      'lookup_key',
      'resource_already_exists',
    );
  }
  core.change(holder, { lookup_key: null }, 'price.updated');
}

/** The legacy plan object of a price, which subscription items still contain. */
export function planOf(price: Price): Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: price.recurring.interval,
    interval_count: price.recurring.interval_count,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  };
}

/** The description of a price on invoices. */
export function nameOfPrice(core: Core, price: Price): string {
  return core.store.get('product', price.product)?.name ?? price.id;
}
