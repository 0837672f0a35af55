/** Rows 1 to 11 of the uploads' wrong input: what is refused, with which words, and that nothing is left of it. */
import { request as httpRequest } from 'node:http';
import sharp from 'sharp';
import { expect, vi } from 'vitest';
import { type ErrorCode, limits, paths } from '#contract';
import { expectError, expectNoStrayFile, expectNothingLeft } from '#tests/support/errors.ts';
import { multipart, type Part, type RawForm } from '#tests/support/multipart.ts';
import { blackPng, jpegClaiming, noise, padPng } from '#tests/support/odd-photos.ts';
import { colouredPhoto, samplePhoto } from '#tests/support/photos.ts';
import type { Answer, Seller } from '#tests/support/seller.ts';
import { testWithSharedSeller } from '#tests/support/test.ts';

const test = testWithSharedSeller({ workers: 0 });

const flat = () => sharp({ create: { width: 64, height: 48, channels: 3, background: '#b5482a' } });
const noisy = () => sharp(noise(64, 48, 7), { raw: { width: 64, height: 48, channels: 3 } });
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
  ['a PNG cut off in its header', async () => cut(await flat().png().toBuffer(), 0.1), 'IMAGE_CORRUPT'],
  ['a truncated WebP', async () => cut(await noisy().webp().toBuffer(), 0.7), 'IMAGE_CORRUPT'],
  ['a truncated TIFF', async () => cut(await noisy().tiff().toBuffer(), 0.7), 'IMAGE_CORRUPT'],
  ['a truncated AVIF', async () => cut(await noisy().avif().toBuffer(), 0.7), 'IMAGE_CORRUPT'],
  ['a PNG of no width', () => blackPng(0, 8), 'IMAGE_CORRUPT'],
  ['a PNG of no height', () => blackPng(8, 0), 'IMAGE_CORRUPT'],
  ['a PNG whose data was altered', async () => altered(await noisy().png().toBuffer()), 'IMAGE_CORRUPT'],
  ['a text file named .png', () => Buffer.from('not a photo at all'), 'TYPE_UNSUPPORTED'],
  ['a scripted SVG', () => Buffer.from(scriptedSvg), 'TYPE_UNSUPPORTED'],
  [
    'an SVG behind white space',
    () => Buffer.from(`\n\n<?xml version="1.0"?>${scriptedSvg}`),
    'TYPE_UNSUPPORTED',
  ],
  ['a PDF', () => Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n'), 'TYPE_UNSUPPORTED'],
  [
    'a PDF with a JPEG in it',
    async () => Buffer.concat([Buffer.from('%PDF-1.7\n'), await flat().jpeg().toBuffer()]),
    'TYPE_UNSUPPORTED',
  ],
  ['a GIF', () => flat().gif().toBuffer(), 'TYPE_UNSUPPORTED'],
  ['a GIF that is a script as well', () => Buffer.from('GIF89a/*\0\0\0*/=1;alert(1)'), 'TYPE_UNSUPPORTED'],
  ['a HEIC', () => heic, 'TYPE_UNSUPPORTED'],
  ['a ZIP', () => Buffer.from('PK\x03\x04aaaaaaaaaaaaaaaaaaaaaaaaaaaa'), 'TYPE_UNSUPPORTED'],
  ['a JPEG 2000', () => Buffer.from('\0\0\0\x0cjP  \r\n\x87\n', 'latin1'), 'TYPE_UNSUPPORTED'],
  ['one byte', () => Buffer.from([0xff]), 'TYPE_UNSUPPORTED'],
  ['a small PNG that unpacks to 30,000 × 30,000', () => blackPng(30_000, 30_000), 'TOO_MANY_PIXELS'],
  ['a JPEG that claims 65,000 × 65,000', () => jpegClaiming(65_000, 65_000), 'TOO_MANY_PIXELS'],
  ['one pixel more than the limit', () => blackPng(limits.photoPixels / 10_000, 10_001), 'TOO_MANY_PIXELS'],
  [
    'one byte over the size limit',
    async () => padPng(await samplePhoto(), limits.photoBytes + 1),
    'FILE_TOO_LARGE',
  ],
];

/** A JPEG with one more header behind its own, which claims another size. */
function withSecondFrame(jpeg: Buffer): Buffer {
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  const end = frame + 2 + jpeg.readUInt16BE(frame + 2);
  const second = Buffer.from(jpeg.subarray(frame, end));
  second.writeUInt16BE(9_000, 5);
  second.writeUInt16BE(9_000, 7);
  return Buffer.concat([jpeg.subarray(0, end), second, jpeg.subarray(end)]);
}

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

test.for(refusedFiles)('%s, behind a good photo', async ([, file, code], { stack, seller }) => {
  const bytes = await file();
  const photos = [await samplePhoto(), { bytes, name: 'photo.jpg', type: 'image/jpeg' }];
  expectError(await seller.send({ photos }), code);
  await expectNothingLeft(stack, seller.id);
});

