/** Photos: accepted ones are stored upright, in the right colours and without metadata; of those that are refused nothing is stored (docs/errors.md). */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { expect } from 'vitest';
import { type ErrorReply, limits, namePhoto, unknownKindMessage } from '#contract';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { expectError, expectNothingLeft } from '#tests/support/errors.ts';
import { flatJpeg, pngChunk } from '#tests/support/large-photos.ts';
import { blackPng, padPng, sidewaysPhoto } from '#tests/support/odd-photos.ts';
import { colouredPhoto, flatImage, samplePhoto } from '#tests/support/photos.ts';
import {
  brickPixel,
  cut,
  displayP3,
  expectColour,
  flat,
  glass,
  inkTolerance,
  jpegTolerance,
  noisy,
  pixelsOf,
  scriptedSvg,
  storePhoto,
  test,
  testFormats,
  testRefusedFiles,
  testStrips,
} from './photos-steps.ts';

// Accepted photos are stored upright, in the right colours and without metadata (docs/errors.md).

testFormats([
  ['JPEG', () => flat().jpeg({ quality: 95 }), brickPixel, 2],
  ['CMYK JPEG', () => flat().toColourspace('cmyk').jpeg({ quality: 100 }), brickPixel, inkTolerance],
  ['PNG', () => flat().png(), brickPixel, 0],
  ['PNG with alpha', () => glass().png(), [...brickPixel, 128], 1],
  ['WebP', () => flat().webp({ quality: 95 }), brickPixel, 3],
  ['TIFF', () => flat().tiff({ compression: 'none' }), brickPixel, 0],
  ['AVIF', () => flat().avif({ quality: 90, chromaSubsampling: '4:4:4' }), brickPixel, 3],
]);

test('a photo in Display P3 is converted to sRGB', async ({ seller }) => {
  // The same values are a stronger red in Display P3 than in sRGB.
  const numbers = Buffer.from(Array.from({ length: 96 * 64 }, () => [200, 60, 60]).flat());
  numbers.fill(0, numbers.length - 96 * 3);
  const raw = { raw: { width: 96, height: 64, channels: 3 as const } };
  const profile = (await sharp(await displayP3().png().toBuffer()).metadata()).icc!;
  const tagged = pngWithProfile(await sharp(numbers, raw).png().toBuffer(), profile);
  const pixel = await pixelsOf(await storePhoto(seller, tagged));
  const [red, green] = pixel(40, 30);
  expect(red).toBeGreaterThan(210);
  expect(green).toBeLessThan(50);
});

/** Adds a colour profile to a PNG without converting its pixels. */
function pngWithProfile(png: Buffer, profile: Buffer): Buffer {
  const data = Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(profile)]);
  const headerEnd = 8 + 25;
  return Buffer.concat([png.subarray(0, headerEnd), pngChunk('iCCP', data), png.subarray(headerEnd)]);
}

test('a HEIC is stored upright and without metadata', async ({ seller }) => {
  const stored = await storePhoto(
    seller,
    await readFile(join(rootFolder, 'tests/support/heic/sideways-tiles.heic')),
  );
  const { width, height, exif, icc } = await sharp(stored).metadata();
  expect({ width, height, exif, icc }).toEqual({ width: 480, height: 360 });
});

test('the first frame of an animated WebP is used', async ({ seller }) => {
  const frames = [await colouredPhoto('#20a020'), await colouredPhoto('#a02020')];
  const animation = await sharp(frames, {
    join: { animated: true },
  })
    .webp({ lossless: true, loop: 0, delay: [100, 100] })
    .toBuffer();
  expect(await sharp(animation).metadata()).toMatchObject({ pages: 2 });
  const stored = await storePhoto(seller, animation);
  expect(await sharp(stored).metadata()).toMatchObject({ width: 96, height: 64 });
  expectColour((await pixelsOf(stored))(20, 15), [32, 160, 32], jpegTolerance);
});

test('a photo taken sideways is stored upright, without its location', async ({ seller }) => {
  const photo = await sidewaysPhoto();
  expect(await sharp(photo).metadata()).toMatchObject({ width: 96, height: 64, orientation: 6 });
  expect(photo.includes('Secret Camera')).toBe(true);
  const stored = await storePhoto(seller, photo);
  const { width, height, exif, xmp, iptc, icc, orientation, comments } = await sharp(stored).metadata();
  expect({ width, height }).toEqual({ width: 64, height: 96 });
  expect([exif, xmp, iptc, icc, orientation, comments]).toEqual(Array(6).fill(undefined));
  expect(stored.includes('Secret Camera')).toBe(false);
  const pixel = await pixelsOf(stored);
  expectColour(pixel(32, 10), [208, 32, 32], 4);
  expectColour(pixel(32, 85), [32, 32, 208], 4);
});

