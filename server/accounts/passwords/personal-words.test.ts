import { expect, test } from 'vitest';
import { containsPersonalWord } from './personal-words.ts';

test.each([
  ['Packshot-2026!', 'ana@shop.example'],
  ['My-PACKSHOT-account-1', 'ana@shop.example'],
  ['P4cksh0t-Horse-7', 'ana@shop.example'],
  ['P@ck$hot-Horse-7', 'ana@shop.example'],
  ['Mueller-Horse-7', 'mueller@shop.example'],
  ['Mu3ller-Horse-7', 'mueller@shop.example'],
  ['X-ana.mueller-9', 'ana.mueller@shop.example'],
  ['Mueller-Horse-7', 'mueller+packages@shop.example'],
  ['Shop1990-Horse!', 'shop1990@shop.example'],
  ['1-Ana@shop.example', 'ana@shop.example'],
  ['Müller-Horse-7'.normalize('NFD'), 'müller@shop.example'.normalize('NFC')],
  ['Müller-Horse-7'.normalize('NFC'), 'müller@shop.example'.normalize('NFD')],
])('%s holds a word of its own for %s', (password, email) => {
  expect(containsPersonalWord(password, email)).toBe(true);
});

test.each([
  ['Correct-Horse-7', 'seller@shop.example'],
  ['Banana-Horse-7', 'ana@shop.example'],
  ['Pack-Shot-Horse-7', 'ana@shop.example'],
  ['Muller-Horse-7', 'mueller@shop.example'],
  ['Example-Horse-7', 'mueller@shop.example'],
])('%s holds none for %s', (password, email) => {
  expect(containsPersonalWord(password, email)).toBe(false);
});
