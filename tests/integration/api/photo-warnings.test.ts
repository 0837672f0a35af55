/** The server checks photos like the browser: what can spoil an image is in the view, whoever submitted it. */
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { expect } from 'vitest';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { expectError } from '#tests/support/errors.ts';
import { testWithSharedSeller } from '#tests/support/test.ts';

const test = testWithSharedSeller({ workers: 0 });
const mug = join(rootFolder, 'scripts/local/photos/mug-1.jpg');

test('the view says what is wrong with each photo', async ({ seller }) => {
  const jpeg = (change: (photo: Sharp) => Sharp) => change(sharp(mug)).jpeg({ quality: 95 }).toBuffer();
  const photos = await Promise.all([
    jpeg((photo) => photo),
    jpeg((photo) => photo.blur(6)),
    jpeg((photo) => photo.linear(0.2, 0)),
    jpeg((photo) => photo.resize(600, 400)),
  ]);
  const { id } = await seller.submit({ photos });
  const warnings = [[], ['blurry'], ['dark'], ['small']];
  expect((await seller.generation(id)).photos.map((photo) => photo.warnings)).toEqual(warnings);
  expect(
    (await seller.generations()).find((view) => view.id === id)?.photos.map((photo) => photo.warnings),
  ).toEqual(warnings);
});

test('a product without background is judged on white', async ({ seller }) => {
  const product = await sharp(mug)
    .joinChannel(
      await sharp(join(rootFolder, 'scripts/local/photos/masks/mug-1.png'))
        .resize(1_200, 900)
        .extractChannel(0)
        .toBuffer(),
    )
    .png()
    .toBuffer();
  const { photos } = await seller.submit({ photos: [product] });
  expect(photos[0]!.warnings).toEqual([]);
});

test('what the photos show is part of the request', async ({ seller }) => {
  expect((await seller.submit()).photosShow).toBe('one-product');
  const several = { fields: [['photosShow', 'several-products']] as [string, string][] };
  const first = await seller.submit({ ...several, idempotencyKey: 'several' });
  expect(first.photosShow).toBe('several-products');
  expectError(await seller.send({ idempotencyKey: 'several' }), 'IDEMPOTENCY_MISMATCH');
  expectError(await seller.send({ fields: [['photosShow', 'all']] }), 'VALIDATION', { field: 'photosShow' });
});
