/** Shared by the tests of accepted photos. */
import sharp, { type Sharp } from 'sharp';
import { expect } from 'vitest';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSharedSeller } from '#tests/support/test.ts';

export const test = testWithSharedSeller({ workers: 0 });

/** Uploads a photo and downloads it as it is stored. */
export async function storePhoto(stack: TestStack, seller: Seller, bytes: Buffer): Promise<Buffer> {
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

const brick = { r: 160, g: 90, b: 80 };

export const brickPixel = [160, 90, 80];

export const flat = (): Sharp => sharp({ create: { width: 96, height: 64, channels: 3, background: brick } });

export const glass = (): Sharp =>
  sharp({ create: { width: 96, height: 64, channels: 4, background: { ...brick, alpha: 0.5 } } });

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
    async ([, photo, expected, tolerance], { stack, seller }) => {
      const made = photo();
      const original = Buffer.isBuffer(made) ? made : await made.toBuffer();
      const stored = await storePhoto(stack, seller, original);
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
