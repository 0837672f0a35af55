/** More text fields of the upload form that are refused or accepted (docs/errors.md). */
import { fieldPart, promptPart, unknownField } from '#tests/support/form-parts.ts';
import { testAcceptedFields, testRefusedFields } from './form-fields-steps.ts';

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
  [
    'an object instead of the name',
    [promptPart, fieldPart('productName', '{"$gt":""}', 'application/json')],
    'VALIDATION',
    { field: 'productName' },
  ],
  ['prompt[$gt]', [promptPart, fieldPart('prompt[$gt]', '')], 'VALIDATION', unknownField('prompt[$gt]')],
  ['numImages of -1', [promptPart, fieldPart('numImages', '-1')], 'VALIDATION', { field: 'numImages' }],
  ['numImages of 0', [promptPart, fieldPart('numImages', '0')], 'VALIDATION', { field: 'numImages' }],
  ['numImages of 1.5', [promptPart, fieldPart('numImages', '1.5')], 'VALIDATION', { field: 'numImages' }],
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
  ['profile', [promptPart, fieldPart('profile', 'somebody')], 'VALIDATION', unknownField('profile')],
  ['n', [promptPart, fieldPart('n', '1')], 'VALIDATION', unknownField('n')],
  ['size', [promptPart, fieldPart('size', '9999x9999')], 'VALIDATION', unknownField('size')],
  ['NUL in the name', [promptPart, fieldPart('productName', 'a\0b')], 'VALIDATION', { field: 'productName' }],
  [
    'numImages twice',
    [promptPart, fieldPart('numImages', '1'), fieldPart('numImages', '1')],
    'VALIDATION',
    { field: 'numImages', message: 'The field "numImages" was sent twice.' },
  ],
  ['constructor', [promptPart, fieldPart('constructor', 'x')], 'VALIDATION'],
  [
    'a field name of 300 characters',
    [promptPart, fieldPart('x'.repeat(300), 'x')],
    'VALIDATION',
    unknownField('x'.repeat(60)),
  ],
]);

testAcceptedFields([
  [
    'a description of 4,000 characters of other scripts',
    [fieldPart('prompt', '木'.repeat(4_000))],
    '木'.repeat(4_000),
  ],
  ['an operator as text', [fieldPart('prompt', '{"$gt":""}')], '{"$gt":""}'],
]);
