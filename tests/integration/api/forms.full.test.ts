/** More forms that are refused or accepted (docs/errors.md). */
import { limits } from '#contract';
import { expectError, expectNothingLeft } from '#tests/support/errors.ts';
import { photoPart, promptPart, sendForm, unknownField } from '#tests/support/form-parts.ts';
import { multipart } from '#tests/support/multipart.ts';
import { noise, padPng } from '#tests/support/odd-photos.ts';
import { flatImage, samplePhoto } from '#tests/support/photos.ts';
import { test, testAcceptedForms, testRefusedForms, thousand, truncated } from './forms-steps.ts';

testRefusedForms([
  ['no part at all', () => multipart([]), 'IMAGE_REQUIRED'],
  [
    'a file under an unknown name',
    (png) => multipart([promptPart, photoPart(png, { name: 'avatar' })]),
    'VALIDATION',
    unknownField('avatar'),
  ],
  [
    'text instead of the file',
    () => multipart([promptPart, { name: 'images', value: 'text' }]),
    'IMAGE_REQUIRED',
  ],
  [
    'fifty images',
    (png) => multipart([promptPart, ...Array.from({ length: 50 }, () => photoPart(png))]),
    'TOO_MANY_FILES',
  ],
  [
    '1,000 fields of one name',
    (png) => multipart([photoPart(png), ...thousand(() => 'prompt')]),
    'TOO_MANY_FIELDS',
  ],
  [
    '1,000 fields after a file',
    (png) => multipart([promptPart, photoPart(png), ...thousand((index) => `x${index}`)]),
    'TOO_MANY_FIELDS',
  ],
  [
    'a body without its closing boundary',
    (png) => multipart([promptPart, photoPart(png)], false),
    'UPLOAD_ABORTED',
  ],
  [
    'a body cut off in a field',
    (png) => truncated(multipart([photoPart(png), promptPart]), 40),
    'UPLOAD_ABORTED',
  ],
  [
    "a body cut off in a part's headers",
    (png) => truncated(multipart([photoPart(png), promptPart]), 80),
    'UPLOAD_ABORTED',
  ],
  ['an empty body', () => ({ ...multipart([]), body: Buffer.alloc(0) }), 'IMAGE_REQUIRED'],
]);

test('a file of twice the size limit is refused with a reply', async ({ stack, seller }) => {
  const huge = padPng(await samplePhoto(), 2 * limits.photoBytes);
  expectError(await sendForm(seller, multipart([promptPart, photoPart(huge)])), 'FILE_TOO_LARGE');
  expectError(
    await sendForm(seller, multipart([photoPart(huge), promptPart, photoPart(huge)])),
    'FILE_TOO_LARGE',
  );
  await expectNothingLeft(stack, seller.id);
});

testAcceptedForms([
  ['exactly 20 MB', (png) => multipart([promptPart, photoPart(padPng(png, limits.photoBytes))])],
  [
    'a PNG sent as JPEG',
    (png) => multipart([promptPart, photoPart(png, { fileName: 'photo.jpg', type: 'image/jpeg' })]),
  ],
  [
    'a PNG sent as an SVG',
    (png) => multipart([promptPart, photoPart(png, { fileName: 'photo.svg', type: 'image/svg+xml' })]),
  ],
  [
    'a file of unknown type',
    (png) => multipart([promptPart, photoPart(png, { fileName: 'photo', type: 'application/octet-stream' })]),
  ],
  [
    'a file name with ..\\',
    (png) => multipart([promptPart, photoPart(png, { fileName: '..\\\\..\\\\evil.png' })]),
  ],
  ['an absolute file name', (png) => multipart([promptPart, photoPart(png, { fileName: '/etc/passwd' })])],
  ['a file name with NUL', (png) => multipart([promptPart, photoPart(png, { fileName: 'photo.png\0.sh' })])],
  [
    'a file name with CR LF, encoded',
    (png) => multipart([promptPart, photoPart(png, { fileName: 'a%0D%0AX-Evil: 1.png' })]),
  ],
  [
    'a file name of 10 kB',
    (png) => multipart([promptPart, photoPart(png, { fileName: 'x'.repeat(10_000) })]),
  ],
  [
    'a file name with quotes and letters of other scripts',
    (png) => multipart([promptPart, photoPart(png, { fileName: '\\"Tasse\\" 杯子 ☕.png' })]),
  ],
  [
    'an encoded file name',
    (png) =>
      multipart([
        promptPart,
        photoPart(png, {
          headers: 'Content-Disposition: form-data; name="images"; filename*=UTF-8\'\'%2e%2e%2fevil.png',
        }),
      ]),
  ],
  ['an empty file name', (png) => multipart([promptPart, photoPart(png, { fileName: '' })])],
  [
    'a PNG with garbage after its end',
    (png) => multipart([promptPart, photoPart(Buffer.concat([png, noise(100, 100, 3)]))]),
  ],
  [
    'a JPEG with stray bytes between two segments',
    async () => {
      const jpeg = await flatImage().jpeg().toBuffer();
      const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
      return multipart([
        promptPart,
        photoPart(Buffer.concat([jpeg.subarray(0, frame), Buffer.alloc(3), jpeg.subarray(frame)])),
      ]);
    },
  ],
  [
    'two JPEGs in one file, as cameras write them',
    async () => {
      const jpeg = await flatImage().jpeg().toBuffer();
      return multipart([
        promptPart,
        photoPart(Buffer.concat([jpeg, await flatImage().resize(8, 6).jpeg().toBuffer()])),
      ]);
    },
  ],
]);
