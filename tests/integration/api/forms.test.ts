/** Forms that are refused as a whole, and unusual ones that are accepted (docs/errors.md). */
import { request as httpRequest } from 'node:http';
import sharp from 'sharp';
import { expect } from 'vitest';
import { type ErrorCode, type GenerationSet, type GenerationView, limits, paths } from '#contract';
import { expectError, expectNoStrayFile, expectNothingLeft, unfinishedFiles } from '#tests/support/errors.ts';
import { photoPart, promptPart, sendForm, unknownField } from '#tests/support/form-parts.ts';
import { multipart, type Part, type RawForm } from '#tests/support/multipart.ts';
import { noise, padPng } from '#tests/support/odd-photos.ts';
import { colouredPhoto, flatImage, samplePhoto } from '#tests/support/photos.ts';
import { testWithSharedSeller } from '#tests/support/test.ts';

const test = testWithSharedSeller({ workers: 0 });

const refusedForms: [
  what: string,
  form: (png: Buffer) => RawForm,
  code: ErrorCode,
  expected?: { field?: string; message?: string },
][] = [
  ['no file', () => multipart([promptPart]), 'IMAGE_REQUIRED'],
  ['no part at all', () => multipart([]), 'IMAGE_REQUIRED'],
  [
    'a file instead of the text',
    (png) => multipart([promptPart, photoPart(png, { name: 'prompt' })]),
    'VALIDATION',
    unknownField('prompt'),
  ],
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
    'a fifth image',
    (png) => multipart([promptPart, ...Array.from({ length: 5 }, () => photoPart(png))]),
    'TOO_MANY_FILES',
  ],
  [
    'fifty images',
    (png) => multipart([promptPart, ...Array.from({ length: 50 }, () => photoPart(png))]),
    'TOO_MANY_FILES',
  ],
  [
    '1,000 fields of different names',
    (png) => multipart([...thousand((index) => `field${index}`), promptPart, photoPart(png)]),
    'TOO_MANY_FIELDS',
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
    'a body cut off in a file',
    (png) => truncated(multipart([promptPart, photoPart(png)]), 60),
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
  [
    'bytes that are not a form',
    () => ({ ...multipart([]), body: Buffer.from('hello, this is not a form') }),
    'UPLOAD_ABORTED',
  ],
];

function thousand(name: (index: number) => string): Part[] {
  return Array.from({ length: 1_000 }, (_, index) => ({ name: name(index), value: 'x' }));
}

function truncated(form: RawForm, bytes: number): RawForm {
  return { ...form, body: form.body.subarray(0, form.body.length - bytes) };
}

test.for(refusedForms)('%s', async ([, form, code, expected], { stack, seller }) => {
  expectError(await sendForm(seller, form(await samplePhoto())), code, expected);
  await expectNothingLeft(stack, seller.id);
});

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

test('a file of twice the size limit is refused with a reply', async ({ stack, seller }) => {
  const huge = padPng(await samplePhoto(), 2 * limits.photoBytes);
  expectError(await sendForm(seller, multipart([promptPart, photoPart(huge)])), 'FILE_TOO_LARGE');
  expectError(
    await sendForm(seller, multipart([photoPart(huge), promptPart, photoPart(huge)])),
    'FILE_TOO_LARGE',
  );
  await expectNothingLeft(stack, seller.id);
});

const acceptedForms: [what: string, form: (png: Buffer) => RawForm | Promise<RawForm>][] = [
  ['exactly 20 MB', (png) => multipart([promptPart, photoPart(padPng(png, limits.photoBytes))])],
  [
    'a PNG sent as JPEG',
    (png) => multipart([promptPart, photoPart(png, { fileName: 'photo.jpg', type: 'image/jpeg' })]),
  ],
  [
    'a PNG sent as text',
    (png) => multipart([promptPart, photoPart(png, { fileName: 'photo.txt', type: 'text/plain' })]),
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
    'a file name with ../',
    (png) => multipart([promptPart, photoPart(png, { fileName: '../../../../../tmp/packshot-evil.png' })]),
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
    'four images',
    (png) => multipart([promptPart, photoPart(png), photoPart(png), photoPart(png), photoPart(png)]),
  ],
  ['images[] instead of images', (png) => multipart([promptPart, photoPart(png, { name: 'images[]' })])],
  ['the photo before the description', (png) => multipart([photoPart(png), promptPart])],
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
];

test.for(acceptedForms)('accepted: %s', async ([, form], { stack, seller }) => {
  const answer = await sendForm(seller, await form(await samplePhoto()));
  const generation = { state: 'queued', prompt: 'On a table' };
  expect(answer).toMatchObject({ status: 202, body: { generations: [generation] } });
  const [{ photos }] = (answer.body as GenerationSet).generations as [GenerationView];
  const kept = await fetch(stack.url + photos[0]!.url, {
    headers: { authorization: `Bearer ${seller.token}` },
  });
  // The photo is encoded again: only the pixels of the file are kept.
  const stored = Buffer.from(await kept.arrayBuffer());
  expect(await sharp(stored).metadata()).toMatchObject({ format: 'jpeg' });
  expect(stored.includes('PK')).toBe(false);
  expect(stored.length).toBeLessThan(2_000);
  await expectNoStrayFile(stack);
});

test('an accepted form places one hold, and the audit finds no error', async ({ stack }) => {
  const other = await stack.seller();
  await other.submit({ photos: [await colouredPhoto('#123456')] });
  expect((await other.me()).subscription).toMatchObject({ generationsLeft: 99, generationsHeld: 1 });
  expect(await stack.audit()).toEqual([]);
});
