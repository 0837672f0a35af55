/** Compares the billing dates with a slow, independent calculation that counts days. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addMonths, nextBoundary } from './calendar.ts';

const seconds = (text: string) => Date.parse(text) / 1000;
test.each([
  ['2027-01-31T23:59:59Z', 1, '2027-02-28T23:59:59Z'],
  ['2028-01-31T00:00:00Z', 1, '2028-02-29T00:00:00Z'],
  ['2027-01-31T10:00:00Z', 13, '2028-02-29T10:00:00Z'],
  ['2027-12-31T10:00:00Z', 2, '2028-02-29T10:00:00Z'],
  ['2027-05-15T10:00:00Z', -6, '2026-11-15T10:00:00Z'],
])('%s plus %i months is %s', (from, count, to) => {
  expect(addMonths(seconds(from), count)).toBe(seconds(to));
});

test('nextBoundary returns the first boundary after a time for any anchor', () => {
  const anchors = fc.integer({ min: seconds('2026-01-01T00:00:00Z'), max: seconds('2030-01-01T00:00:00Z') });
  const later = fc.integer({ min: 0, max: 4 * 366 * 86_400 });
  fc.assert(
    fc.property(anchors, later, (anchor, wait) => {
      const boundaries = Array.from({ length: 60 }, (_, index) => addMonths(anchor, index + 1));
      const found = boundaries.find((boundary) => boundary > anchor + wait);
      expect(nextBoundary(anchor, anchor + wait)).toBe(found);
    }),
    { numRuns: 200 },
  );
});
