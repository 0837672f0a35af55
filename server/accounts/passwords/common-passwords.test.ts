import { expect, test } from 'vitest';
import { isCommonPassword } from './common-passwords.ts';

test.for([
  ['as it is on the list', 'password1'],
  ['in another case', 'PassWord1'],
  ['with signs for letters', 'P@ssw0rd'],
  ['with digits and signs behind it', 'P@ssword1!'],
  ['with a year behind it', 'Dragon2024!'],
  ['with signs before it', '!!Football1'],
  ['with signs on both sides', '#1Monkey!23'],
  ['with an l written as a digit', 'We1come-123'],
  ['with an i written as a sign', '!loveyou1'],
  ['with a digit that belongs to it and signs behind', 'Abc123!!'],
  ['in full-width letters', 'Ｐａｓｓｗｏｒｄ１！'],
  ['with a sign at its start that is a letter', '$unshine'],
])('a common password is known %s', ([, password]) => {
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
])('%s is not taken for a common one', (password) => {
  expect(isCommonPassword(password)).toBe(false);
});

test('the longest password is judged in no time', () => {
  const began = performance.now();
  for (let count = 0; count < 200; count += 1) {
    isCommonPassword('1'.repeat(127) + String(count % 10));
    isCommonPassword(`a${'!'.repeat(126)}a`);
  }
  expect((performance.now() - began) / 400).toBeLessThan(2);
});
