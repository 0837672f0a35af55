import Papa from 'papaparse';
import { expect, test } from 'vitest';
import { type BatchProductsQuery, type BatchView, batchProductsSchema, batchViewSchema } from '#contract';
import { productTableOf } from './product-table.ts';

const at = '2026-03-07T12:00:00.000Z';

/** An ended batch with one approved or other image of each row. */
const batchOf = (rows: readonly { sku?: string; name?: string; approved?: boolean }[]): BatchView =>
  batchViewSchema.parse({
    id: 'b1',
    name: 'Spring',
    projectId: 'p1',
    state: 'ended',
    cancelled: false,
    pausedBecause: null,
    rows: rows.length,
    counts: {
      images: rows.length,
      waiting: 0,
      underWay: 0,
      succeeded: rows.length,
      failed: 0,
      cancelled: 0,
    },
    timeLeft: null,
    createdAt: at,
    endedAt: at,
    removedAt: null,
    items: rows.map(({ sku = '', name = '', approved = false }, index) => ({
      index,
      sku,
      name,
      prompt: 'On oak',
      width: 1_024,
      height: 1_024,
      photos: [],
      images: [
        {
          take: 0,
          generationId: `g${index}`,
          state: 'succeeded',
          imageUrl: '/image',
          thumbnailUrl: '/thumbnail',
          failure: null,
          match: null,
          approved,
        },
      ],
    })),
    photosMissing: [],
    missing: [],
  });

function rowsOf(batch: BatchView, query: Pick<BatchProductsQuery, 'system'> & { only?: 'approved' }) {
  const table = productTableOf(batch, batchProductsSchema.parse(query), null);
  return Papa.parse<Record<string, string>>(table.slice(1), { header: true, skipEmptyLines: true }).data;
}

const alike = batchOf([
  { sku: 'MUG/RED', name: 'Red mug' },
  { sku: 'MUG-RED', name: 'Other red mug', approved: true },
  { name: 'Mug' },
  { name: 'Mug', approved: true },
  { sku: 'MUG/RED', name: 'Red mug' },
  { sku: 'row 2', approved: true },
  { sku: '***' },
  {},
]);

test('Shopify: products whose names become the same handle have handles of their own', () => {
  const handles = rowsOf(alike, { system: 'shopify' }).map((row) => [row.Handle, row['Image Position']]);
  expect(handles).toEqual([
    ['mug-red', '1'],
    ['mug-red', '2'],
    ['mug-red-2', '1'],
    ['mug', '1'],
    ['mug-2', '1'],
    ['row-2', '1'],
    ['product', '1'],
    ['product-8', '1'],
  ]);
});

test('Shopify: a product has the same handle, whatever is exported of its batch', () => {
  const approved = rowsOf(alike, { system: 'shopify', only: 'approved' });
  expect(approved.map(({ Handle }) => Handle)).toEqual(['mug-red-2', 'mug-2', 'row-2']);
});

test('WooCommerce: products that are alike are rows of their own', () => {
  expect(rowsOf(alike, { system: 'woocommerce' }).map(({ SKU, Name }) => [SKU, Name])).toEqual([
    ['MUG/RED', 'Red mug'],
    ['MUG-RED', 'Other red mug'],
    ['', 'Mug'],
    ['', 'Mug'],
    ['row 2', 'row 2'],
    ['***', '***'],
    ['', 'Product 8'],
  ]);
});
