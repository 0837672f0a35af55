/** Batches: made, uploaded, started together or not at all, steered, ended, reported. */

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import Papa from 'papaparse';
import sharp from 'sharp';
import { expect } from 'vitest';
import { type BatchList, type BatchView, limits, type NotificationList, namePhoto, paths } from '#contract';
import { batchPaths } from '#contract/batch-paths.ts';
import { unknownKindMessage } from '#shared/contract/photo-check.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import {
  actOn,
  postBatch,
  putPhoto,
  readBatch,
  sampleRows,
  sha256Of,
  startedBatch,
  uploadedBatch,
} from '#tests/support/batches.ts';
import { atOnce, forfeitUntil, never, workerContext } from '#tests/support/credits.ts';
import { expectError, expectNoStrayFile } from '#tests/support/errors.ts';
import { eventually } from '#tests/support/harness.ts';
import { colouredPhoto, samplePhoto } from '#tests/support/photos.ts';
import { contentRefused } from '#tests/support/provider-calls.ts';
import type { Seller } from '#tests/support/seller.ts';
import { testWithSeller } from '#tests/support/test.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';

/** Images of a batch in the queue. */
const window = 3;
const test = testWithSeller({ workers: 0, settings: { BATCH_WINDOW: String(window) } });
test.beforeEach(async ({ stack }) => {
  await stack.images.reset();
});

const balanceOf = async (seller: Seller) => {
  const { generationsLeft: left, generationsHeld: held } = (await seller.me()).subscription;
  return { left, held };
};
const untilEnded = (seller: Seller, id: string) =>
  expect.poll(() => readBatch(seller, id), eventually).toMatchObject({ state: 'ended' });
