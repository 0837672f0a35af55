import { expect, test } from 'vitest';
import { dollarsText } from './operator-costs.ts';

test('amounts are shown in dollars, rounded up', () => {
  expect(
    [0, 1, 99, 100, 27_387, 999_999, 1_000_000, 1_000_001, 12_345_678, 1_234_567_890_000].map(dollarsText),
  ).toEqual([
    '$0.0000',
    '$0.0001',
    '$0.0001',
    '$0.0001',
    '$0.0274',
    '$1.0000',
    '$1.00',
    '$1.01',
    '$12.35',
    '$1,234,567.89',
  ]);
});