test('a large photo is scaled down, a small one is not scaled up, and both keep their proportions', async ({
  seller,
}) => {
  for (const [photo, width, height] of [
    [flatJpeg(5_000, 2_500), 2_048, 1_024],
    [await flat().resize(4_000, 200, { fit: 'fill' }).png().toBuffer(), 2_048, 102],
    [await flat().png().toBuffer(), 96, 64],
  ] as const) {
    expect(await sharp(await storePhoto(seller, photo)).metadata()).toMatchObject({ width, height });
  }
});

// Files that are refused as photos, alone and after a valid photo (docs/errors.md). Nothing of them is stored.

testRefusedFiles([
  ['an empty file', () => Buffer.alloc(0), 'FILE_EMPTY'],
  ['a truncated JPEG', async () => cut(await noisy().jpeg().toBuffer(), 0.7), 'IMAGE_CORRUPT'],
  ['a scripted SVG', () => Buffer.from(scriptedSvg), 'TYPE_UNSUPPORTED'],
  ['a small PNG that decodes to 30,000 × 30,000', () => blackPng(30_000, 30_000), 'TOO_MANY_PIXELS'],
  ['a photo of 63 pixels', () => flatImage(96, 63).jpeg().toBuffer(), 'IMAGE_TOO_SMALL'],
  [
    'one byte over the size limit',
    async () => padPng(await samplePhoto(), limits.photoBytes + 1),
    'FILE_TOO_LARGE',
  ],
]);

test('a HEIC of high dynamic range is refused with what to do about it', async ({
  stack,
  refused: seller,
}) => {
  const bytes = await readFile(join(rootFolder, 'tests/support/heic/colours-nclx-p3.heic'));
  bytes[bytes.indexOf('nclx') + 7] = 16;
  const photos = [{ bytes, name: 'IMG_0001.HEIC', type: 'image/heic' }];
  expectError(await seller.send({ photos }), 'TYPE_UNSUPPORTED', {
    message: namePhoto(unknownKindMessage, 'IMG_0001.HEIC'),
  });
  await expectNothingLeft(stack, seller.id);
});

test('a photo of a single colour is refused, since it shows nothing', async ({ stack, refused: seller }) => {
  const white = sharp({ create: { width: 96, height: 64, channels: 3, background: '#fefefe' } });
  const photos = [{ bytes: await white.jpeg().toBuffer(), name: 'blank.jpg', type: 'image/jpeg' }];
  expectError(await seller.send({ photos }), 'IMAGE_CORRUPT', {
    message: '“blank.jpg” has a single colour, so there is nothing to see in it. Please choose another one.',
  });
  await expectNothingLeft(stack, seller.id);
});

testStrips([
  ['1,290 × 64', () => flatImage(1_290, 64).png().toBuffer()],
  ['64 × 1,290', () => flatImage(64, 1_290).png().toBuffer()],
]);

test('the name of a file is shown as text, without folders and control characters', async ({ seller }) => {
  const photos = [{ bytes: Buffer.from('text'), name: `../<b>a</b>${'x'.repeat(300)}`, type: 'image/png' }];
  const { body } = await seller.send<ErrorReply>({ photos });
  expect(body.error.message).toMatch(/^“b>x{57}…” is not a photo/);
});

// The server checks photos like the browser: what can spoil an image is in the view, whoever submitted it.

const mug = join(rootFolder, 'scripts/local/photos/mug-1.jpg');

test('the view says what is wrong with each photo', async ({ seller }) => {
  const jpeg = (change: (photo: Sharp) => Sharp) => change(sharp(mug)).jpeg({ quality: 95 }).toBuffer();
  const whole = await jpeg((photo) => photo);
  const photos = await Promise.all([
    whole.subarray(0, -400),
    jpeg((photo) => photo.blur(6)),
    jpeg((photo) => photo.resize(600, 400).linear(0.2, 0)),
    jpeg((photo) => photo.linear(2.4, 0)),
  ]);
  const { id } = await seller.submit({ photos });
  const warnings = [['incomplete'], ['blurry'], ['small', 'dark'], ['bright']];
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
