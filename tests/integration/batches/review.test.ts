/** Reviewing a batch: images are approved, made again, and exported with a table for a shop system. */

import { unzipSync } from 'fflate';
import Papa from 'papaparse';
import { expect } from 'vitest';
import { limits, paths } from '#contract';
import { batchPaths } from '#contract/batch-paths.ts';
import { makeAgain, readBatch, review, sampleRows, startedBatch } from '#tests/support/batches.ts';
import { forfeitUntil } from '#tests/support/credits.ts';
import { expectError } from '#tests/support/errors.ts';
import { expectOnlyOwnEvents } from '#tests/support/finished-images.ts';
import { eventually } from '#tests/support/harness.ts';
import { contentRefused } from '#tests/support/provider-calls.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';

const test = testWithSeller({ workers: 1 });
test.beforeEach(({ stack }) => stack.images.reset());

/** A finished batch. @returns its id and the ids of its images in their order */
async function finishedBatch(seller: Seller, rows: Parameters<typeof sampleRows>[0], takes = 1) {
  const id = await startedBatch(seller, await sampleRows(rows, { takes }));
  await untilEnded(seller, id);
  return { id, images: await imagesOf(seller, id) };
}

const untilEnded = (seller: Seller, id: string) =>
  expect.poll(() => readBatch(seller, id), eventually).toMatchObject({ state: 'ended' });

const shownIn = async (seller: Seller, id: string) =>
  (await readBatch(seller, id)).items.flatMap(({ images }) => images);

const imagesOf = async (seller: Seller, id: string) =>
  (await shownIn(seller, id)).map(({ generationId }) => generationId!);

async function expectSettled(stack: TestStack, seller: Seller, left: number): Promise<void> {
  await expect
    .poll(async () => (await seller.me()).subscription, eventually)
    .toMatchObject({ generationsLeft: left, generationsHeld: 0 });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
}

const namesIn = async (seller: Seller, path: string) =>
  Object.keys(unzipSync(new Uint8Array(await (await seller.fetch(path)).arrayBuffer())));

test('approved images are counted, shown as such, and downloaded without the others', async ({
  stack,
  seller,
}) => {
  const { id, images } = await finishedBatch(seller, 3);
  const [first, , third] = images as [string, string, string];
  const stranger = await stack.seller();
  expectError(await review(stranger, id, [first], true), 'NOT_FOUND');
  expect((await review(seller, id, [first, third], true)).body.approved).toBe(2);
  // The same again changes nothing; ids of other images are passed over.
  const largest = limits.batchRows * limits.imagesPerRequest;
  const others = Array.from({ length: largest - 1 }, (_, index) => `${index}`.padStart(24, 'f'));
  expect((await review(seller, id, [first, ...others], true)).body.approved).toBe(2);
  expectError(await review(seller, id, [first, third, ...others], true), 'VALIDATION', { field: 'images' });
  expect((await shownIn(seller, id)).map(({ approved }) => approved)).toEqual([true, false, true]);
  expect(await namesIn(seller, `${batchPaths.batchArchive(id)}?only=approved`)).toEqual([
    'SKU-1-1.png',
    'SKU-3-1.png',
  ]);
  expect((await review(seller, id, [first], false)).body.approved).toBe(1);
  expect(await namesIn(seller, `${batchPaths.batchArchive(id)}?only=approved`)).toEqual(['SKU-3-1.png']);
  expect(await namesIn(seller, batchPaths.batchArchive(id))).toHaveLength(3);
});

test('other windows are told once that images were approved, and not when nothing changed', async ({
  stack,
  seller,
}) => {
  const { id, images } = await finishedBatch(seller, 2);
  const window = await seller.openWindow();
  const stranger = await stack.seller();
  const strangers = await stranger.openWindow();
  const heard = () => window.views.map((view) => view.batchId);
  await review(seller, id, images, true);
  await expect.poll(heard, eventually).toEqual([id]);
  await review(seller, id, images, true);
  await review(seller, id, [images[1]!], false);
  await expect.poll(heard, eventually).toEqual([id, id]);
  expect(window.views.map((view) => view.id)[1]).toBe(images[1]);
  await expectOnlyOwnEvents(stranger, strangers);
  window.close();
  strangers.close();
});

