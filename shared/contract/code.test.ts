import { expect, test } from 'vitest';
import { codeSchema } from './code.ts';

test.for([
  '123456',
  ' 123 456 ',
  '123-456',
  '123–456',
  '123−456',
  '123.456',
  '１２３　４５６',
  '١٢٣٤٥٦',
  '१२३४५६',
  '1\u200b2\u00ad3\u20604\ufeff56',
  '\u2066123456\u2069',
])('%j is the code 123456', (code) => {
  expect(codeSchema.parse(code)).toBe('123456');
});

test('a recovery code may be in full-width letters, in capitals and with any dash', () => {
  for (const code of ['k7qf-2m9x-0hwt', 'K7QF 2M9X 0HWT', 'Ｋ７ＱＦ—２Ｍ９Ｘ‑０ＨＷＴ']) {
    expect(codeSchema.parse(code)).toBe('k7qf2m9x0hwt');
  }
});

test.for(['', ' ', '---', '\u200b', 'x'.repeat(81)])('%j is no code', (code) => {
  expect(codeSchema.safeParse(code).error?.issues[0]?.message).toBe('Please enter the code');
});
