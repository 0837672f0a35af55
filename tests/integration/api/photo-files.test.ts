/** Files that are refused as photos, alone and after a valid photo (docs/errors.md). Nothing of them is stored. */
import { expect } from 'vitest';
import { type ErrorReply, heicMessage, limits, namePhoto, stripMessage } from '#contract';
import { expectError, expectNothingLeft } from '#tests/support/errors.ts';
import { blackPng, padPng } from '#tests/support/odd-photos.ts';
import { flatImage, samplePhoto } from '#tests/support/photos.ts';
import { cut, noisy, scriptedSvg, test, testRefusedFiles } from './photo-files-steps.ts';

const heic = Buffer.concat([
  Buffer.from([0, 0, 0, 24]),
  Buffer.from('ftypheic\0\0\0\0mif1heic'),
  Buffer.alloc(64),
]);

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

test('a HEIC is refused with what to do about it', async ({ stack, seller }) => {
  const photos = [{ bytes: heic, name: 'IMG_0001.HEIC', type: 'image/heic' }];
  expectError(await seller.send({ photos }), 'TYPE_UNSUPPORTED', {
    message: namePhoto(heicMessage, 'IMG_0001.HEIC'),
  });
  await expectNothingLeft(stack, seller.id);
});

test.for([
  [2_080, 64],
  [64, 2_080],
] as const)(
  'a photo of %s × %s pixels, which would be stored as a strip, is refused',
  async ([width, height], { stack, seller }) => {
    const bytes = await flatImage(width, height).png().toBuffer();
    const photos = [{ bytes, name: 'strip.png', type: 'image/png' }];
    expectError(await seller.send({ photos }), 'IMAGE_TOO_SMALL', {
      message: namePhoto(stripMessage, 'strip.png'),
    });
    await expectNothingLeft(stack, seller.id);
  },
);

test('the name of a file is shown as text, without folders and control characters', async ({ seller }) => {
  const photos = [{ bytes: Buffer.from('text'), name: `../<b>a</b>${'x'.repeat(300)}`, type: 'image/png' }];
  const { body } = await seller.send<ErrorReply>({ photos });
  expect(body.error.message).toMatch(/^“b>x{57}…” is not a photo/);
});
