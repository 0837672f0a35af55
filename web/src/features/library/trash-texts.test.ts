import { expect, it } from 'vitest';
import { sizeText, timeLeftText } from './trash-texts.ts';

const now = Date.parse('2026-11-28T12:00:00Z');

it.each([
  ['2026-12-28T12:00:00Z', '30 days left'],
  ['2026-12-28T11:00:00Z', '30 days left'],
  ['2026-11-29T12:00:01Z', '2 days left'],
  ['2026-11-29T12:00:00Z', 'Less than a day left'],
  ['2026-11-28T12:00:00Z', 'Removed soon'],
  ['2026-11-20T12:00:00Z', 'Removed soon'],
])('what is removed at %s: %s', (removedAt, text) => {
  expect(timeLeftText(removedAt, now)).toBe(text);
});

it.each([
  [0, 'less than 1 MB'],
  [1024 ** 2 - 1, 'less than 1 MB'],
  [48.4 * 1024 ** 2, '48 MB'],
  [1.7 * 1024 ** 3, '1.7 GB'],
])('%d bytes: %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
