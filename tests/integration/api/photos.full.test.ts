/** Photos of more kinds are stored in the right colours, and those of each orientation upright (docs/errors.md). */
import sharp from 'sharp';
import { expect } from 'vitest';
import { limits } from '#contract';
import { animatedPng } from '#tests/support/odd-photos.ts';
import {
  brickPixel,
  displayP3,
  expectColour,
  flat,
  glass,
  inkTolerance,
  pixelsOf,
  storePhoto,
  test,
  testFormats,
} from './photos-steps.ts';

testFormats([
  ['progressive JPEG', () => flat().jpeg({ quality: 95, progressive: true }), brickPixel, 2],
  ['greyscale JPEG', () => flat().toColourspace('b-w').jpeg({ quality: 95 }), [109, 109, 109], 2],
  [
    'CMYK JPEG with its profile',
    () => flat().toColourspace('cmyk').withIccProfile('cmyk').jpeg({ quality: 100 }),
    brickPixel,
    inkTolerance,
  ],
  ['interlaced PNG', () => flat().png({ progressive: true }), brickPixel, 0],
  ['palette PNG', () => flat().png({ palette: true }), brickPixel, 0],
  ['16-bit PNG', () => flat().toColourspace('rgb16').png(), brickPixel, 1],
  ['greyscale PNG', () => flat().toColourspace('b-w').png(), [109, 109, 109], 1],
  ['16-bit greyscale PNG', () => flat().toColourspace('grey16').png(), [109, 109, 109], 1],
  ['16-bit PNG with alpha', () => glass().toColourspace('rgb16').png(), [...brickPixel, 128], 1],
  ['greyscale PNG with alpha', () => glass().toColourspace('b-w').png(), [109, 109, 109, 128], 1],
  ['palette PNG with alpha', () => glass().png({ palette: true }), [...brickPixel, 128], 2],
  ['PNG in Display P3', () => displayP3().png(), brickPixel, 2],
  ['JPEG in Display P3', () => displayP3().jpeg({ quality: 95 }), brickPixel, 3],
  ['lossless WebP with alpha', () => glass().webp({ lossless: true }), [...brickPixel, 128], 1],
  ['TIFF with LZW', () => flat().tiff({ compression: 'lzw' }), brickPixel, 0],
  ['tiled TIFF', () => flat().tiff({ compression: 'deflate', tile: true }), brickPixel, 0],
  ['16-bit TIFF', () => flat().toColourspace('rgb16').tiff({ compression: 'lzw' }), brickPixel, 1],
  ['CMYK TIFF', () => flat().toColourspace('cmyk').tiff({ compression: 'lzw' }), brickPixel, inkTolerance],
  ['Lab TIFF', () => flat().toColourspace('lab').tiff({ compression: 'lzw' }), brickPixel, 2],
  ['TIFF with alpha', () => glass().tiff({ compression: 'lzw' }), [...brickPixel, 128], 1],
  ['BigTIFF', () => flat().tiff({ compression: 'lzw', bigtiff: true }), brickPixel, 0],
  ['10-bit AVIF', () => flat().avif({ quality: 90, bitdepth: 10 }), brickPixel, 3],
  ['AVIF with alpha', () => glass().avif({ quality: 95 }), [...brickPixel, 128], 3],
  ['the smallest photo', () => flat().resize(64, 64).png(), brickPixel, 0],
  ['animated PNG', () => animatedPng(brickPixel, [0, 0, 255]), brickPixel, 0],
]);

test.for([2, 3, 4, 5, 6, 7, 8])(
  'orientation %i is stored upright, large or small',
  async (orientation, { stack, seller }) => {
    for (const side of [160, 2_400]) {
      const stored = await storePhoto(stack, seller, await turnedPhoto(side, orientation));
      const { width, height } = await sharp(stored).metadata();
      const longest = Math.min(side, limits.photoSide);
      expect({ width, height }).toEqual({ width: longest, height: longest / 2 });
      const pixel = await pixelsOf(stored);
      expectColour(pixel(5, 5), [208, 32, 32], 2);
      expectColour(pixel(longest - 5, 5), [255, 255, 255], 2);
      expectColour(pixel(5, longest / 2 - 5), [255, 255, 255], 2);
    }
  },
);

/**
 * A white photo with a red corner, at the top left when it is upright: it has the pixels that a camera stores for this
 * orientation (EXIF 2.3, tag 274).
 * @param side the longer side, in pixels
 */
async function turnedPhoto(side: number, orientation: number): Promise<Buffer> {
  const upright = sharp({ create: { width: 8, height: 4, channels: 3, background: '#ffffff' } }).composite([
    { input: { create: { width: 2, height: 2, channels: 3, background: '#d02020' } }, left: 0, top: 0 },
  ]);
  const mirrored = [2, 4, 5, 7].includes(orientation);
  const angle = { 3: 180, 4: 180, 5: 90, 6: 270, 7: 270, 8: 90 }[orientation] ?? 0;
  const turned = await sharp(await upright.png().toBuffer())
    .rotate(angle)
    .png()
    .toBuffer();
  const stored = await sharp(turned).flop(mirrored).removeAlpha().png().toBuffer();
  // Turned before it is enlarged, as turning millions of pixels takes long.
  const { width, height } = await sharp(stored).metadata();
  return sharp(stored)
    .resize((width * side) / 8, (height * side) / 8, { kernel: 'nearest' })
    .withMetadata({ orientation })
    .png({ compressionLevel: 1 })
    .toBuffer();
}
