/** More forms and fields that are refused or accepted (docs/errors.md). */
import { limits } from '#contract';
import { expectError, expectNothingLeft } from '#tests/support/errors.ts';
import { fieldPart, photoPart, promptPart, sendForm, unknownField } from '#tests/support/form-parts.ts';
import { multipart, type Part } from '#tests/support/multipart.ts';
import { noise, padPng } from '#tests/support/odd-photos.ts';
import { flatImage, samplePhoto } from '#tests/support/photos.ts';
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
  ['no part at all', () => [], 'IMAGE_REQUIRED'],
  [
    'a file under an unknown name',
    (png) => [promptPart, photoPart(png, { name: 'avatar' })],
    'VALIDATION',
    unknownField('avatar'),
  ],
  ['text instead of the file', () => [promptPart, fieldPart('images', 'text')], 'IMAGE_REQUIRED'],
  ['fifty images', (png) => [promptPart, ...Array(50).fill(photoPart(png))], 'TOO_MANY_FILES'],
  ['1,000 fields of one name', (png) => [photoPart(png), ...thousand(() => 'prompt')], 'TOO_MANY_FIELDS'],
  [
    '1,000 fields after a file',
    (png) => [promptPart, photoPart(png), ...thousand((index) => `x${index}`)],
    'TOO_MANY_FIELDS',
  ],
  [
    'a body without its closing boundary',
    (png) => multipart([promptPart, photoPart(png)], false),
    'UPLOAD_ABORTED',
  ],
  ...([40, 80] as const).map((bytes): Parameters<typeof testRefusedForms>[0][number] => [
    bytes === 40 ? 'a body cut off in a field' : "a body cut off in a part's headers",
    (png) => truncated(multipart([photoPart(png), promptPart]), bytes),
    'UPLOAD_ABORTED',
  ]),
  ['an empty body', () => ({ ...multipart([]), body: Buffer.alloc(0) }), 'IMAGE_REQUIRED'],
]);

test('a file of twice the size limit is refused with a reply', async ({ stack, refused: seller }) => {
  const huge = photoPart(padPng(await samplePhoto(), 2 * limits.photoBytes));
  for (const parts of [
    [promptPart, huge],
    [huge, promptPart, huge],
  ]) {
    expectError(await sendForm(seller, multipart(parts)), 'FILE_TOO_LARGE');
  }
  await expectNothingLeft(stack, seller.id);
});

/** A JPEG with a video behind its picture. @param megabytes of the whole file */
async function motionPhoto(megabytes: number): Promise<Buffer> {
  const picture = await flatImage().jpeg().toBuffer();
  const video = Buffer.alloc(megabytes * 2 ** 20 - picture.length);
  video.write('\0\0\0\x18ftypmp42', 'latin1');
  return Buffer.concat([picture, video]);
}

test('what follows the picture of a JPEG has a limit, and all files of a form together', async ({
  stack,
  refused: seller,
}) => {
  const tooLong = photoPart(await motionPhoto(41));
  expectError(await sendForm(seller, multipart([promptPart, tooLong])), 'FILE_TOO_LARGE');
  const four = Array.from({ length: 4 }, async () => photoPart(await motionPhoto(28)));
  expectError(
    await sendForm(seller, multipart([promptPart, ...(await Promise.all(four))])),
    'BODY_TOO_LARGE',
    { message: 'Please upload at most 4 photos of at most 20 MB each.' },
  );
  const withoutEnd = (await motionPhoto(21)).fill(0x11, 300);
  expectError(await sendForm(seller, multipart([promptPart, photoPart(withoutEnd)])), 'FILE_TOO_LARGE');
  await expectNothingLeft(stack, seller.id);
});

/** A photo whose part has something else than usual. */
const oddPart =
  (more: Partial<Part>) =>
  (png: Buffer): Part[] => [promptPart, photoPart(png, more)];

