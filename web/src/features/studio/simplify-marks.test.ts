import { expect, test } from 'vitest';
import { limits, type Mark, marksSchema, pointsOf } from '#contract';
import { addMark } from './simplify-marks.ts';

const stroke = (points: { x: number; y: number }[], width = 80): Mark => ({ kind: 'stroke', width, points });
/** Painting round and round, at 60 points a second. */
const painted = (seconds: number) =>
  stroke(
    Array.from({ length: seconds * 60 }, (_, index) => ({
      x: 1_000 + 600 * Math.sin(index / 17),
      y: 1_000 + 500 * Math.cos(index / 23),
    })),
  );
const dot = stroke([{ x: 5, y: 5 }]);

/** How far a place is from the nearest point of a line. */
function distance(line: readonly { x: number; y: number }[], { x, y }: { x: number; y: number }): number {
  return Math.min(
    ...line.slice(1).map((to, index) => {
      const from = line[index]!;
      const [right, down] = [to.x - from.x, to.y - from.y];
      const along = ((x - from.x) * right + (y - from.y) * down) / (right ** 2 + down ** 2 || 1);
      const place = Math.min(1, Math.max(0, along));
      return Math.hypot(x - from.x - place * right, y - from.y - place * down);
    }),
  );
}

test('a stroke keeps its shape with the points that it needs, to a tenth of a pixel', () => {
  const straight = Array.from({ length: 500 }, (_, x) => ({ x: x / 3, y: 20.04 }));
  expect(addMark([], stroke([...straight, { x: 166.33, y: 90 }]))).toEqual([
    stroke([
      { x: 0, y: 20 },
      { x: 166.3, y: 20 },
      { x: 166.3, y: 90 },
    ]),
  ]);
  expect(addMark([], dot)).toEqual([dot]);
  const there = { x: 10, y: 10 };
  // Nothing of a stroke that comes back to where it began is lost.
  expect(addMark([], stroke([there, { x: 90, y: 10 }, there]))).toEqual([
    stroke([there, { x: 90, y: 10 }, there]),
  ]);
});

test('minutes of painting fit into one change, within eight pixels of where they were painted', () => {
  const long = painted(240) as Extract<Mark, { kind: 'stroke' }>;
  const marks = addMark([dot], long)!;
  expect(pointsOf(marks)).toBeLessThanOrEqual(limits.markPoints);
  expect(marksSchema.parse(marks)).toEqual(marks);
  const { points } = marks[1] as typeof long;
  for (let index = 0; index < long.points.length; index += 50)
    expect(distance(points, long.points[index]!)).toBeLessThanOrEqual(8.1);
});

test('what does not fit is refused', () => {
  const dots = Array(limits.markPoints - 1).fill(dot);
  expect(addMark(dots, dot)).toHaveLength(limits.markPoints);
  expect(addMark([...dots, dot], dot)).toBeNull();
});

test('a pointer far away is kept within the limits', () => {
  const [far] = addMark([], stroke([{ x: 1e6, y: -1e6 }]))!;
  expect(marksSchema.safeParse([far]).success).toBe(true);
});
