/** Forms and their text fields that are refused, and unusual ones that are accepted (docs/errors.md). */
import { request as httpRequest } from 'node:http';
import { expect } from 'vitest';
import { paths } from '#contract';
import { expectNothingLeft, unfinishedFiles } from '#tests/support/errors.ts';
import { fieldPart, photoPart, promptPart, unknownField } from '#tests/support/form-parts.ts';
import { eventually } from '#tests/support/harness.ts';
import { multipart } from '#tests/support/multipart.ts';
import { padPng } from '#tests/support/odd-photos.ts';
import { colouredPhoto, flatImage, samplePhoto } from '#tests/support/photos.ts';
import {
  invalidField,
  test,
  testAcceptedForms,
  testAcceptedPrompts,
  testRefusedFields,
  testRefusedForms,
  thousand,
  truncated,
} from './forms-steps.ts';

testRefusedForms([
  ['no file', () => [promptPart], 'IMAGE_REQUIRED'],
  [
    'a file instead of the text',
    (png) => [promptPart, photoPart(png, { name: 'prompt' })],
    'VALIDATION',
    unknownField('prompt'),
  ],
  ['a fifth image', (png) => [promptPart, ...Array(5).fill(photoPart(png))], 'TOO_MANY_FILES'],
  [
    '1,000 fields of different names',
    (png) => [...thousand((index) => `field${index}`), promptPart, photoPart(png)],
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

test('a connection that closes in the middle of a file leaves nothing', async ({
  stack,
  refused: seller,
}) => {
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
    (png) => [promptPart, photoPart(png, { fileName: 'photo.txt', type: 'text/plain' })],
  ],
  [
    'a file name with ../',
    (png) => [promptPart, photoPart(png, { fileName: '../../../../../tmp/packshot-evil.png' })],
  ],
  ['four images', (png) => [promptPart, photoPart(png), photoPart(png), photoPart(png), photoPart(png)]],
  [
    'a photo without a file name, as RFC 7578 allows',
    (png) => [
      promptPart,
      photoPart(png, { headers: 'Content-Disposition: form-data; name="images"\r\nContent-Type: image/png' }),
    ],
  ],
  ['images[] instead of images', (png) => [promptPart, photoPart(png, { name: 'images[]' })]],
  ['the photo before the description', (png) => [photoPart(png), promptPart]],
  [
    'a JPEG that is also a ZIP',
    async () => {
      const jpeg = await flatImage().jpeg().toBuffer();
      return [promptPart, photoPart(Buffer.concat([jpeg, Buffer.from('PK\x05\x06'), Buffer.alloc(18)]))];
    },
  ],
]);

test('an accepted form places one hold, and the audit finds no error', async ({ stack }) => {
  const other = await stack.seller();
  await other.submit({ photos: [await colouredPhoto('#123456')] });
  expect((await other.me()).subscription).toMatchObject({ generationsLeft: 99, generationsHeld: 1 });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

testRefusedFields([
  ['no description', [], 'PROMPT_REQUIRED'],
  ['a description of 4,001 characters', [fieldPart('prompt', 'x'.repeat(4_001))], 'PROMPT_INVALID'],
  ['NUL in the description', [fieldPart('prompt', 'On a\0 table')], 'PROMPT_INVALID'],
  [
    'an object instead of the description',
    [fieldPart('prompt', '{"$gt":""}', 'application/json')],
    'VALIDATION',
    { field: 'prompt' },
  ],
  ['broken JSON in a part', [fieldPart('prompt', '{"a', 'application/json')], 'BAD_JSON'],
  [
    'the description twice',
    [promptPart, promptPart],
    'VALIDATION',
    { field: 'prompt', message: 'The field "prompt" was sent twice.' },
  ],
  invalidField('numImages', '5'),
  invalidField('credits', '1000', { expected: unknownField('credits') }),
  invalidField('__proto__', 'x', { expected: {} }),
  invalidField('productName', 'x'.repeat(201), { what: 'a name of 201 characters' }),
  invalidField('negativePrompt', 'x'.repeat(1_001), { what: 'what to avoid of 1,001 characters' }),
  invalidField('width', '4096'),
  invalidField('height', '-1024'),
  invalidField('style', 'baroque'),
  invalidField('background', 'white'),
  invalidField('useSeed', 'yes'),
  invalidField('seedValue', '1000000'),
]);

testAcceptedPrompts([
  ['a description of exactly 4,000 characters', fieldPart('prompt', 'x'.repeat(4_000)), 'x'.repeat(4_000)],
  ['CR LF, which becomes LF', fieldPart('prompt', `${'x'.repeat(3_998)}\r\ny`), `${'x'.repeat(3_998)}\ny`],
  [
    'markup, which is not changed',
    fieldPart('prompt', '<script>alert(1)</script>'),
    '<script>alert(1)</script>',
  ],
  [
    'a description in Latin-1 with its charset',
    fieldPart('prompt', Buffer.from('Caf\xe9', 'latin1'), 'text/plain; charset=iso-8859-1'),
    'Café',
  ],
]);