testAcceptedForms([
  ['exactly 20 MB', (png) => [promptPart, photoPart(padPng(png, limits.photoBytes))]],
  ['a PNG sent as JPEG', oddPart({ fileName: 'photo.jpg', type: 'image/jpeg' })],
  ['a PNG sent as an SVG', oddPart({ fileName: 'photo.svg', type: 'image/svg+xml' })],
  ['a file of unknown type', oddPart({ fileName: 'photo', type: 'application/octet-stream' })],
  ['a file name with ..\\', oddPart({ fileName: '..\\\\..\\\\evil.png' })],
  ['an absolute file name', oddPart({ fileName: '/etc/passwd' })],
  ['a file name with NUL', oddPart({ fileName: 'photo.png\0.sh' })],
  ['a file name with CR LF, encoded', oddPart({ fileName: 'a%0D%0AX-Evil: 1.png' })],
  ['a file name of 10 kB', oddPart({ fileName: 'x'.repeat(10_000) })],
  ['a file name with quotes and letters of other scripts', oddPart({ fileName: '\\"Tasse\\" 杯子 ☕.png' })],
  [
    'an encoded file name',
    oddPart({
      headers: 'Content-Disposition: form-data; name="images"; filename*=UTF-8\'\'%2e%2e%2fevil.png',
    }),
  ],
  ['an empty file name', oddPart({ fileName: '' })],
  [
    'a PNG with garbage after its end',
    (png) => [promptPart, photoPart(Buffer.concat([png, noise(100, 100, 3)]))],
  ],
  [
    'a JPEG with stray bytes between two segments',
    async () => {
      const jpeg = await flatImage().jpeg().toBuffer();
      const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
      const odd = Buffer.concat([jpeg.subarray(0, frame), Buffer.alloc(3), jpeg.subarray(frame)]);
      return [promptPart, photoPart(odd)];
    },
  ],
  ['a motion photo of 28 MB', async () => [promptPart, photoPart(await motionPhoto(28))]],
  [
    'two JPEGs in one file, as cameras write them',
    async () => {
      const jpegs = [flatImage(), flatImage().resize(8, 6)].map((image) => image.jpeg().toBuffer());
      return [promptPart, photoPart(Buffer.concat(await Promise.all(jpegs)))];
    },
  ],
]);

testRefusedFields([
  ['an empty description', [fieldPart('prompt', '')], 'PROMPT_REQUIRED'],
  ['a blank description', [fieldPart('prompt', ' \t\r\n \u3000')], 'PROMPT_REQUIRED'],
  ['a description of a megabyte', [fieldPart('prompt', 'x'.repeat(1_000_000))], 'PROMPT_INVALID'],
  ['an escape sequence in the description', [fieldPart('prompt', 'On a \u001b[31mtable')], 'PROMPT_INVALID'],
  [
    'a description in Latin-1 without a charset',
    [fieldPart('prompt', Buffer.from('Caf\xe9', 'latin1'))],
    'PROMPT_INVALID',
  ],
  [
    'a list instead of the description',
    [fieldPart('prompt', '["a"]', 'application/json')],
    'VALIDATION',
    { field: 'prompt' },
  ],
  invalidField('productName', '{"$gt":""}', { type: 'application/json' }),
  invalidField('productName', 'a\0b', { what: 'NUL in the name' }),
  ...['-1', '0', '1.5', '1e9', 'NaN', 'Infinity', '', 'one'].map((value) => invalidField('numImages', value)),
  invalidField('negativePrompt', 'a\0b', { what: 'NUL in what to avoid' }),
  ...['0', '1e3', '0x400', '', 'wide'].map((value) => invalidField('width', value)),
  ...['constructor', ''].map((value) => invalidField('style', value)),
  invalidField('useSeed', ''),
  ...['-1', '1.5', ''].map((value) => invalidField('seedValue', value)),
  ...Object.entries({ 'prompt[$gt]': '', profile: 'somebody', n: '1', size: '9999x9999' }).map(
    ([name, value]) => invalidField(name, value, { expected: unknownField(name) }),
  ),
  invalidField('constructor', 'x', { expected: {} }),
  invalidField('x'.repeat(300), 'x', {
    what: 'a field name of 300 characters',
    expected: unknownField('x'.repeat(60)),
  }),
  [
    'numImages twice',
    [promptPart, fieldPart('numImages', '1'), fieldPart('numImages', '1')],
    'VALIDATION',
    { field: 'numImages', message: 'The field "numImages" was sent twice.' },
  ],
]);

const characters = '木'.repeat(4_000);
testAcceptedPrompts([
  ['a description of 4,000 characters of other scripts', fieldPart('prompt', characters), characters],
  ['an operator as text', fieldPart('prompt', '{"$gt":""}'), '{"$gt":""}'],
]);
