/** Text fields of the upload form that are refused, and some that are accepted (docs/errors.md). */
import { expect } from 'vitest';
import { type ErrorCode, type GenerationSet, paths } from '#contract';
import { expectError, expectNothingLeft } from '#tests/support/errors.ts';
import { fieldPart, photoPart, promptPart, sendForm, unknownField } from '#tests/support/form-parts.ts';
import { multipart, type Part } from '#tests/support/multipart.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import { testWithSharedSeller } from '#tests/support/test.ts';

const test = testWithSharedSeller({ workers: 0 });

type Expected = { field?: string; message?: string };

const refusedFields: [what: string, parts: Part[], code: ErrorCode, expected?: Expected][] = [
  ['no description', [], 'PROMPT_REQUIRED'],
  ['an empty description', [fieldPart('prompt', '')], 'PROMPT_REQUIRED'],
  ['a blank description', [fieldPart('prompt', ' \t\r\n \u3000')], 'PROMPT_REQUIRED'],
  ['a description of 4,001 characters', [fieldPart('prompt', 'x'.repeat(4_001))], 'PROMPT_INVALID'],
  ['a description of a megabyte', [fieldPart('prompt', 'x'.repeat(1_000_000))], 'PROMPT_INVALID'],
  ['NUL in the description', [fieldPart('prompt', 'On a\0 table')], 'PROMPT_INVALID'],
  ['an escape sequence in the description', [fieldPart('prompt', 'On a \u001b[31mtable')], 'PROMPT_INVALID'],
  [
    'a description in Latin-1 without a charset',
    [fieldPart('prompt', Buffer.from('Caf\xe9', 'latin1'))],
    'PROMPT_INVALID',
  ],
  [
    'an object instead of the description',
    [fieldPart('prompt', '{"$gt":""}', 'application/json')],
    'VALIDATION',
    { field: 'prompt' },
  ],
  [
    'a list instead of the description',
    [fieldPart('prompt', '["a"]', 'application/json')],
    'VALIDATION',
    { field: 'prompt' },
  ],
  [
    'an object instead of the name',
    [promptPart, fieldPart('productName', '{"$gt":""}', 'application/json')],
    'VALIDATION',
    { field: 'productName' },
  ],
  ['broken JSON in a part', [fieldPart('prompt', '{"a', 'application/json')], 'BAD_JSON'],
  ['prompt[$gt]', [promptPart, fieldPart('prompt[$gt]', '')], 'VALIDATION', unknownField('prompt[$gt]')],
  ['numImages of -1', [promptPart, fieldPart('numImages', '-1')], 'VALIDATION', { field: 'numImages' }],
  ['numImages of 0', [promptPart, fieldPart('numImages', '0')], 'VALIDATION', { field: 'numImages' }],
  ['numImages of 1.5', [promptPart, fieldPart('numImages', '1.5')], 'VALIDATION', { field: 'numImages' }],
  ['numImages of 5', [promptPart, fieldPart('numImages', '5')], 'VALIDATION', { field: 'numImages' }],
  ['numImages of 1e9', [promptPart, fieldPart('numImages', '1e9')], 'VALIDATION', { field: 'numImages' }],
  ['numImages of NaN', [promptPart, fieldPart('numImages', 'NaN')], 'VALIDATION', { field: 'numImages' }],
  [
    'numImages of Infinity',
    [promptPart, fieldPart('numImages', 'Infinity')],
    'VALIDATION',
    { field: 'numImages' },
  ],
  ['an empty numImages', [promptPart, fieldPart('numImages', '')], 'VALIDATION', { field: 'numImages' }],
  ['numImages of a word', [promptPart, fieldPart('numImages', 'one')], 'VALIDATION', { field: 'numImages' }],
  ['credits', [promptPart, fieldPart('credits', '1000')], 'VALIDATION', unknownField('credits')],
  ['profile', [promptPart, fieldPart('profile', 'somebody')], 'VALIDATION', unknownField('profile')],
  ['n', [promptPart, fieldPart('n', '1')], 'VALIDATION', unknownField('n')],
  ['size', [promptPart, fieldPart('size', '9999x9999')], 'VALIDATION', unknownField('size')],
  [
    'a name of 81 characters',
    [promptPart, fieldPart('productName', 'x'.repeat(81))],
    'VALIDATION',
    { field: 'productName' },
  ],
  ['NUL in the name', [promptPart, fieldPart('productName', 'a\0b')], 'VALIDATION', { field: 'productName' }],
  [
    'the description twice',
    [promptPart, promptPart],
    'VALIDATION',
    { field: 'prompt', message: 'The field "prompt" was sent twice.' },
  ],
  [
    'numImages twice',
    [promptPart, fieldPart('numImages', '1'), fieldPart('numImages', '1')],
    'VALIDATION',
    { field: 'numImages', message: 'The field "numImages" was sent twice.' },
  ],
  ['__proto__', [promptPart, fieldPart('__proto__', 'x')], 'VALIDATION'],
  ['constructor', [promptPart, fieldPart('constructor', 'x')], 'VALIDATION'],
  [
    'a field name of 300 characters',
    [promptPart, fieldPart('x'.repeat(300), 'x')],
    'VALIDATION',
    unknownField('x'.repeat(60)),
  ],
];

test.for(refusedFields)('%s', async ([, parts, code, expected], { stack, seller }) => {
  const photo = photoPart(await samplePhoto());
  expectError(await sendForm(seller, multipart([...parts, photo])), code, expected);
  expectError(await sendForm(seller, multipart([photo, ...parts])), code, expected);
  await expectNothingLeft(stack, seller.id);
});

const acceptedFields: [what: string, parts: Part[], prompt: string][] = [
  ['a description of exactly 4,000 characters', [fieldPart('prompt', 'x'.repeat(4_000))], 'x'.repeat(4_000)],
  [
    'a description of 4,000 characters of other scripts',
    [fieldPart('prompt', '木'.repeat(4_000))],
    '木'.repeat(4_000),
  ],
  ['CR LF, which becomes LF', [fieldPart('prompt', `${'x'.repeat(3_998)}\r\ny`)], `${'x'.repeat(3_998)}\ny`],
  [
    'markup, which is not changed',
    [fieldPart('prompt', '<script>alert(1)</script>')],
    '<script>alert(1)</script>',
  ],
  ['an operator as text', [fieldPart('prompt', '{"$gt":""}')], '{"$gt":""}'],
  [
    'a description in Latin-1 with its charset',
    [fieldPart('prompt', Buffer.from('Caf\xe9', 'latin1'), 'text/plain; charset=iso-8859-1')],
    'Café',
  ],
];

test.for(acceptedFields)('accepted: %s', async ([, parts, expected], { stack }) => {
  const other = await stack.seller();
  const form = multipart([...parts, photoPart(await samplePhoto())]);
  const answer = await other.request<GenerationSet>(paths.generations, { method: 'POST', ...form });
  expect(answer).toMatchObject({ status: 202, body: { generations: [{ prompt: expected }] } });
});