test('the ZIP and single exports are named by ASIN as Amazon wants it, by SKU where there is none', async ({
  seller,
}) => {
  const [first, second, third] = await sampleRows(3, { takes: 1 });
  // Two rows of one product: one image of them is the main one.
  const rows = [
    { ...first!, asin: ' b000123456', takes: 2 },
    { ...second!, asin: 'B000123456' },
    { ...third!, asin: '' },
  ];
  const id = await startedBatch(seller, rows);
  await untilEnded(seller, id);
  const images = await imagesOf(seller, id);
  const amazon = new URLSearchParams({ pattern: '{asin}.{amazon}', presets: 'ebay' });
  expect(await namesIn(seller, `${batchPaths.batchArchive(id)}?${amazon}`)).toEqual([
    'B000123456.MAIN.jpg',
    'B000123456.PT01.jpg',
    'B000123456.PT02.jpg',
    'SKU-3.MAIN.jpg',
  ]);
  // The main image is always there, also if it is the second take that was approved.
  await review(seller, id, [images[1]!], true);
  expect(await namesIn(seller, `${batchPaths.batchArchive(id)}?${amazon}&only=approved`)).toEqual([
    'B000123456.MAIN.jpg',
  ]);
  expect(await seller.generation(images[0]!)).toMatchObject({ sku: 'SKU-1', asin: 'B000123456' });
  expect(await seller.generation(images[3]!)).not.toHaveProperty('asin');
  const exported = new URLSearchParams({
    images: [images[0], images[3]].join(),
    presets: 'ebay',
    name: '{asin}.{amazon}_{sku}_{n}',
    asin: 'B0FFFFFFFF',
  });
  expect(await namesIn(seller, `${paths.exports}?${exported}`)).toEqual([
    'B000123456.MAIN_SKU-1_1.jpg',
    'B0FFFFFFFF.MAIN_SKU-3_1.jpg',
  ]);
  expectError(
    await seller.request(`${paths.exports}?images=${images[0]}&presets=ebay&asin=B0`),
    'VALIDATION',
    {
      field: 'asin',
    },
  );
});

test('an image that is made again takes the place of the one before, which stays in the library', async ({
  stack,
  seller,
}) => {
  const { id, images } = await finishedBatch(seller, 2);
  const [first, second] = images as [string, string];
  const { generationsLeft: left } = (await seller.me()).subscription;
  const stranger = await stack.seller();
  expectError(await makeAgain(stranger, id, [first]), 'NOT_FOUND');
  await review(seller, id, [first], true);
  // Two windows, or a double click.
  const asked = await Promise.all([makeAgain(seller, id, [first]), makeAgain(seller, id, [first])]);
  expect(asked.map(({ status }) => status).toSorted()[0]).toBe(200);
  await untilEnded(seller, id);
  const [again, kept] = await imagesOf(seller, id);
  expect(again).not.toBe(first);
  expect(kept).toBe(second);
  expect((await readBatch(seller, id)).approved).toBe(0);
  expect((await seller.request(paths.generation(first))).status).toBe(200);
  await expectSettled(stack, seller, left! - 1);
});

test('an image that cannot be made again stays in its batch, with the reason; nothing is charged', async ({
  stack,
  seller,
}) => {
  const { id, images } = await finishedBatch(seller, 1, 2);
  const { generationsLeft: left } = (await seller.me()).subscription;
  await stack.images.set({ behaviours: [contentRefused] });
  expect((await makeAgain(seller, id, [images[0]!])).body.state).toBe('running');
  await untilEnded(seller, id);
  expect(await imagesOf(seller, id)).toEqual(images);
  const [shown] = await shownIn(seller, id);
  expect(shown).toMatchObject({ state: 'succeeded', failure: null });
  expect(shown!.againFailure).toMatch(/\w/);
  expect((await readBatch(seller, id)).counts).toMatchObject({ succeeded: 2, failed: 0 });
  await expectSettled(stack, seller, left!);
  // The next attempt is another one.
  await makeAgain(seller, id, [images[0]!]);
  await untilEnded(seller, id);
  const [made] = await shownIn(seller, id);
  expect(made).toMatchObject({ state: 'succeeded', againFailure: null });
  expect(made!.generationId).not.toBe(images[0]);
  await expectSettled(stack, seller, left! - 1);
});

