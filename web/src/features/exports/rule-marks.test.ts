import { expect, test } from 'vitest';
import { isSameEdge } from './rule-marks.tsx';

const mark = (left: number, top: number, width: number, height: number) =>
  ({ kind: 'failing', label: 'Not white here', left, top, width, height }) as const;

test('marks of one edge have one text, and those of opposite edges have each their own', () => {
  const [top, bottom] = [mark(0, 0, 400, 9), mark(0, 291, 400, 9)];
  const [left, right] = [mark(0, 0, 9, 300), mark(391, 0, 9, 300)];
  expect(isSameEdge(top, bottom)).toBe(false);
  expect(isSameEdge(left, right)).toBe(false);
  expect(isSameEdge(top, left)).toBe(false);
  expect(isSameEdge(mark(0, 0, 100, 9), mark(200, 0, 80, 9))).toBe(true);
  expect(isSameEdge(mark(391, 0, 9, 50), mark(391, 100, 9, 80))).toBe(true);
});
