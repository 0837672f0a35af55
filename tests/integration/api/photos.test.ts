/** Accepted photos are stored upright, in the right colours and without metadata (docs/errors.md). */
import { deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { expect } from 'vitest';
import { limits } from '#contract';
import { flatJpeg, pngChunk } from '#scripts/attack/large-photos.ts';
import { animatedPng, sidewaysPhoto } from '#tests/support/odd-photos.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSharedSeller } from '#tests/support/test.ts';

const test = testWithSharedSeller({ workers: 0 });

/** Uploads a photo and downloads it as it is stored. */
async function storePhoto(stack: TestStack, seller: Seller, bytes: Buffer): Promise<Buffer> {
  const { photos } = await seller.submit({ photos: [bytes] });
  const reply = await fetch(stack.url + photos[0]!.url, {
    headers: { authorization: `Bearer ${seller.token}` },
  });
  expect(reply.status).toBe(200);
  const stored = Buffer.from(await reply.arrayBuffer());
  const { format } = await sharp(stored).metadata();
  expect(reply.headers.get('content-type')).toBe(`image/${format}`);
  return stored;
}

/** Decodes an image. @returns what gives the channels of a pixel: red, green, blue and alpha, if there is one */
async function pixelsOf(image: Buffer): Promise<(x: number, y: number) => number[]> {
  const { data, info } = await sharp(image).raw().toBuffer({ resolveWithObject: true });
  return (x, y) => {
    const at = (y * info.width + x) * info.channels;
    return [...data.subarray(at, at + info.channels)];
  };
}

function expectColour(actual: readonly number[], expected: readonly number[], tolerance: number): void {
  expect(actual).toHaveLength(expected.length);
  const furthest = Math.max(...actual.map((value, channel) => Math.abs(value - expected[channel]!)));
  expect(furthest, `${actual} is not ${expected}`).toBeLessThanOrEqual(tolerance);
}

const brick = { r: 160, g: 90, b: 80 };
const brickPixel = [160, 90, 80];
const flat = (): Sharp => sharp({ create: { width: 96, height: 64, channels: 3, background: brick } });
const glass = (): Sharp =>
  sharp({ create: { width: 96, height: 64, channels: 4, background: { ...brick, alpha: 0.5 } } });
/** A photo in Display P3: `withIccProfile` converts the colours. */
const displayP3 = (): Sharp => flat().withIccProfile('p3');

/** What storing a colour as JPEG may change: its luma and chroma are rounded. */
const jpegTolerance = 1;

/** CMYK has fewer colours than sRGB, so that converting back and forth changes them, though less than an error would. */
const inkTolerance = 20;

const formats: [what: string, photo: () => Sharp | Buffer, expected: number[], tolerance: number][] = [
  ['JPEG', () => flat().jpeg({ quality: 95 }), brickPixel, 2],
  ['progressive JPEG', () => flat().jpeg({ quality: 95, progressive: true }), brickPixel, 2],
  ['greyscale JPEG', () => flat().toColourspace('b-w').jpeg({ quality: 95 }), [109, 109, 109], 2],
  ['CMYK JPEG', () => flat().toColourspace('cmyk').jpeg({ quality: 100 }), brickPixel, inkTolerance],
  [
    'CMYK JPEG with its profile',
    () => flat().toColourspace('cmyk').withIccProfile('cmyk').jpeg({ quality: 100 }),
    brickPixel,
    inkTolerance,
  ],
  ['PNG', () => flat().png(), brickPixel, 0],
  ['interlaced PNG', () => flat().png({ progressive: true }), brickPixel, 0],
  ['palette PNG', () => flat().png({ palette: true }), brickPixel, 0],
  ['16-bit PNG', () => flat().toColourspace('rgb16').png(), brickPixel, 1],
  ['greyscale PNG', () => flat().toColourspace('b-w').png(), [109, 109, 109], 1],
  ['16-bit greyscale PNG', () => flat().toColourspace('grey16').png(), [109, 109, 109], 1],
  ['PNG with alpha', () => glass().png(), [...brickPixel, 128], 1],
  ['16-bit PNG with alpha', () => glass().toColourspace('rgb16').png(), [...brickPixel, 128], 1],
  ['greyscale PNG with alpha', () => glass().toColourspace('b-w').png(), [109, 109, 109, 128], 1],
  ['palette PNG with alpha', () => glass().png({ palette: true }), [...brickPixel, 128], 2],
  ['PNG in Display P3', () => displayP3().png(), brickPixel, 2],
  ['JPEG in Display P3', () => displayP3().jpeg({ quality: 95 }), brickPixel, 3],
  ['WebP', () => flat().webp({ quality: 95 }), brickPixel, 3],
  ['lossless WebP with alpha', () => glass().webp({ lossless: true }), [...brickPixel, 128], 1],
  ['TIFF', () => flat().tiff({ compression: 'none' }), brickPixel, 0],
  ['TIFF with LZW', () => flat().tiff({ compression: 'lzw' }), brickPixel, 0],
  ['tiled TIFF', () => flat().tiff({ compression: 'deflate', tile: true }), brickPixel, 0],
  ['16-bit TIFF', () => flat().toColourspace('rgb16').tiff({ compression: 'lzw' }), brickPixel, 1],
  ['CMYK TIFF', () => flat().toColourspace('cmyk').tiff({ compression: 'lzw' }), brickPixel, inkTolerance],
  ['Lab TIFF', () => flat().toColourspace('lab').tiff({ compression: 'lzw' }), brickPixel, 2],
  ['TIFF with alpha', () => glass().tiff({ compression: 'lzw' }), [...brickPixel, 128], 1],
  ['BigTIFF', () => flat().tiff({ compression: 'lzw', bigtiff: true }), brickPixel, 0],
  ['AVIF', () => flat().avif({ quality: 90, chromaSubsampling: '4:4:4' }), brickPixel, 3],
  ['10-bit AVIF', () => flat().avif({ quality: 90, bitdepth: 10 }), brickPixel, 3],
  ['AVIF with alpha', () => glass().avif({ quality: 95 }), [...brickPixel, 128], 3],
  ['the smallest photo', () => flat().resize(64, 64).png(), brickPixel, 0],
  ['animated PNG', () => animatedPng(brickPixel, [0, 0, 255]), brickPixel, 0],
];

test.for(formats)(
  '%s is accepted and has the right colour',
  async ([, photo, expected, tolerance], { stack, seller }) => {
    const made = photo();
    const original = Buffer.isBuffer(made) ? made : await made.toBuffer();
    const stored = await storePhoto(stack, seller, original);
    const { format, depth, space, icc } = await sharp(stored).metadata();
    const isOpaque = expected.length === 3;
    const kept = { format: isOpaque ? 'jpeg' : 'png', depth: 'uchar', space: 'srgb' };
    expect({ format, depth, space, icc }).toEqual(kept);
    expectColour((await pixelsOf(stored))(0, 0), expected, isOpaque ? tolerance + jpegTolerance : tolerance);
  },
);

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

test('a large photo is scaled down, a small one is not scaled up, and both keep their proportions', async ({
  stack,
  seller,
}) => {
  expect(await sharp(await storePhoto(stack, seller, flatJpeg(5_000, 2_500))).metadata()).toMatchObject({
    width: 2_048,
    height: 1_024,
  });
  const thin = await flat().resize(9_000, 64, { fit: 'fill' }).png().toBuffer();
  expect(await sharp(await storePhoto(stack, seller, thin)).metadata()).toMatchObject({
    width: 2_048,
    height: 15,
  });
  expect(
    await sharp(await storePhoto(stack, seller, await flat().png().toBuffer())).metadata(),
  ).toMatchObject({
    width: 96,
    height: 64,
  });
});