test('more images than are left: none is made again', async ({ stack, seller }) => {
  const { id, images } = await finishedBatch(seller, 2);
  await forfeitUntil(stack, seller, 1);
  expectError(await makeAgain(seller, id, images), 'NO_CREDITS', {
    message: 'You asked for 2 images and have 1 image left. Please choose fewer.',
  });
  expect((await readBatch(seller, id)).state).toBe('ended');
  expect(await imagesOf(seller, id)).toEqual(images);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('a table for a shop has each product once, with its images in their order and the names of the ZIP', async ({
  seller,
}) => {
  const { id, images } = await finishedBatch(seller, 2, 2);
  const table = async (query: Record<string, string>) => {
    const path = `${batchPaths.batchProducts(id)}?${new URLSearchParams(query)}`;
    const { status, body } = await seller.request<string>(path);
    expect(status).toBe(200);
    return Papa.parse<Record<string, string>>(body, { header: true, skipEmptyLines: true }).data;
  };
  const base = 'https://cdn.example.com/spring/';
  const shopify = await table({ system: 'shopify', base, presets: 'shopify,ebay' });
  expect(shopify).toHaveLength(4);
  expect(shopify[0]).toEqual({
    Handle: 'sku-1',
    Title: 'Cup 1',
    'Variant SKU': 'SKU-1',
    'Image Src': 'https://cdn.example.com/spring/shopify/SKU-1-1.jpg',
    'Image Position': '1',
    'Image Alt Text': 'Cup 1',
  });
  expect(shopify[1]).toMatchObject({ Handle: 'sku-1', Title: '', 'Variant SKU': '', 'Image Position': '2' });
  const zip = await namesIn(seller, `${batchPaths.batchArchive(id)}?presets=shopify,ebay`);
  for (const row of shopify) expect(zip).toContain(row['Image Src']!.replace(base, ''));

  await review(seller, id, [images[1]!, images[2]!], true);
  expect(await table({ system: 'woocommerce', only: 'approved' })).toEqual([
    { SKU: 'SKU-1', Name: 'Cup 1', Images: 'SKU-1-2.png' },
    { SKU: 'SKU-2', Name: 'Cup 2', Images: 'SKU-2-1.png' },
  ]);
  expectError(
    await seller.request(`${batchPaths.batchProducts(id)}?system=shopify&base=javascript:alert(1)`),
    'VALIDATION',
    { field: 'base' },
  );
});

test('the report names the files as the ZIP of the same choices does', async ({ seller }) => {
  const [first, second] = await sampleRows(2, { takes: 1 });
  const id = await startedBatch(seller, [{ ...first!, asin: 'B000123456', takes: 2 }, second!]);
  await untilEnded(seller, id);
  const images = await imagesOf(seller, id);
  await review(seller, id, [images[1]!, images[2]!], true);
  const namesFor = async (query: URLSearchParams) => {
    const { status, body } = await seller.request<string>(`${batchPaths.batchReport(id)}?${query}`);
    expect(status).toBe(200);
    return Papa.parse<Record<string, string>>(body, { header: true, skipEmptyLines: true }).data.map(
      ({ image }) => image!.split(', ').filter(Boolean),
    );
  };
  for (const [choices, expected] of [
    [{}, [['SKU-1-1.png'], ['SKU-1-2.png'], ['SKU-2-1.png']]],
    [
      { pattern: '{asin}.{amazon}', presets: 'amazon-main,ebay' },
      [
        ['amazon-main/B000123456.MAIN.jpg', 'ebay/B000123456.MAIN.jpg'],
        ['amazon-main/B000123456.PT01.jpg', 'ebay/B000123456.PT01.jpg'],
        ['amazon-main/SKU-2.MAIN.jpg', 'ebay/SKU-2.MAIN.jpg'],
      ],
    ],
    // What is not in the ZIP has a row, and no file.
    [
      { pattern: '{name}-{row}', only: 'approved', presets: 'original', format: 'webp' },
      [[], ['Cup-1-1.webp'], ['Cup-2-2.webp']],
    ],
  ] as const) {
    const query = new URLSearchParams(choices);
    const names = await namesFor(query);
    expect(names).toEqual(expected);
    expect(await namesIn(seller, `${batchPaths.batchArchive(id)}?${query}`)).toEqual(names.flat());
  }
  const gone = `${batchPaths.batchReport(id)}?presets=own-000000000000000000000000`;
  expectError(await seller.request(gone), 'PRESET_GONE');
});

test('files of a batch are named after it, safe in every file system', async ({ seller }) => {
  const name = `Spring "sale": 50/50 ${'杯'.repeat(30)}`;
  const id = await startedBatch(seller, await sampleRows(1), name);
  await untilEnded(seller, id);
  for (const [path, ending] of [
    [batchPaths.batchArchive(id), '.zip'],
    [batchPaths.batchReport(id), '.csv'],
    [`${batchPaths.batchProducts(id)}?system=shopify`, '-shopify.csv'],
  ] as const) {
    const reply = await seller.fetch(path);
    await reply.arrayBuffer();
    expect(reply.headers.get('content-disposition')).toContain(
      `filename*=UTF-8''Spring-sale-50-50-${encodeURIComponent('杯'.repeat(30))}${ending}`,
    );
  }
});