test('from its rows to ZIP, report, mail and notification', async ({ stack, seller }) => {
  const [red, blue] = await Promise.all([samplePhoto(), colouredPhoto('#2040c0')]);
  const rows = await sampleRows(3, { takes: 2 });
  const other = { name: 'blue.png', sha256: sha256Of(blue) };
  rows[1] = { ...rows[1]!, sku: '=cmd|calc', photos: [other, ...rows[1]!.photos] };
  const key = randomUUID();
  const made = await postBatch(seller, { key, rows });
  expect(made).toMatchObject({
    status: 201,
    body: { state: 'uploading', counts: { images: 6, waiting: 6 } },
  });
  const { id, photosMissing } = made.body;
  expect(photosMissing).toHaveLength(2);
  // Sent again, it is the same one.
  expect((await postBatch(seller, { key, rows })).body.id).toBe(id);
  // Another batch under the same key is not answered with the first one.
  expectError(await postBatch(seller, { key, rows: rows.slice(1) }), 'IDEMPOTENCY_MISMATCH');
  expectError(await postBatch(seller, { key, rows, name: 'Another name' }), 'IDEMPOTENCY_MISMATCH');
  // A key belongs to its seller.
  expect((await postBatch(await stack.seller(), { key, rows })).body.id).not.toBe(id);
  expect(await balanceOf(seller)).toEqual({ left: 100, held: 0 });
  expectError(await actOn(seller, id, 'start'), 'BATCH_PHOTOS_MISSING');
  expectError(await putPhoto(seller, id, red, other.sha256), 'VALIDATION', {
    field: 'images',
    message: 'photo.png is not the file that this batch was made with.',
  });
  expect((await putPhoto(seller, id, red)).body).toEqual({ photosMissing: 1 });
  expect((await putPhoto(seller, id, red)).body).toEqual({ photosMissing: 1 });
  expect((await putPhoto(seller, id, blue)).body).toEqual({ photosMissing: 0 });

  // Two windows start it at the same moment.
  const starts = await Promise.all([actOn(seller, id, 'start'), actOn(seller, id, 'start')]);
  expect(starts.map(({ status }) => status)).toEqual([200, 200]);
  expect(await balanceOf(seller)).toEqual({ left: 94, held: 6 });
  expectError(await seller.request(batchPaths.batch(id), { method: 'DELETE' }), 'BATCH_IN_PROGRESS');
  const worker = await stack.startWorker();
  await untilEnded(seller, id);
  await worker.close();
  expect(await balanceOf(seller)).toEqual({ left: 94, held: 0 });
  const view = await readBatch(seller, id);
  expect(view.counts).toEqual({ images: 6, waiting: 0, underWay: 0, succeeded: 6, failed: 0, cancelled: 0 });
  const { calls } = await stack.images.state();
  expect(calls).toHaveLength(6);
  expect(calls.map(({ images }) => images.length).toSorted()).toEqual([1, 1, 1, 1, 2, 2]);

  const zip = await seller.fetch(batchPaths.batchArchive(id));
  expect(zip.status).toBe(200);
  const files = unzipSync(new Uint8Array(await zip.arrayBuffer()));
  expect(Object.keys(files)).toEqual([
    'SKU-1-1.png',
    'SKU-1-2.png',
    'cmd-calc-1.png',
    'cmd-calc-2.png',
    'SKU-3-1.png',
    'SKU-3-2.png',
  ]);
  const inPresets = await seller.fetch(
    `${batchPaths.batchArchive(id)}?presets=amazon-main,ebay&pattern=${encodeURIComponent('{sku}.{amazon}')}`,
  );
  const exported = unzipSync(new Uint8Array(await inPresets.arrayBuffer()));
  expect(Object.keys(exported)).toHaveLength(12);
  expect(Object.keys(exported).slice(0, 4)).toEqual([
    'amazon-main/SKU-1.MAIN.jpg',
    'ebay/SKU-1.MAIN.jpg',
    'amazon-main/SKU-1.PT01.jpg',
    'ebay/SKU-1.PT01.jpg',
  ]);
  for (const file of Object.values(exported)) expect((await sharp(file).metadata()).format).toBe('jpeg');
  const named = await seller.fetch(
    `${batchPaths.batchArchive(id)}?presets=ebay&pattern=${encodeURIComponent('{preset}/{sku}')}`,
  );
  expect(Object.keys(unzipSync(new Uint8Array(await named.arrayBuffer()))).slice(0, 2)).toEqual([
    'ebay-SKU-1.jpg',
    'ebay-SKU-1-2.jpg',
  ]);
  expectError(await seller.request(`${batchPaths.batchArchive(id)}?presets=ebay,ebay`), 'VALIDATION', {
    field: 'presets',
    message: 'The field "presets" is not valid.',
  });

  const semicolons = await seller.request<string>(`${batchPaths.batchReport(id)}?delimiter=;`);
  expect(Papa.parse<string[]>(semicolons.body, { delimiter: ';' }).data[0]).toHaveLength(10);
  const report = await seller.request<string>(batchPaths.batchReport(id));
  const { data } = Papa.parse<Record<string, string>>(report.body, { header: true, skipEmptyLines: true });
  expect(data).toHaveLength(6);
  expect(data[0]).toMatchObject({ sku: 'SKU-1', take: '1', state: 'succeeded', image: 'SKU-1-1.png' });
  // A spreadsheet would execute it.
  expect(data[2]!.sku).toBe("'=cmd|calc");

  const { body: list } = await seller.request<NotificationList>(paths.notifications);
  expect(list.notifications).toMatchObject([
    { kind: 'batch-ended', batchId: id, text: 'Autumn: 6 images ready.' },
  ]);
  const mails = await stack.models.mails.find({ to: seller.email }).lean();
  expect(mails.map(({ kind }) => kind)).toEqual(['batchEnded']);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);

  expect((await seller.request(batchPaths.batch(id), { method: 'DELETE' })).status).toBe(204);
  expectError(await seller.request(batchPaths.batch(id)), 'NOT_FOUND');
  // Its images stay, with their photos.
  const [image] = await seller.generations();
  expect((await seller.request(image!.photos[0]!.url)).status).toBe(200);
  await expectNoStrayFile(stack);
});

