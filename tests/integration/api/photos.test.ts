/** Accepted photos are stored upright, in the right colours and without metadata (docs/errors.md). */
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { expect } from 'vitest';
import { flatJpeg, pngChunk } from '#tests/support/large-photos.ts';
import { sidewaysPhoto } from '#tests/support/odd-photos.ts';
import {
  brickPixel,
  displayP3,
  expectColour,
  flat,
  glass,
  inkTolerance,
  jpegTolerance,
  pixelsOf,
  storePhoto,
  test,
  testFormats,
} from './photos-steps.ts';

testFormats([
  ['JPEG', () => flat().jpeg({ quality: 95 }), brickPixel, 2],
  ['CMYK JPEG', () => flat().toColourspace('cmyk').jpeg({ quality: 100 }), brickPixel, inkTolerance],
  ['PNG', () => flat().png(), brickPixel, 0],
  ['PNG with alpha', () => glass().png(), [...brickPixel, 128], 1],
  ['WebP', () => flat().webp({ quality: 95 }), brickPixel, 3],
  ['TIFF', () => flat().tiff({ compression: 'none' }), brickPixel, 0],
  ['AVIF', () => flat().avif({ quality: 90, chromaSubsampling: '4:4:4' }), brickPixel, 3],
]);

test('a photo in Display P3 is converted to sRGB', async ({ stack, seller }) => {
  // The same values are a stronger red in Display P3 than in sRGB.
  const numbers = Buffer.from(Array.from({ length: 96 * 64 }, () => [200, 60, 60]).flat());
  const raw = { raw: { width: 96, height: 64, channels: 3 as const } };
  const profile = (await sharp(await displayP3().png().toBuffer()).metadata()).icc!;
  const tagged = pngWithProfile(await sharp(numbers, raw).png().toBuffer(), profile);
  const pixel = await pixelsOf(await storePhoto(stack, seller, tagged));
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

test('the first frame of an animated WebP is used', async ({ stack, seller }) => {
  const frame = (background: string) =>
    sharp({ create: { width: 96, height: 64, channels: 3, background } })
      .png()
      .toBuffer();
  const animation = await sharp([await frame('#20a020'), await frame('#a02020')], {
    join: { animated: true },
  })
    .webp({ lossless: true, loop: 0, delay: [100, 100] })
    .toBuffer();
  expect(await sharp(animation).metadata()).toMatchObject({ pages: 2 });
  const stored = await storePhoto(stack, seller, animation);
  expect(await sharp(stored).metadata()).toMatchObject({ width: 96, height: 64 });
  expectColour((await pixelsOf(stored))(20, 15), [32, 160, 32], jpegTolerance);
});

test('a photo taken sideways is stored upright, without its location', async ({ stack, seller }) => {
  const photo = await sidewaysPhoto();
  expect(await sharp(photo).metadata()).toMatchObject({ width: 96, height: 64, orientation: 6 });
  expect(photo.includes('Secret Camera')).toBe(true);
  const stored = await storePhoto(stack, seller, photo);
  const { width, height, exif, xmp, iptc, icc, orientation, comments } = await sharp(stored).metadata();
  expect({ width, height }).toEqual({ width: 64, height: 96 });
  expect([exif, xmp, iptc, icc, orientation, comments]).toEqual(Array(6).fill(undefined));
  expect(stored.includes('Secret Camera')).toBe(false);
  const pixel = await pixelsOf(stored);
  expectColour(pixel(32, 10), [208, 32, 32], 4);
  expectColour(pixel(32, 85), [32, 32, 208], 4);
});

test('a large photo is scaled down, a small one is not scaled up, and both keep their proportions', async ({
  stack,
  seller,
}) => {
  expect(await sharp(await storePhoto(stack, seller, flatJpeg(5_000, 2_500))).metadata()).toMatchObject({
    width: 2_048,
    height: 1_024,
  });
  const thin = await flat().resize(6_400, 200, { fit: 'fill' }).png().toBuffer();
  expect(await sharp(await storePhoto(stack, seller, thin)).metadata()).toMatchObject({
    width: 2_048,
    height: 64,
  });
  expect(
    await sharp(await storePhoto(stack, seller, await flat().png().toBuffer())).metadata(),
  ).toMatchObject({
    width: 96,
    height: 64,
  });
});