const prompt: Part = { name: 'prompt', value: 'On a table' };
const photo = (value: Buffer, more: Partial<Part> = {}): Part => ({
  name: 'images',
  fileName: 'photo.png',
  type: 'image/png',
  value,
  ...more,
});
const send = (seller: Seller, form: RawForm): Promise<Answer<unknown>> =>
  seller.request(paths.generations, { method: 'POST', ...form });

const refusedForms: [
  what: string,
  form: (png: Buffer) => RawForm,
  code: ErrorCode,
  expected?: { field?: string; message?: string },
][] = [
  ['no file', () => multipart([prompt]), 'IMAGE_REQUIRED'],
  ['no part at all', () => multipart([]), 'IMAGE_REQUIRED'],
  [
    'a file where the text belongs',
    (png) => multipart([prompt, photo(png, { name: 'prompt' })]),
    'VALIDATION',
    unknown('prompt'),
  ],
  [
    'a file under an unknown name',
    (png) => multipart([prompt, photo(png, { name: 'avatar' })]),
    'VALIDATION',
    unknown('avatar'),
  ],
  [
    'text where the file belongs',
    () => multipart([prompt, { name: 'images', value: 'text' }]),
    'IMAGE_REQUIRED',
  ],
  [
    'a fifth image',
    (png) => multipart([prompt, ...Array.from({ length: 5 }, () => photo(png))]),
    'TOO_MANY_FILES',
  ],
  [
    'fifty images',
    (png) => multipart([prompt, ...Array.from({ length: 50 }, () => photo(png))]),
    'TOO_MANY_FILES',
  ],
  [
    '1,000 fields of different names',
    (png) => multipart([...thousand((index) => `field${index}`), prompt, photo(png)]),
    'TOO_MANY_FIELDS',
  ],
  [
    '1,000 fields of one name',
    (png) => multipart([photo(png), ...thousand(() => 'prompt')]),
    'TOO_MANY_FIELDS',
  ],
  [
    '1,000 fields behind a file',
    (png) => multipart([prompt, photo(png), ...thousand((index) => `x${index}`)]),
    'TOO_MANY_FIELDS',
  ],
  ['a body without its closing boundary', (png) => multipart([prompt, photo(png)], false), 'UPLOAD_ABORTED'],
  ['a body cut off in a file', (png) => truncated(multipart([prompt, photo(png)]), 60), 'UPLOAD_ABORTED'],
  ['a body cut off in a field', (png) => truncated(multipart([photo(png), prompt]), 40), 'UPLOAD_ABORTED'],
  [
    "a body cut off in a part's headers",
    (png) => truncated(multipart([photo(png), prompt]), 80),
    'UPLOAD_ABORTED',
  ],
  ['an empty body', () => ({ ...multipart([]), body: Buffer.alloc(0) }), 'IMAGE_REQUIRED'],
  [
    'bytes that are no form',
    () => ({ ...multipart([]), body: Buffer.from('hello, this is no form') }),
    'UPLOAD_ABORTED',
  ],
];

function unknown(field: string) {
  return { field, message: `The field "${field}" is not known.` };
}

function thousand(name: (index: number) => string): Part[] {
  return Array.from({ length: 1_000 }, (_, index) => ({ name: name(index), value: 'x' }));
}

function truncated(form: RawForm, bytes: number): RawForm {
  return { ...form, body: form.body.subarray(0, form.body.length - bytes) };
}

test.for(refusedForms)('%s', async ([, form, code, expected], { stack, seller }) => {
  expectError(await send(seller, form(await samplePhoto())), code, expected);
  await expectNothingLeft(stack, seller.id);
});

test('a connection that goes in the middle of a file leaves nothing', async ({ stack, seller }) => {
  const { headers, body } = multipart([prompt, photo(padPng(await samplePhoto(), 2_000_000))]);
  const request = httpRequest(stack.url + paths.generations, {
    method: 'POST',
    headers: { ...headers, 'content-length': body.length, authorization: `Bearer ${seller.token}` },
  });
  request.on('error', () => {});
  const incoming = vi.waitFor(() => expect(expectNoStrayFile(stack)).rejects.toThrow(), { timeout: 5_000 });
  request.write(body.subarray(0, 1_000_000));
  await incoming;
  request.destroy();
  await vi.waitFor(() => expectNothingLeft(stack, seller.id), { timeout: 5_000 });
});

test('a file far over the limit gets its answer, and the connection is not held for it', async ({
  stack,
  seller,
}) => {
  const huge = padPng(await samplePhoto(), 2 * limits.photoBytes);
  expectError(await send(seller, multipart([prompt, photo(huge)])), 'FILE_TOO_LARGE');
  expectError(await send(seller, multipart([photo(huge), prompt, photo(huge)])), 'FILE_TOO_LARGE');
  await expectNothingLeft(stack, seller.id);
});

