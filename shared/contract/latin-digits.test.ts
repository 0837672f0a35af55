import { expect, test } from 'vitest';
import { latinDigits } from './latin-digits.ts';

/** The zeros of scripts, some of them with the digits of another one close by. */
const zeros = ['0', '０', '٠', '۰', '०', '๐', '၀', '᠐', '᪀', '᪐', '𝟎', '𝟘', '𞥐'];

test('the digits of every script become 0 to 9', () => {
  for (const zero of zeros) {
    const digits = Array.from({ length: 10 }, (_, value) =>
      String.fromCodePoint(zero.codePointAt(0)! + value),
    );
    expect([zero, latinDigits(digits.join(''))]).toEqual([zero, '0123456789']);
  }
});

test('everything else stays as it is', () => {
  for (const text of ['', 'Ärmel № 5, ½ off', '日本', '🙂', '²³']) expect(latinDigits(text)).toBe(text);
  expect(latinDigits('١٠٢٤ × １５３６')).toBe('1024 × 1536');
});
