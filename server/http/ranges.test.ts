import { expect, test } from 'vitest';
import { hasFile, isSameFile, rangeOf } from './ranges.ts';

test.each([
  [undefined, 'whole'],
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=0-99', { start: 0, end: 99 }],
  ['bytes=10-19', { start: 10, end: 19 }],
  ['Bytes=10-19', { start: 10, end: 19 }],
  ['bytes=90-', { start: 90, end: 99 }],
  ['bytes=90-1000', { start: 90, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-1000', { start: 0, end: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=100-200', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=99999999999999999999-', 'unsatisfiable'],
  // Invalid or not supported: the whole file.
  ['bytes=20-10', 'whole'],
  ['bytes=200-100', 'whole'],
  ['bytes=0-9,20-29', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=', 'whole'],
  ['bytes=a-b', 'whole'],
  ['bytes=-1-5', 'whole'],
  ['pages=1-2', 'whole'],
])('%s of 100 bytes', (header, part) => {
  expect(rangeOf(header, 100)).toEqual(part);
});

test('a download continues only with the same file', () => {
  expect(isSameFile(undefined, '"one"')).toBe(true);
  expect(isSameFile('"one"', '"one"')).toBe(true);
  expect(isSameFile('"two"', '"one"')).toBe(false);
  // A weak tag does not guarantee the same bytes, and files have no dates.
  expect(isSameFile('W/"one"', '"one"')).toBe(false);
  expect(isSameFile('Sat, 21 Nov 2026 12:00:00 GMT', '"one"')).toBe(false);
});

test('a file that matches If-None-Match is not sent again', () => {
  expect(hasFile(undefined, '"one"')).toBe(false);
  expect(hasFile('"one"', '"one"')).toBe(true);
  expect(hasFile('W/"one"', '"one"')).toBe(true);
  expect(hasFile('"two", "one"', '"one"')).toBe(true);
  expect(hasFile('*', '"one"')).toBe(true);
  expect(hasFile('"two"', '"one"')).toBe(false);
});
