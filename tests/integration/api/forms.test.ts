/** Forms that are refused as a whole, and unusual ones that are accepted (docs/errors.md). */
import { request as httpRequest } from 'node:http';
import { expect } from 'vitest';
import { paths } from '#contract';
import { expectNothingLeft, unfinishedFiles } from '#tests/support/errors.ts';
import { photoPart, promptPart, unknownField } from '#tests/support/form-parts.ts';
import { eventually } from '#tests/support/harness.ts';
import { multipart } from '#tests/support/multipart.ts';
import { padPng } from '#tests/support/odd-photos.ts';
import { colouredPhoto, flatImage, samplePhoto } from '#tests/support/photos.ts';
import { test, testAcceptedForms, testRefusedForms, thousand, truncated } from './forms-steps.ts';

testRefusedForms([
  ['no file', () => multipart([promptPart]), 'IMAGE_REQUIRED'],
  [
    'a file instead of the text',
    (png) => multipart([promptPart, photoPart(png, { name: 'prompt' })]),
    'VALIDATION',
    unknownField('prompt'),
  ],
  [
    'a fifth image',
    (png) => multipart([promptPart, ...Array.from({ length: 5 }, () => photoPart(png))]),
    'TOO_MANY_FILES',
  ],
  [
    '1,000 fields of different names',
    (png) => multipart([...thousand((index) => `field${index}`), promptPart, photoPart(png)]),
    'TOO_MANY_FIELDS',
  ],
  [
    'a body cut off in a file',
    (png) => truncated(multipart([promptPart, photoPart(png)]), 60),
    'UPLOAD_ABORTED',
  ],
  [
    'bytes that are not a form',
    () => ({ ...multipart([]), body: Buffer.from('hello, this is not a form') }),
    'UPLOAD_ABORTED',
  ],
]);

test('a connection that closes in the middle of a file leaves nothing', async ({ stack, seller }) => {
  const { headers, body } = multipart([promptPart, photoPart(padPng(await samplePhoto(), 2_000_000))]);
  const request = httpRequest(stack.url + paths.generations, {
    method: 'POST',
    headers: { ...headers, 'content-length': body.length, authorization: `Bearer ${seller.token}` },
  });
  request.on('error', () => {});
  request.write(body.subarray(0, 1_000_000));
  await expect.poll(() => unfinishedFiles(stack)).not.toEqual([]);
  request.destroy();
  await expectNothingLeft(stack, seller.id);
});

testAcceptedForms([
  [
    'a PNG sent as text',
    (png) => multipart([promptPart, photoPart(png, { fileName: 'photo.txt', type: 'text/plain' })]),
  ],
  [
    'a file name with ../',
    (png) => multipart([promptPart, photoPart(png, { fileName: '../../../../../tmp/packshot-evil.png' })]),
  ],
  [
    'four images',
    (png) => multipart([promptPart, photoPart(png), photoPart(png), photoPart(png), photoPart(png)]),
  ],
  ['images[] instead of images', (png) => multipart([promptPart, photoPart(png, { name: 'images[]' })])],
  ['the photo before the description', (png) => multipart([photoPart(png), promptPart])],
  [
    'a JPEG that is also a ZIP',
    async () =>
      multipart([
        promptPart,
        photoPart(
          Buffer.concat([await flatImage().jpeg().toBuffer(), Buffer.from('PK\x05\x06'), Buffer.alloc(18)]),
        ),
      ]),
  ],
]);

test('an accepted form places one hold, and the audit finds no error', async ({ stack }) => {
  const other = await stack.seller();
  await other.submit({ photos: [await colouredPhoto('#123456')] });
  expect((await other.me()).subscription).toMatchObject({ generationsLeft: 99, generationsHeld: 1 });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});
