import { limits, type Mark, pointsOf } from '#contract';

type Stroke = Extract<Mark, { kind: 'stroke' }>;
type Point = Stroke['points'][number];

/** How far a stroke may move when it is simplifyMark out, in pixels of the image: usually, and if there are too many points. */
const normalTolerance = 0.5;
const maxTolerance = 8;

/**
 * Adds a mark to others, with no more points than its shape needs.
 * @returns all marks, simplifyMark out further if they have too many points for one change; null if they still have
 */
export function addMark(marks: readonly Mark[], added: Mark): Mark[] | null {
  let all = [...marks, simplifyMark(added, normalTolerance)];
  for (let tolerance = normalTolerance * 2; pointsOf(all) > limits.markPoints; tolerance *= 2) {
    if (tolerance > maxTolerance) return null;
    all = all.map((mark) => simplifyMark(mark, tolerance));
  }
  return all;
}

function simplifyMark(mark: Mark, tolerance: number): Mark {
  if (mark.kind === 'rectangle') return mark;
  return { ...mark, points: simplifyPoints(mark.points.map(roundPoint), tolerance) };
}

/** To a tenth of a pixel: more digits would only be sent. A pointer may go as far as it likes. */
function roundPoint({ x, y }: Point): Point {
  const within = (value: number) =>
    Math.round(Math.max(-limits.markCoordinate, Math.min(limits.markCoordinate, value)) * 10) / 10;
  return { x: within(x), y: within(y) };
}

/**
 * Leaves out points that lie on the line between others, to within a tolerance: the farthest from each line stays
 * (Ramer–Douglas–Peucker).
 */
function simplifyPoints(points: readonly Point[], tolerance: number): Point[] {
  const kept = new Set([0, points.length - 1]);
  const parts: (readonly [number, number])[] = [[0, points.length - 1]];
  for (let part = parts.pop(); part; part = parts.pop()) {
    const [first, last] = part;
    let [farthest, most] = [first, tolerance];
    for (let index = first + 1; index < last; index += 1) {
      const distance = distanceToLine(points[index]!, points[first]!, points[last]!);
      if (distance > most) [farthest, most] = [index, distance];
    }
    if (farthest === first) continue;
    kept.add(farthest);
    parts.push([first, farthest], [farthest, last]);
  }
  return points.filter((_, index) => kept.has(index));
}

function distanceToLine({ x, y }: Point, from: Point, to: Point): number {
  const [right, down] = [to.x - from.x, to.y - from.y];
  const length = right ** 2 + down ** 2;
  const place =
    length === 0 ? 0 : Math.min(1, Math.max(0, ((x - from.x) * right + (y - from.y) * down) / length));
  return Math.hypot(x - from.x - place * right, y - from.y - place * down);
}
