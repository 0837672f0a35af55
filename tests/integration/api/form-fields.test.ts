/** Text fields of the upload form that are refused, and some that are accepted (docs/errors.md). */
import { fieldPart, promptPart, unknownField } from '#tests/support/form-parts.ts';
import { testAcceptedFields, testRefusedFields } from './form-fields-steps.ts';

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
  ['numImages of 5', [promptPart, fieldPart('numImages', '5')], 'VALIDATION', { field: 'numImages' }],
  ['credits', [promptPart, fieldPart('credits', '1000')], 'VALIDATION', unknownField('credits')],
  [
    'a name of 81 characters',
    [promptPart, fieldPart('productName', 'x'.repeat(81))],
    'VALIDATION',
    { field: 'productName' },
  ],
  [
    'the description twice',
    [promptPart, promptPart],
    'VALIDATION',
    { field: 'prompt', message: 'The field "prompt" was sent twice.' },
  ],
  ['__proto__', [promptPart, fieldPart('__proto__', 'x')], 'VALIDATION'],
]);

testAcceptedFields([
  ['a description of exactly 4,000 characters', [fieldPart('prompt', 'x'.repeat(4_000))], 'x'.repeat(4_000)],
  ['CR LF, which becomes LF', [fieldPart('prompt', `${'x'.repeat(3_998)}\r\ny`)], `${'x'.repeat(3_998)}\ny`],
  [
    'markup, which is not changed',
    [fieldPart('prompt', '<script>alert(1)</script>')],
    '<script>alert(1)</script>',
  ],
  [
    'a description in Latin-1 with its charset',
    [fieldPart('prompt', Buffer.from('Caf\xe9', 'latin1'), 'text/plain; charset=iso-8859-1')],
    'Café',
  ],
]);
