/** Photos of more kinds, and more files that are refused as photos (docs/errors.md). */
import sharp from 'sharp';
import { expect } from 'vitest';
import { limits } from '#contract';
import { animatedPng, blackPng, jpegClaiming } from '#tests/support/odd-photos.ts';
import { flatImage } from '#tests/support/photos.ts';
import {
  brickPixel,
  cut,
  displayP3,
  expectColour,
  flat,
  glass,
  inkTolerance,
  noisy,
  pixelsOf,
  scriptedSvg,
  storePhoto,
  test,
  testFormats,
  testRefusedFiles,
  testStrips,
} from './photos-steps.ts';

// Photos of more kinds are stored in the right colours, and those of each orientation upright (docs/errors.md).

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
  ['the smallest photo', () => flatImage(64, 64, '#a05a50').png(), brickPixel, 0],
  ['animated PNG', () => animatedPng(brickPixel, [0, 0, 255]), brickPixel, 0],
]);

test.for([2, 3, 4, 5, 6, 7, 8])(
  'orientation %i is stored upright, large or small',
  async (orientation, { seller }) => {
    for (const side of [160, 2_400]) {
      const stored = await storePhoto(seller, await turnedPhoto(side, orientation));
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

// More files that are refused as photos (docs/errors.md).

/** A JPEG with a second frame header, which claims another size. */
function withSecondFrame(jpeg: Buffer): Buffer {
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  const end = frame + 2 + jpeg.readUInt16BE(frame + 2);
  const second = Buffer.from(jpeg.subarray(frame, end));
  second.writeUInt16BE(9_000, 5);
  second.writeUInt16BE(9_000, 7);
  return Buffer.concat([jpeg.subarray(0, end), second, jpeg.subarray(end)]);
}

/** A PNG with one byte of its data inverted. */
function altered(png: Buffer): Buffer {
  const middle = Math.floor(png.length / 2);
  png[middle] = png[middle]! ^ 0xff;
  return png;
}

testRefusedFiles([
  ['a JPEG whose header claims more than it holds', () => jpegClaiming(1_000, 1_000), 'IMAGE_CORRUPT'],
  [
    'a progressive JPEG whose header claims more than it holds',
    () => jpegClaiming(1_000, 1_000, { progressive: true }),
    'IMAGE_CORRUPT',
  ],
  ['a JPEG with two headers', async () => withSecondFrame(await noisy().jpeg().toBuffer()), 'IMAGE_CORRUPT'],
  ['a JPEG of three bytes', () => Buffer.from([0xff, 0xd8, 0xff]), 'IMAGE_CORRUPT'],
  [
    'a truncated progressive JPEG',
    async () => cut(await noisy().jpeg({ progressive: true }).toBuffer(), 0.7),
    'IMAGE_CORRUPT',
  ],
  ['a truncated PNG', async () => cut(await noisy().png().toBuffer(), 0.7), 'IMAGE_CORRUPT'],
  [
    'a truncated interlaced PNG',
    async () => cut(await noisy().png({ progressive: true }).toBuffer(), 0.7),
    'IMAGE_CORRUPT',
  ],
  ['a PNG cut off in its header', async () => cut(await flatImage().png().toBuffer(), 0.1), 'IMAGE_CORRUPT'],
  ['a truncated WebP', async () => cut(await noisy().webp().toBuffer(), 0.7), 'IMAGE_CORRUPT'],
  ['a truncated TIFF', async () => cut(await noisy().tiff().toBuffer(), 0.7), 'IMAGE_CORRUPT'],
  ['a truncated AVIF', async () => cut(await noisy().avif().toBuffer(), 0.7), 'IMAGE_CORRUPT'],
  ['a PNG with a width of 0', () => blackPng(0, 8), 'IMAGE_CORRUPT'],
  ['a PNG with a height of 0', () => blackPng(8, 0), 'IMAGE_CORRUPT'],
  ['a PNG whose data was altered', async () => altered(await noisy().png().toBuffer()), 'IMAGE_CORRUPT'],
  ['a text file named .png', () => Buffer.from('not a photo at all'), 'TYPE_UNSUPPORTED'],
  [
    'an SVG after white space',
    () => Buffer.from(`\n\n<?xml version="1.0"?>${scriptedSvg}`),
    'TYPE_UNSUPPORTED',
  ],
  ['a PDF', () => Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n'), 'TYPE_UNSUPPORTED'],
  [
    'a PDF with a JPEG in it',
    async () => Buffer.concat([Buffer.from('%PDF-1.7\n'), await flatImage().jpeg().toBuffer()]),
    'TYPE_UNSUPPORTED',
  ],
  ['a GIF', () => flatImage().gif().toBuffer(), 'TYPE_UNSUPPORTED'],
  ['a GIF that is also a script', () => Buffer.from('GIF89a/*\0\0\0*/=1;alert(1)'), 'TYPE_UNSUPPORTED'],
  ['a ZIP', () => Buffer.from('PK\x03\x04aaaaaaaaaaaaaaaaaaaaaaaaaaaa'), 'TYPE_UNSUPPORTED'],
  ['a JPEG 2000', () => Buffer.from('\0\0\0\x0cjP  \r\n\x87\n', 'latin1'), 'TYPE_UNSUPPORTED'],
  ['one byte', () => Buffer.from([0xff]), 'TYPE_UNSUPPORTED'],
  ['a JPEG that claims 65,000 × 65,000', () => jpegClaiming(65_000, 65_000), 'TOO_MANY_PIXELS'],
  ['one pixel', () => flatImage(1, 1).png().toBuffer(), 'IMAGE_TOO_SMALL'],
  ['one pixel more than the limit', () => blackPng(limits.photoPixels / 10_000, 10_001), 'TOO_MANY_PIXELS'],
]);

testStrips([
  ['a PNG of 96 megapixels', () => blackPng(64, 1_500_000)],
  ['JPEG', () => flatImage(4_000, 100).jpeg().toBuffer()],
  ['WebP', () => flatImage(100, 4_000).webp().toBuffer()],
  ['TIFF', () => flatImage(4_000, 100).tiff().toBuffer()],
  ['AVIF', () => flatImage(100, 4_000).avif({ effort: 0 }).toBuffer()],
]);
