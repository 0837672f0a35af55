import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limits } from '#shared/contract/limits.ts';
import type { Mark } from '#shared/contract/marks.ts';
import { markArea } from './mark-area.ts';

const size = { width: 60, height: 40 };

/** How much of each pixel marks cover, by trying many places in it: slow, and right whatever the marks. */
function sampledArea(marks: readonly Mark[]): number[] {
  const steps = 6;
  return Array.from({ length: size.width * size.height }, (_, pixel) => {
    const [column, row] = [pixel % size.width, Math.floor(pixel / size.width)];
    let most = 0;
    for (const mark of marks) {
      let covered = 0;
      for (let place = 0; place < steps * steps; place += 1) {
        const x = column + ((place % steps) + 0.5) / steps;
        const y = row + (Math.floor(place / steps) + 0.5) / steps;
        if (isWithin(mark, x, y)) covered += 1;
      }
      most = Math.max(most, covered / steps ** 2);
    }
    return most * 255;
  });
}

function isWithin(mark: Mark, x: number, y: number): boolean {
  if (mark.kind === 'rectangle') {
    const { left, top, width, height } = mark;
    return x >= left && x <= left + width && y >= top && y <= top + height;
  }
  return mark.points.some((to, index) => {
    const from = mark.points[Math.max(0, index - 1)]!;
    const [right, down] = [to.x - from.x, to.y - from.y];
    const along = (x - from.x) * right + (y - from.y) * down;
    const place = Math.min(1, Math.max(0, along / (right ** 2 + down ** 2 || 1)));
    return Math.hypot(x - from.x - place * right, y - from.y - place * down) <= mark.width / 2;
  });
}

const place = fc.double({ min: -30, max: 90, noNaN: true });
const anyMark: fc.Arbitrary<Mark> = fc.oneof(
  fc.record({
    kind: fc.constant('stroke' as const),
    width: fc.double({ min: 1, max: 50, noNaN: true }),
    points: fc.array(fc.record({ x: place, y: place }), { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    kind: fc.constant('rectangle' as const),
    left: place,
    top: place,
    width: fc.double({ min: 1, max: 80, noNaN: true }),
    height: fc.double({ min: 1, max: 80, noNaN: true }),
  }),
);

test('any marks cover what they should: only pixels at their edge differ, by little', () => {
  fc.assert(
    fc.property(fc.array(anyMark, { minLength: 1, maxLength: 4 }), (marks) => {
      const area = markArea(marks, size);
      let [most, sum] = [0, 0];
      for (const [pixel, expected] of sampledArea(marks).entries()) {
        const difference = Math.abs(area[pixel]! - expected);
        most = Math.max(most, difference);
        sum += difference;
      }
      // A pixel at an edge is estimated from the distance of its middle.
      expect(most).toBeLessThan(100);
      expect(sum / area.length).toBeLessThan(1);
    }),
    { numRuns: 40 },
  );
});

test('a single point is a dot, as wide as the brush, and a rectangle of whole pixels has no soft edge', () => {
  const dot = markArea([{ kind: 'stroke', width: 20, points: [{ x: 30, y: 20 }] }], size);
  const marked = dot.reduce((sum, value) => sum + value / 255, 0);
  expect(marked).toBeGreaterThan(Math.PI * 100 * 0.99);
  expect(marked).toBeLessThan(Math.PI * 100 * 1.01);
  const rectangle = markArea([{ kind: 'rectangle', left: 3, top: 4, width: 5, height: 6 }], size);
  expect([...rectangle].filter(Boolean)).toEqual(Array(30).fill(255));
  expect(rectangle.indexOf(255)).toBe(4 * 60 + 3);
});

test('what lies beside the image marks nothing', () => {
  const beside: Mark[] = [
    {
      kind: 'stroke',
      width: 20,
      points: [
        { x: -11, y: -11 },
        { x: -11, y: limits.markCoordinate },
      ],
    },
    { kind: 'stroke', width: 20, points: [{ x: 30, y: -limits.markCoordinate }] },
    { kind: 'rectangle', left: 60, top: 0, width: 9, height: 9 },
    { kind: 'rectangle', left: -9, top: -9, width: 9, height: 9 },
  ];
  expect(markArea(beside, size).every((value) => value === 0)).toBe(true);
});
