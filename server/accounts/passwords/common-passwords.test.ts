import { expect, test } from 'vitest';
import { isCommonPassword } from './common-passwords.ts';

test.for([
  ['as on the list', 'password1'],
  ['in another case', 'PassWord1'],
  ['with symbols instead of letters', 'P@ssw0rd'],
  ['with digits and symbols after it', 'P@ssword1!'],
  ['with a year after it', 'Dragon2024!'],
  ['with symbols before it', '!!Football1'],
  ['with symbols on both sides', '#1Monkey!23'],
  ['with an l written as a digit', 'We1come-123'],
  ['with an i written as a symbol', '!loveyou1'],
  ['that ends with a digit, with symbols after it', 'Abc123!!'],
  ['in full-width letters', 'Ｐａｓｓｗｏｒｄ１！'],
  ['whose first letter is written as a symbol', '$unshine'],
])('a common password is recognised %s', ([, password]) => {
  expect(isCommonPassword(password!)).toBe(true);
});

test.for([
  'Correct-Horse-7',
  'Walnut-Table-1',
  'kT9#vQ2!mZ',
  'Lamp-of-Walnut-88',
  'Dragon8430271!',
  '12345678901234567890123456789!aB',
  '',
  '!!!!!!!!',
  '😀😀😀😀😀😀😀😀',
])('%s is not common', (password) => {
  expect(isCommonPassword(password)).toBe(false);
});

test('a password is checked in linear time', () => {
  // With this length, anything slower would not end within the limit of the test.
  const length = 200_000;
  expect(isCommonPassword('1'.repeat(length))).toBe(false);
  expect(isCommonPassword(`a${'!'.repeat(length)}a`)).toBe(false);
});
