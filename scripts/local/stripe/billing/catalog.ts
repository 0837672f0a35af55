/** Products and their prices. */
import { type Core, newId } from '../core/core.ts';
import { invalidRequest } from '../errors.ts';
import type { Price, Product } from '../objects.ts';

/** The fields of a product that can be set. */
interface ProductParams {
  name?: string | undefined;
  description?: string | undefined;
  active?: boolean | undefined;
}

/** @throws StripeApiError 400 when the id is taken */
export function createProduct(
  core: Core,
  params: ProductParams & { id?: string | undefined; name: string },
): Product {
  const id = params.id ?? newId('prod');
  if (core.store.find(id) !== undefined) {
    throw invalidRequest('Product already exists.', 'id', 'resource_already_exists');
  }
  const now = core.now();
  const product: Product = {
    id,
    object: 'product',
    active: params.active ?? true,
    created: now,
    description: params.description ?? null,
    name: params.name,
    updated: now,
  };
  return core.create(product, 'product.created');
}

/** Updates the given fields. */
export function updateProduct(core: Core, id: string, params: ProductParams): Product {
  const product = core.getOrThrow('product', id);
  const { name = product.name, description = product.description, active = product.active } = params;
  if (name === product.name && description === product.description && active === product.active) {
    return product;
  }
  return core.change(product, { name, description, active, updated: core.now() }, 'product.updated');
}

/** Parameters of a new price. `unit_amount` is in the currency's smallest unit, for each month. */
interface PriceParams {
  product: string;
  unit_amount: number;
  currency: string;
  tax_behavior?: Price['tax_behavior'] | undefined;
  lookup_key?: string | undefined;
  transfer_lookup_key?: boolean | undefined;
}

/** @throws StripeApiError 400 for an unknown product, or a lookup key that another price uses */
export function createPrice(core: Core, params: PriceParams): Price {
  const product = core.getOrThrow('product', params.product, 'product');
  if (params.lookup_key !== undefined) {
    takeLookupKey(core, params.lookup_key, params.transfer_lookup_key === true);
  }
  const price: Price = {
    id: newId('price'),
    object: 'price',
    active: true,
    created: core.now(),
    currency: params.currency.toLowerCase(),
    lookup_key: params.lookup_key ?? null,
    product: product.id,
    recurring: { interval: 'month', interval_count: 1 },
    tax_behavior: params.tax_behavior ?? 'unspecified',
    type: 'recurring',
    unit_amount: params.unit_amount,
    unit_amount_decimal: String(params.unit_amount),
  };
  return core.create(price, 'price.created');
}

/** What is sold once, at a price that no other session has. */
export interface PriceData {
  currency: string;
  unit_amount: number;
  tax_behavior?: Price['tax_behavior'] | undefined;
  product_data: { name: string; description?: string | undefined };
}

/** Creates the inactive price and product of a session's line, as Stripe does. */
export function createOncePrice(core: Core, { product_data: product, ...data }: PriceData): Price {
  const { id } = createProduct(core, { ...product, active: false });
  return core.create({
    id: newId('price'),
    object: 'price',
    active: false,
    created: core.now(),
    currency: data.currency.toLowerCase(),
    lookup_key: null,
    product: id,
    recurring: null,
    tax_behavior: data.tax_behavior ?? 'unspecified',
    type: 'one_time',
    unit_amount: data.unit_amount,
    unit_amount_decimal: String(data.unit_amount),
  });
}

/** Says whether tax is included. @throws StripeApiError 400 once it has been said */
export function updatePrice(core: Core, id: string, tax_behavior: 'exclusive' | 'inclusive'): Price {
  const price = core.getOrThrow('price', id);
  if (price.tax_behavior !== 'unspecified' && price.tax_behavior !== tax_behavior) {
    throw invalidRequest('The tax behavior of a price can only be set once.', 'tax_behavior');
  }
  return core.change(price, { tax_behavior }, 'price.updated');
}

function takeLookupKey(core: Core, key: string, transfer: boolean): void {
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

/** The description of a price on invoices. */
export function nameOfPrice(core: Core, price: Price): string {
  return core.store.get('product', price.product)?.name ?? price.id;
}
