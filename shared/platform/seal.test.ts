import { expect, test } from 'vitest';
import { createSeal, SealError } from './seal.ts';

const [one, other] = ['1'.repeat(32), '2'.repeat(32)];

test('a sealed text opens again, says nothing, and differs each time', () => {
  const seal = createSeal([one]);
  const sealed = seal.seal('GEZDGNBVGY3TQOJQ', 'ada');
  expect(seal.open(sealed, 'ada')).toBe('GEZDGNBVGY3TQOJQ');
  expect(sealed).not.toContain('GEZDGNBVGY3TQOJQ');
  expect(sealed.startsWith(seal.prefix)).toBe(true);
  expect(seal.seal('GEZDGNBVGY3TQOJQ', 'ada')).not.toBe(sealed);
});

test('it opens neither for somebody else, nor altered or cut off, nor with another key', () => {
  const seal = createSeal([one]);
  const sealed = seal.seal('GEZDGNBVGY3TQOJQ', 'ada');
  expect(() => seal.open(sealed, 'bea')).toThrow(SealError);
  expect(() => createSeal([other]).open(sealed, 'ada')).toThrow('this process does not have');
  for (let length = seal.prefix.length; length < sealed.length; length += 1) {
    expect(() => seal.open(sealed.slice(0, length), 'ada')).toThrow(SealError);
  }
  const at = seal.prefix.length + 20;
  const altered = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
  expect(() => seal.open(altered, 'ada')).toThrow(SealError);
});

test('after a change of keys the old one still opens, and the new one seals', () => {
  const sealed = createSeal([one]).seal('GEZDGNBVGY3TQOJQ', 'ada');
  const both = createSeal([other, one]);
  expect(both.open(sealed, 'ada')).toBe('GEZDGNBVGY3TQOJQ');
  expect(createSeal([other]).open(both.seal('x', 'ada'), 'ada')).toBe('x');
});

test('what is not sealed is refused', () => {
  expect(() => createSeal([one]).open('GEZDGNBVGY3TQOJQ', 'ada')).toThrow(SealError);
});