test('HEIC of an iPhone, whatever its browser calls it, becomes an image; of high dynamic range it is refused', async ({
  stack,
  seller,
}) => {
  const heic = (name: string) => readFile(join(rootFolder, `tests/support/heic/${name}.heic`));
  const [bytes, wide] = await Promise.all([heic('sideways-tiles'), heic('colours-p3')]);
  const tooBright = await heic('colours-nclx-p3');
  // Its header says that it has the transfer function PQ.
  tooBright[tooBright.indexOf('nclx') + 7] = 16;
  const photosOf = (photo: Buffer, name: string) => [{ name, sha256: sha256Of(photo) }];
  const rows = [
    ...(await sampleRows(1, { photos: photosOf(bytes, 'IMG_0001.HEIC') })),
    ...(await sampleRows(1, { sku: 'SKU-2', photos: photosOf(wide, 'IMG_0002.HEIC') })),
  ];
  const { id } = (await postBatch(seller, { rows })).body;
  // Browsers that do not know HEIC send no type, or that of any bytes.
  for (const [photo, name, type] of [
    [bytes, 'IMG_0001.HEIC', ''],
    [wide, 'IMG_0002.HEIC', 'application/octet-stream'],
  ] as const)
    expect((await putPhoto(seller, id, photo, undefined, { name, type })).status).toBe(200);
  expect((await actOn(seller, id, 'start')).status).toBe(200);
  const worker = await stack.startWorker();
  await untilEnded(seller, id);
  await worker.close();
  expect((await readBatch(seller, id)).counts).toMatchObject({ succeeded: 2, failed: 0 });
  // The provider takes no HEIC: it gets the photos upright, as JPEG.
  const { calls } = await stack.images.state();
  expect(
    calls.flatMap(({ images }) => images).toSorted((one, other) => other.width - one.width),
  ).toMatchObject([
    { width: 480, height: 360, format: 'jpeg' },
    { width: 192, height: 96, format: 'jpeg' },
  ]);
  const zip = await seller.fetch(batchPaths.batchArchive(id));
  const made = unzipSync(new Uint8Array(await zip.arrayBuffer()));
  expect(Object.keys(made)).toEqual(['SKU-1-1.png', 'SKU-2-1.png']);
  for (const image of Object.values(made))
    expect(await sharp(image).metadata()).toMatchObject({ format: 'png', width: 1_024, height: 1_024 });

  const name = 'IMG_0003.HEIC';
  const other = await postBatch(seller, {
    rows: await sampleRows(1, { photos: photosOf(tooBright, name) }),
  });
  expectError(
    await putPhoto(seller, other.body.id, tooBright, undefined, { name, type: 'image/heic' }),
    'TYPE_UNSUPPORTED',
    { message: namePhoto(unknownKindMessage, name) },
  );
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('too few images: nothing is on hold, and the shortfall is named', async ({ stack, seller }) => {
  await forfeitUntil(stack, seller, 4);
  const id = await uploadedBatch(seller, await sampleRows(5));
  expectError(await actOn(seller, id, 'start'), 'NO_CREDITS', {
    message: 'You asked for 5 images and have 4 images left. Please choose fewer.',
  });
  expect(await balanceOf(seller)).toEqual({ left: 4, held: 0 });
  expect((await readBatch(seller, id)).state).toBe('uploading');
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('pause, resume, cancel and retry', async ({ stack, seller }) => {
  await stack.images.set({ behaviours: [contentRefused, contentRefused] });
  const rest = 4;
  const count = window + rest;
  const id = await startedBatch(seller, await sampleRows(count));
  await expect.poll(async () => (await readBatch(seller, id)).counts.underWay, eventually).toBe(window);
  expect((await actOn(seller, id, 'pause')).body).toMatchObject({ state: 'paused' });
  const worker = await stack.startWorker();
  await expect
    .poll(async () => (await readBatch(seller, id)).counts, eventually)
    .toMatchObject({ underWay: 0, waiting: rest, failed: 2, succeeded: window - 2 });
  // An image is there a moment before its hold is settled.
  await expect
    .poll(() => balanceOf(seller), eventually)
    .toEqual({ left: 100 - window + 2 - rest, held: rest });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);

  // Nothing is drawn any more until it is cancelled.
  await stack.images.set({ default: { kind: 'hold' } });
  expect((await actOn(seller, id, 'resume')).body.state).toBe('running');
  await stack.images.waitFor({ active: 1 });
  const cancelled = await actOn(seller, id, 'cancel');
  expect(cancelled.body).toMatchObject({ cancelled: true });
  await stack.images.set({ default: { kind: 'ok' } });
  await stack.images.release();
  await untilEnded(seller, id);
  const { counts } = await readBatch(seller, id);
  expect(counts).toMatchObject({ waiting: 0, underWay: 0, failed: 2 });
  expect(counts.cancelled + counts.succeeded).toBe(count - 2);
  expect(await balanceOf(seller)).toEqual({ left: 100 - counts.succeeded, held: 0 });
  expectError(await actOn(seller, id, 'pause'), 'BATCH_CHANGED');

  const [retried] = await Promise.all([actOn(seller, id, 'retry'), actOn(seller, id, 'retry')]);
  expect(retried).toMatchObject({ status: 200, body: { state: 'running' } });
  await untilEnded(seller, id);
  expect((await readBatch(seller, id)).counts).toEqual({
    ...counts,
    failed: 0,
    succeeded: counts.succeeded + 2,
  });
  expect(await balanceOf(seller)).toEqual({ left: 100 - counts.succeeded - 2, held: 0 });
  await worker.close();
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('strangers see nothing, and what is wrong is refused in words', async ({ stack, seller }) => {
  const id = await uploadedBatch(seller, await sampleRows(1));
  const stranger = await stack.seller();
  expectError(await stranger.request(batchPaths.batch(id)), 'NOT_FOUND');
  expectError(await actOn(stranger, id, 'start'), 'NOT_FOUND');
  expectError(await putPhoto(stranger, id, await samplePhoto()), 'NOT_FOUND');
  expectError(await stranger.request(batchPaths.batchReport(id)), 'NOT_FOUND');
  expectError(await stranger.request(batchPaths.batch(id), { method: 'DELETE' }), 'NOT_FOUND');
  expect((await stranger.request<BatchList>(batchPaths.batches)).body.batches).toEqual([]);
  const tooLarge = { width: 2_048, height: 2_048 };
  for (const [rows, field, code, message] of [
    [await sampleRows(limits.batchRows + 1), 'rows', 'VALIDATION', undefined],
    [[], 'rows', 'VALIDATION', undefined],
    [await sampleRows(1, { takes: 5 }), 'rows.0.takes', 'VALIDATION', undefined],
    [await sampleRows(1, { photos: [] }), 'rows.0.photos', 'VALIDATION', undefined],
    [
      await sampleRows(1, { width: 1_025 }),
      'rows.0.width',
      'VALIDATION',
      'Images of 1025 × 1024 pixels are not offered. Choose one of: 1024 × 1024, 1024 × 1280, 1024 × 1536, 864 × 1536, 1536 × 1024, 1536 × 864, 2048 × 2048.',
    ],
    [
      await sampleRows(1, tooLarge),
      'rows.0',
      'UPGRADE_REQUIRED',
      'Row 1: This is part of the Enterprise plan. Upgrade your plan to use it.',
    ],
  ] as const) {
    const about = message === undefined ? { field } : { field, message };
    expectError(await postBatch(seller, { rows: [...rows] }), code, about);
  }
  expectError(await postBatch(seller, { rows: await sampleRows(1), projectId: 'gone' }), 'VALIDATION', {
    field: 'projectId',
    message: 'This project does not exist any more.',
  });
  const damaged = (await samplePhoto()).subarray(0, 200);
  const { body } = await postBatch(seller, {
    rows: await sampleRows(1, {
      photos: [{ name: 'cup.png', sha256: sha256Of(damaged) }],
    }),
  });
  expectError(await putPhoto(seller, body.id, damaged), 'IMAGE_CORRUPT');
  expect((await readBatch(seller, body.id)).photosMissing).toHaveLength(1);
});

test('photos that nobody finished uploading are removed with their batch', async ({ stack, seller }) => {
  const id = await uploadedBatch(seller, await sampleRows(1));
  const context = await workerContext(stack);
  const view: BatchView = await readBatch(seller, id);
  const days = (Date.parse(view.removedAt!) - Date.parse(view.createdAt)) / 86_400_000;
  expect(days).toBe(limits.batchUploadDays);
  await runUpkeep(context, { ...never, requestMs: 0 });
  expect((await readBatch(seller, id)).state).toBe('uploading');
  await runUpkeep(context, { ...atOnce, unstartedBatchMs: 0 });
  expectError(await seller.request(batchPaths.batch(id)), 'NOT_FOUND');
  expect(await stack.models.batchItems.countDocuments({ batch: id })).toBe(0);
  expect(await stack.models.batchPhotos.countDocuments({ batch: id })).toBe(0);
  await expectNoStrayFile(stack);
});
