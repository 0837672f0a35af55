import { expect, it } from 'vitest';
import { formatElapsed } from './elapsed.ts';

it.each([
  [-5_000, '0:00'],
  [999, '0:00'],
  [7_400, '0:07'],
  [65_000, '1:05'],
  [3_599_999, '59:59'],
  [3_723_000, '1:02:03'],
])('shows %d ms as %s', (milliseconds, text) => {
  expect(formatElapsed(milliseconds)).toBe(text);
});
