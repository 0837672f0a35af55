import { expect, it } from 'vitest';
import { isolateName } from './isolate-name.ts';

it.each(['Coffee cup (2)', 'Größe 3', '急須 (大)', 'Чашка', '', '👩🏽‍🚀'])('leaves %s as it is', (name) => {
  expect(isolateName(name)).toBe(name);
});

it.each(['כד (2)', 'قدح 3', 'Cup כד', 'ߊߋ'])('isolates %s', (name) => {
  expect(isolateName(name)).toBe(`\u2068${name}\u2069`);
});

it('takes controls of the direction out, which could end the isolation or turn the sentence around', () => {
  expect(isolateName('כד\u2069 (2)')).toBe('\u2068כד (2)\u2069');
  expect(isolateName('cup\u202egnp.exe')).toBe('cupgnp.exe');
});
