/** More files that are refused as photos (docs/errors.md). */
import { limits, namePhoto, stripMessage } from '#contract';
import { expectError, expectNothingLeft } from '#tests/support/errors.ts';
import { blackPng, jpegClaiming } from '#tests/support/odd-photos.ts';
import { flatImage } from '#tests/support/photos.ts';
import { cut, noisy, scriptedSvg, test, testRefusedFiles } from './photo-files-steps.ts';

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

test.for<[what: string, photo: () => Buffer | Promise<Buffer>]>([
  ['a PNG of 96 megapixels', () => blackPng(64, 1_500_000)],
  ['JPEG', () => flatImage(4_000, 100).jpeg().toBuffer()],
  ['WebP', () => flatImage(100, 4_000).webp().toBuffer()],
  ['TIFF', () => flatImage(4_000, 100).tiff().toBuffer()],
  ['AVIF', () => flatImage(100, 4_000).avif({ effort: 0 }).toBuffer()],
])('a strip is refused as one: %s', async ([, photo], { stack, seller }) => {
  const photos = [{ bytes: await photo(), name: 'strip', type: 'image/png' }];
  expectError(await seller.send({ photos }), 'IMAGE_TOO_SMALL', {
    message: namePhoto(stripMessage, 'strip'),
  });
  await expectNothingLeft(stack, seller.id);
});