const acceptedForms: [what: string, form: (png: Buffer) => RawForm | Promise<RawForm>][] = [
  ['exactly 20 MB', (png) => multipart([prompt, photo(padPng(png, limits.photoBytes))])],
  [
    'a PNG sent as JPEG',
    (png) => multipart([prompt, photo(png, { fileName: 'photo.jpg', type: 'image/jpeg' })]),
  ],
  [
    'a PNG sent as text',
    (png) => multipart([prompt, photo(png, { fileName: 'photo.txt', type: 'text/plain' })]),
  ],
  [
    'a PNG sent as an SVG',
    (png) => multipart([prompt, photo(png, { fileName: 'photo.svg', type: 'image/svg+xml' })]),
  ],
  [
    'a file of unknown type',
    (png) => multipart([prompt, photo(png, { fileName: 'photo', type: 'application/octet-stream' })]),
  ],
  [
    'a file name with ../',
    (png) => multipart([prompt, photo(png, { fileName: '../../../../../tmp/packshot-evil.png' })]),
  ],
  ['a file name with ..\\', (png) => multipart([prompt, photo(png, { fileName: '..\\\\..\\\\evil.png' })])],
  ['an absolute file name', (png) => multipart([prompt, photo(png, { fileName: '/etc/passwd' })])],
  ['a file name with NUL', (png) => multipart([prompt, photo(png, { fileName: 'photo.png\0.sh' })])],
  [
    'a file name with CR LF, encoded',
    (png) => multipart([prompt, photo(png, { fileName: 'a%0D%0AX-Evil: 1.png' })]),
  ],
  ['a file name of 10 kB', (png) => multipart([prompt, photo(png, { fileName: 'x'.repeat(10_000) })])],
  [
    'a file name with quotes and letters of other scripts',
    (png) => multipart([prompt, photo(png, { fileName: '\\"Tasse\\" 杯子 ☕.png' })]),
  ],
  [
    'an encoded file name',
    (png) =>
      multipart([
        prompt,
        photo(png, {
          headers: 'Content-Disposition: form-data; name="images"; filename*=UTF-8\'\'%2e%2e%2fevil.png',
        }),
      ]),
  ],
  ['an empty file name', (png) => multipart([prompt, photo(png, { fileName: '' })])],
  ['four images', (png) => multipart([prompt, photo(png), photo(png), photo(png), photo(png)])],
  ['images[] as some forms say', (png) => multipart([prompt, photo(png, { name: 'images[]' })])],
  ['the photo before the description', (png) => multipart([photo(png), prompt])],
  [
    'a PNG with garbage behind its end',
    (png) => multipart([prompt, photo(Buffer.concat([png, noise(100, 100, 3)]))]),
  ],
  [
    'a JPEG with stray bytes between two segments',
    async () => {
      const jpeg = await flat().jpeg().toBuffer();
      const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
      return multipart([
        prompt,
        photo(Buffer.concat([jpeg.subarray(0, frame), Buffer.alloc(3), jpeg.subarray(frame)])),
      ]);
    },
  ],
  [
    'two JPEGs in one file, as cameras write them',
    async () => {
      const jpeg = await flat().jpeg().toBuffer();
      return multipart([prompt, photo(Buffer.concat([jpeg, await flat().resize(8, 6).jpeg().toBuffer()]))]);
    },
  ],
  [
    'a JPEG that is a ZIP as well',
    async () =>
      multipart([
        prompt,
        photo(Buffer.concat([await flat().jpeg().toBuffer(), Buffer.from('PK\x05\x06'), Buffer.alloc(18)])),
      ]),
  ],
];

test.for(acceptedForms)('accepted: %s', async ([, form], { stack, seller }) => {
  const answer = await send(seller, await form(await samplePhoto()));
  expect(answer).toMatchObject({ status: 202, body: { state: 'queued', prompt: 'On a table' } });
  const { photos } = answer.body as { photos: { url: string }[] };
  const kept = await fetch(stack.url + photos[0]!.url, {
    headers: { authorization: `Bearer ${seller.token}` },
  });
  // What is kept was written anew: of the file itself nothing remains but its pixels.
  const stored = Buffer.from(await kept.arrayBuffer());
  expect(await sharp(stored).metadata()).toMatchObject({ format: 'png' });
  expect(stored.includes('PK')).toBe(false);
  expect(stored.length).toBeLessThan(2_000);
  await expectNoStrayFile(stack);
});

test('what was accepted is held once, and all of it adds up', async ({ stack }) => {
  const other = await stack.seller();
  await other.submit({ photos: [await colouredPhoto('#123456')] });
  expect((await other.me()).subscription).toMatchObject({ generationsLeft: 99, generationsHeld: 1 });
  expect(await stack.audit()).toEqual([]);
});
