import type { BatchItem, BatchProductsQuery, BatchView, FilePreset, ShopSystem } from '#contract';
import { uniqueName } from '#contract/unique-name.ts';
import { csvOf } from '#server/http/csv.ts';
import { type BatchFile, filesOf } from './batch-files.ts';

/** A product and the addresses of its images, the main one first. */
interface Product {
  /** Its own in the batch, whatever is exported of it. */
  handle: string;
  sku: string;
  title: string;
  images: string[];
}

type Table = readonly Readonly<Record<string, string | number>>[];

/**
 * The columns that each shop system imports. Shopify: a row for each image, whose first row has the product
 * (help.shopify.com, Using CSV files, 2026-11-28). WooCommerce: all images in one cell (woocommerce.com, Product CSV Importer
 * and Exporter, 2026-11-28).
 */
const tables: Readonly<Record<ShopSystem, (products: readonly Product[]) => Table>> = {
  shopify: (products) =>
    products.flatMap(({ handle, sku, title, images }) =>
      images.map((image, index) => ({
        Handle: handle,
        Title: index === 0 ? title : '',
        'Variant SKU': index === 0 ? sku : '',
        'Image Src': image,
        'Image Position': index + 1,
        'Image Alt Text': title,
      })),
    ),
  woocommerce: (products) =>
    products.map(({ sku, title, images }) => ({ SKU: sku, Name: title, Images: images.join(', ') })),
};

/**
 * The products of a batch as a CSV that a shop system imports. Rows of the batch with the same SKU are one product.
 * @param presets those that the query names; null for none
 */
export function productTableOf(
  batch: BatchView,
  query: BatchProductsQuery,
  presets: readonly FilePreset[] | null,
): string {
  const preset = presets?.[0] ?? null;
  const files = filesOf(batch, query, presets).filter((file) => file.preset === preset);
  const handles = handlesOf(batch);
  const products = Map.groupBy(files, ({ item }) => productOf(item));
  return csvOf(
    tables[query.system](
      [...products].map(([product, of]) => ({
        handle: handles.get(product)!,
        sku: of[0]!.item.sku,
        title: titleOf(of[0]!.item),
        images: of.map((file) => addressOf(file, query.base)),
      })),
    ),
  );
}

/** What tells the product of a row from others: its SKU, or the row. */
const productOf = ({ sku, index }: BatchItem) => sku || index;

const titleOf = ({ name, sku, index }: BatchItem) => name || sku || `Product ${index + 1}`;

/** The handle of each product: a shop makes one product of those that have the same, so such are numbered. */
function handlesOf({ items }: BatchView): Map<string | number, string> {
  const taken = new Set<string>();
  const handles = new Map<string | number, string>();
  for (const item of items) {
    if (handles.has(productOf(item))) continue;
    const handle = handleOf(item.sku || titleOf(item));
    handles.set(
      productOf(item),
      uniqueName(taken, (suffix) => `${handle}${suffix}`),
    );
  }
  return handles;
}

function addressOf({ name }: BatchFile, base: string | undefined): string {
  if (base === undefined) return name;
  const path = name.split('/').map(encodeURIComponent).join('/');
  return `${base.replace(/\/+$/, '')}/${path}`;
}

/** The part of a product's address in a shop. */
function handleOf(text: string): string {
  const handle = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return handle || 'product';
}
