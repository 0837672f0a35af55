/** Shared by the tests of photos that are accepted or refused. */
import sharp, { type Sharp } from 'sharp';
import { expect } from 'vitest';
import { type ErrorCode, namePhoto, stripMessage } from '#contract';
import { expectError, expectNothingLeft } from '#tests/support/errors.ts';
import { noise } from '#tests/support/odd-photos.ts';
import { flatImage, samplePhoto } from '#tests/support/photos.ts';
import type { Seller } from '#tests/support/seller.ts';
import { testWithSharedSeller } from '#tests/support/test.ts';

export const test = testWithSharedSeller({ workers: 0 })
  // A seller whose requests are all refused.
  .extend('refused', { scope: 'file' }, ({ stack }) => stack.seller());

/** Uploads a photo and downloads it as it is stored. */
export async function storePhoto(seller: Seller, bytes: Buffer): Promise<Buffer> {
  const { photos } = await seller.submit({ photos: [bytes] });
  const reply = await seller.fetch(photos[0]!.url);
  expect(reply.status).toBe(200);
  const stored = Buffer.from(await reply.arrayBuffer());
  const { format } = await sharp(stored).metadata();
  expect(reply.headers.get('content-type')).toBe(`image/${format}`);
  return stored;
}

/** Decodes an image. @returns what gives the channels of a pixel: red, green, blue and alpha, if there is one */
export async function pixelsOf(image: Buffer): Promise<(x: number, y: number) => number[]> {
  const { data, info } = await sharp(image).raw().toBuffer({ resolveWithObject: true });
  return (x, y) => {
    const at = (y * info.width + x) * info.channels;
    return [...data.subarray(at, at + info.channels)];
  };
}

export function expectColour(
  actual: readonly number[],
  expected: readonly number[],
  tolerance: number,
): void {
  expect(actual).toHaveLength(expected.length);
  const furthest = Math.max(...actual.map((value, channel) => Math.abs(value - expected[channel]!)));
  expect(furthest, `${actual} is not ${expected}`).toBeLessThanOrEqual(tolerance);
}

export const brickPixel = [160, 90, 80];

export const flat = (): Sharp => flatImage(96, 64, '#a05a50');

export const glass = (): Sharp => flat().ensureAlpha(128 / 255);

/** A photo in Display P3: `withIccProfile` converts the colours. */
export const displayP3 = (): Sharp => flat().withIccProfile('p3');

/** What storing a colour as JPEG may change: its luma and chroma are rounded. */
export const jpegTolerance = 1;

/** CMYK has fewer colours than sRGB, so that converting back and forth changes them, though less than an error would. */
export const inkTolerance = 20;

type Format = [what: string, photo: () => Sharp | Buffer, expected: number[], tolerance: number];

/** Defines the tests that photos of these kinds are accepted and keep their colour. */
export function testFormats(formats: Format[]): void {
  test.for(formats)(
    '%s is accepted and has the right colour',
    async ([, photo, expected, tolerance], { seller }) => {
      const made = photo();
      const original = Buffer.isBuffer(made) ? made : await made.toBuffer();
      const stored = await storePhoto(seller, original);
      const { format, depth, space, icc } = await sharp(stored).metadata();
      const isOpaque = expected.length === 3;
      const kept = { format: isOpaque ? 'jpeg' : 'png', depth: 'uchar', space: 'srgb' };
      expect({ format, depth, space, icc }).toEqual(kept);
      expectColour(
        (await pixelsOf(stored))(0, 0),
        expected,
        isOpaque ? tolerance + jpegTolerance : tolerance,
      );
    },
  );
}

export const noisy = () => sharp(noise(96, 64, 7), { raw: { width: 96, height: 64, channels: 3 } });

export const scriptedSvg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

/** The first `share` of a file. */
export const cut = (file: Buffer, share: number) => file.subarray(0, Math.floor(file.length * share));

type RefusedFile = [what: string, file: () => Buffer | Promise<Buffer>, code: ErrorCode];

/** Defines the tests that these files are refused, alone and after a valid photo. */
export function testRefusedFiles(refusedFiles: RefusedFile[]): void {
  test.for(refusedFiles)('%s', async ([, file, code], { stack, refused: seller }) => {
    const bytes = await file();
    expectError(await seller.send({ photos: [{ bytes, name: 'photo.png', type: 'image/png' }] }), code);
    await expectNothingLeft(stack, seller.id);
  });

  test.for(refusedFiles)('%s, after a valid photo', async ([, file, code], { stack, refused: seller }) => {
    const bytes = await file();
    const photos = [await samplePhoto(), { bytes, name: 'photo.jpg', type: 'image/jpeg' }];
    expectError(await seller.send({ photos }), code, { photo: 'photo.jpg' });
    await expectNothingLeft(stack, seller.id);
  });
}

type Strip = [what: string, photo: () => Buffer | Promise<Buffer>];

/** Defines the tests that photos that would be stored as a strip are refused as one. */
export function testStrips(strips: Strip[]): void {
  test.for(strips)('a strip is refused as one: %s', async ([, photo], { stack, refused: seller }) => {
    const photos = [{ bytes: await photo(), name: 'strip', type: 'image/png' }];
    const message = namePhoto(stripMessage, 'strip');
    expectError(await seller.send({ photos }), 'IMAGE_TOO_SMALL', { message });
    await expectNothingLeft(stack, seller.id);
  });
}
