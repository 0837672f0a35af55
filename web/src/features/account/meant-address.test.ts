import { expect, test } from 'vitest';
import { meantAddress } from './meant-address.ts';

test.each([
  ['ana@gmial.com', 'ana@gmail.com'],
  ['ana@gmail.co', 'ana@gmail.com'],
  ['Ana.B+x@GMAIL.CMO', 'Ana.B+x@gmail.com'],
  ['ana@hotmal.com', 'ana@hotmail.com'],
  ['ana@outllook.com', 'ana@outlook.com'],
  ['ana@t-onlne.de', 'ana@t-online.de'],
])('%s asks about %s', (typed, meant) => {
  expect(meantAddress(typed)).toBe(meant);
});

test.each([
  'ana@gmail.com',
  'ana@mail.com',
  'ana@shop.example',
  'ana@gmx.at',
  'ana@ge.com',
  'ana@',
  '@gmial.com',
  'gmial.com',
  '',
])('nothing is asked about %s', (typed) => {
  expect(meantAddress(typed)).toBeNull();
});
