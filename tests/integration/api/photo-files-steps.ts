/** Shared by the tests of files that are refused as photos. */
import sharp from 'sharp';
import type { ErrorCode } from '#contract';
import { expectError, expectNothingLeft } from '#tests/support/errors.ts';
import { noise } from '#tests/support/odd-photos.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import { testWithSharedSeller } from '#tests/support/test.ts';

export const test = testWithSharedSeller({ workers: 0 });

export const noisy = () => sharp(noise(96, 64, 7), { raw: { width: 96, height: 64, channels: 3 } });

export const scriptedSvg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

/** The first `share` of a file. */
export const cut = (file: Buffer, share: number) => file.subarray(0, Math.floor(file.length * share));

type RefusedFile = [what: string, file: () => Buffer | Promise<Buffer>, code: ErrorCode];

/** Defines the tests that these files are refused, alone and after a valid photo. */
export function testRefusedFiles(refusedFiles: RefusedFile[]): void {
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
}
