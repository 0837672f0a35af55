/** Products and their prices. */
import type { Core } from '../core/core.ts';
import { newId } from '../core/store.ts';
import { invalidRequest, StripeApiError } from '../errors.ts';
import type { Plan, Price, Product } from '../objects.ts';
import { mergeMetadata } from './metadata.ts';

/** What a product is made of; `id` may be chosen. */
export interface ProductWishes {
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
export function createProduct(core: Core, wishes: ProductWishes): Product {
  const id = wishes.id ?? newId('prod');
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
    active: wishes.active ?? true,
    created: now,
    default_price: null,
    description: wishes.description ?? null,
    images: wishes.images ?? [],
    livemode: false,
    marketing_features: wishes.marketing_features ?? [],
    metadata: wishes.metadata ?? {},
    name: wishes.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: wishes.statement_descriptor ?? null,
    tax_code: wishes.tax_code ?? null,
    tax_details: null,
    type: 'service',
    unit_label: wishes.unit_label ?? null,
    updated: now,
    url: wishes.url ?? null,
  };
  return core.create(product, 'product.created');
}

/** Changes the given fields; metadata is merged. */
export function updateProduct(
  core: Core,
  id: string,
  changes: Partial<Omit<ProductWishes, 'id'>> & { default_price?: string | undefined },
): Product {
  const product = core.need('product', id);
  const { metadata, ...fields } = changes;
  if (fields.default_price !== undefined) core.need('price', fields.default_price, 'default_price');
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const changed = { ...given, metadata: mergeMetadata(product.metadata, metadata) } as Partial<Product>;
  if (JSON.stringify({ ...product, ...changed }) === JSON.stringify(product)) return product;
  return core.change(product, { ...changed, updated: core.now() }, 'product.updated');
}

/** What a price is made of. `unit_amount` is in the currency's smallest unit. */
export interface PriceWishes {
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

/** @throws StripeApiError 400 for an unknown product or a lookup key that another active price has */
export function createPrice(core: Core, wishes: PriceWishes): Price {
  if ((wishes.product === undefined) === (wishes.product_data === undefined)) {
    throw invalidRequest('Give either product or product_data.', 'product', 'parameter_missing');
  }
  const product = wishes.product_data
    ? createProduct(core, wishes.product_data)
    : core.need('product', wishes.product as string, 'product');
  takeLookupKey(core, wishes.lookup_key, wishes.transfer_lookup_key === true);
  const price: Price = {
    id: newId('price'),
    object: 'price',
    active: wishes.active ?? true,
    billing_scheme: 'per_unit',
    created: core.now(),
    currency: wishes.currency.toLowerCase(),
    custom_unit_amount: null,
    livemode: false,
    lookup_key: wishes.lookup_key ?? null,
    metadata: wishes.metadata ?? {},
    nickname: wishes.nickname ?? null,
    product: product.id,
    recurring: {
      interval: wishes.recurring.interval,
      interval_count: wishes.recurring.interval_count ?? 1,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    tax_behavior: wishes.tax_behavior ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: 'recurring',
    unit_amount: wishes.unit_amount,
    unit_amount_decimal: String(wishes.unit_amount),
  };
  return core.create(price, 'price.created');
}

/** What of a price can change: its amount never does. */
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
  const price = core.need('price', id);
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

/** The plan object that mirrors a price in a subscription's items. */
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

/** The name people see on an invoice for a price. */
export function nameOfPrice(core: Core, price: Price): string {
  return core.store.get('product', price.product)?.name ?? price.id;
}
