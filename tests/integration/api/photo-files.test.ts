/** Files that are refused as photos, alone and after a valid photo (docs/errors.md). Nothing of them is stored. */
import sharp from 'sharp';
import { expect } from 'vitest';
import { type ErrorCode, type ErrorReply, heicMessage, limits, namePhoto } from '#contract';
import { expectError, expectNothingLeft } from '#tests/support/errors.ts';
import { blackPng, jpegClaiming, noise, padPng } from '#tests/support/odd-photos.ts';
import { flatImage, samplePhoto } from '#tests/support/photos.ts';
import { testWithSharedSeller } from '#tests/support/test.ts';

const test = testWithSharedSeller({ workers: 0 });

const noisy = () => sharp(noise(96, 64, 7), { raw: { width: 96, height: 64, channels: 3 } });
const scriptedSvg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
/** The first `share` of a file. */
const cut = (file: Buffer, share: number) => file.subarray(0, Math.floor(file.length * share));
const heic = Buffer.concat([
  Buffer.from([0, 0, 0, 24]),
  Buffer.from('ftypheic\0\0\0\0mif1heic'),
  Buffer.alloc(64),
]);

const refusedFiles: [what: string, file: () => Buffer | Promise<Buffer>, code: ErrorCode][] = [
  ['an empty file', () => Buffer.alloc(0), 'FILE_EMPTY'],
  ['a truncated JPEG', async () => cut(await noisy().jpeg().toBuffer(), 0.7), 'IMAGE_CORRUPT'],
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
  ['a scripted SVG', () => Buffer.from(scriptedSvg), 'TYPE_UNSUPPORTED'],
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
  ['a small PNG that decodes to 30,000 × 30,000', () => blackPng(30_000, 30_000), 'TOO_MANY_PIXELS'],
  ['a JPEG that claims 65,000 × 65,000', () => jpegClaiming(65_000, 65_000), 'TOO_MANY_PIXELS'],
  ['a photo of 63 pixels', () => flatImage(96, 63).jpeg().toBuffer(), 'IMAGE_TOO_SMALL'],
  ['one pixel', () => flatImage(1, 1).png().toBuffer(), 'IMAGE_TOO_SMALL'],
  ['one pixel more than the limit', () => blackPng(limits.photoPixels / 10_000, 10_001), 'TOO_MANY_PIXELS'],
  [
    'one byte over the size limit',
    async () => padPng(await samplePhoto(), limits.photoBytes + 1),
    'FILE_TOO_LARGE',
  ],
];

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

test.for(refusedFiles)('%s', async ([, file, code], { stack, seller }) => {
  const bytes = await file();
  expectError(await seller.send({ photos: [{ bytes, name: 'photo.png', type: 'image/png' }] }), code);
  await expectNothingLeft(stack, seller.id);
});

test.for(refusedFiles)('%s, after a valid photo', async ([, file, code], { stack, seller }) => {
  const bytes = await file();
  const photos = [await samplePhoto(), { bytes, name: 'photo.jpg', type: 'image/jpeg' }];
  expectError(await seller.send({ photos }), code, { photo: 'photo.jpg' });
  await expectNothingLeft(stack, seller.id);
});

test('a HEIC is refused with what to do about it', async ({ stack, seller }) => {
  const photos = [{ bytes: heic, name: 'IMG_0001.HEIC', type: 'image/heic' }];
  expectError(await seller.send({ photos }), 'TYPE_UNSUPPORTED', {
    message: namePhoto(heicMessage, 'IMG_0001.HEIC'),
  });
  await expectNothingLeft(stack, seller.id);
});

test('the name of a file is shown as text, without folders and control characters', async ({ seller }) => {
  const photos = [{ bytes: Buffer.from('text'), name: `../<b>a</b>${'x'.repeat(300)}`, type: 'image/png' }];
  const { body } = await seller.send<ErrorReply>({ photos });
  expect(body.error.message).toMatch(/^“b>x{57}…” is not a photo/);
});
