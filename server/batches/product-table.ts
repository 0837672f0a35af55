import type { BatchProductsQuery, BatchView, FilePreset, ShopSystem } from '#contract';
import { csvOf } from '#server/http/csv.ts';
import { type BatchFile, filesOf } from './batch-files.ts';

/** A product and the addresses of its images, the main one first. */
interface Product {
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
    products.flatMap(({ sku, title, images }) =>
      images.map((image, index) => ({
        Handle: handleOf(sku || title),
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
  const products = Map.groupBy(files, ({ item }) => item.sku || `row ${item.index}`);
  return csvOf(
    tables[query.system](
      [...products.values()].map((of) => ({
        sku: of[0]!.item.sku,
        title: of[0]!.item.name || of[0]!.item.sku || `Product ${of[0]!.item.index + 1}`,
        images: of.map((file) => addressOf(file, query.base)),
      })),
    ),
  );
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
