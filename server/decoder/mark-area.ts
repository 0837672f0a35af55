import type { Mark } from '#shared/contract/marks.ts';

interface Size {
  width: number;
  height: number;
}

/** An area that is being marked. */
interface Area extends Size {
  /** How far each pixel is marked: 0 to 255, row by row. */
  data: Uint8Array;
  /** The longest run of marked pixels that is known of each row; its first is after its last if there is none. */
  firstWhole: Int32Array;
  lastWhole: Int32Array;
}

type Point = Extract<Mark, { kind: 'stroke' }>['points'][number];

/**
 * How far marks cover each pixel of an image: 0 to 255, row by row. Edges are soft, as a canvas draws them. The most
 * points that a request may have take less than a second, whatever they are: only pixels at an edge are computed.
 */
export function markArea(marks: readonly Mark[], { width, height }: Size): Uint8Array {
  const area: Area = {
    width,
    height,
    data: new Uint8Array(width * height),
    firstWhole: new Int32Array(height),
    lastWhole: new Int32Array(height).fill(-1),
  };
  for (const mark of marks) {
    if (mark.kind === 'rectangle') fillRectangle(area, mark);
    else {
      const { points } = mark;
      // Of a single point, the line is a dot.
      if (points.length === 1) drawLine(area, points[0]!, points[0]!, mark.width / 2);
      for (let index = 1; index < points.length; index += 1)
        drawLine(area, points[index - 1]!, points[index]!, mark.width / 2);
    }
  }
  return area.data;
}

/** Marks the pixels of a row from the first to the last completely. */
function fillRow({ data, width, firstWhole, lastWhole }: Area, row: number, first: number, last: number) {
  if (first > last) return;
  const start = row * width;
  const [from, to] = [firstWhole[row]!, lastWhole[row]!];
  if (from > to || last < from - 1 || first > to + 1) {
    data.fill(255, start + first, start + last + 1);
    if (last - first <= to - from) return;
    firstWhole[row] = first;
    lastWhole[row] = last;
    return;
  }
  // Only what is not marked yet: a thousand strokes over one place take hardly more time than one.
  if (first < from) {
    data.fill(255, start + first, start + from);
    firstWhole[row] = first;
  }
  if (last > to) {
    data.fill(255, start + to + 1, start + last + 1);
    lastWhole[row] = last;
  }
}

/** Marks a pixel at least so far, 0 to 1. */
function cover({ data }: Area, pixel: number, share: number): void {
  data[pixel] = Math.max(data[pixel]!, Math.round(share * 255));
}

/** How much of the pixel from `place` to `place + 1` lies between two edges, 0 to 1. */
const shareBetween = (place: number, low: number, high: number) =>
  Math.max(0, Math.min(place + 1, high) - Math.max(place, low));

function fillRectangle(area: Area, mark: Extract<Mark, { kind: 'rectangle' }>): void {
  const { left, top } = mark;
  const [right, bottom] = [left + mark.width, top + mark.height];
  const first = Math.max(0, Math.floor(left));
  const last = Math.min(area.width, Math.ceil(right)) - 1;
  const lastRow = Math.min(area.height, Math.ceil(bottom)) - 1;
  for (let row = Math.max(0, Math.floor(top)); row <= lastRow; row += 1) {
    const down = shareBetween(row, top, bottom);
    const start = row * area.width;
    if (down === 1) {
      fillRow(area, row, Math.max(0, Math.ceil(left)), Math.min(area.width, Math.floor(right)) - 1);
      if (first <= last) {
        cover(area, start + first, shareBetween(first, left, right));
        cover(area, start + last, shareBetween(last, left, right));
      }
      continue;
    }
    for (let x = first; x <= last; x += 1) cover(area, start + x, down * shareBetween(x, left, right));
  }
}

/** Draws a line with round ends. */
function drawLine(area: Area, from: Point, to: Point, radius: number): void {
  const { width, height, firstWhole, lastWhole } = area;
  const line = lineBetween(from, to);
  const outer = radius + 0.5;
  const lastRow = Math.min(height - 1, Math.ceil(Math.max(from.y, to.y) + outer));
  for (let row = Math.max(0, Math.floor(Math.min(from.y, to.y) - outer)); row <= lastRow; row += 1) {
    if (firstWhole[row] === 0 && lastWhole[row] === width - 1) continue;
    const y = row + 0.5;
    const [left, right] = extentOf(line, y, outer);
    const first = Math.max(0, Math.ceil(left - 0.5));
    const last = Math.min(width - 1, Math.floor(right - 0.5));
    if (first > last || (first >= firstWhole[row]! && last <= lastWhole[row]!)) continue;
    const [innerLeft, innerRight] = extentOf(line, y, radius - 0.5);
    const innerFirst = Math.max(first, Math.ceil(innerLeft - 0.5));
    const innerLast = Math.min(last, Math.floor(innerRight - 0.5));
    fillRow(area, row, innerFirst, innerLast);
    for (let x = first; x <= last; x += 1) {
      if (x >= innerFirst && x <= innerLast) {
        x = innerLast;
        continue;
      }
      const share = outer - distanceTo(line, x + 0.5, y);
      if (share > 0) cover(area, row * width + x, Math.min(1, share));
    }
  }
}

/** A line with its direction as a unit vector; of a dot, the direction is (0, 0) and the length 0. */
interface Line {
  from: Point;
  to: Point;
  along: Point;
  length: number;
}

function lineBetween(from: Point, to: Point): Line {
  const [x, y] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(x, y);
  return { from, to, length, along: length === 0 ? { x: 0, y: 0 } : { x: x / length, y: y / length } };
}

function distanceTo({ from, along, length }: Line, x: number, y: number): number {
  const [right, down] = [x - from.x, y - from.y];
  const place = Math.min(length, Math.max(0, right * along.x + down * along.y));
  return Math.hypot(right - place * along.x, down - place * along.y);
}

/**
 * Where a horizontal is within a distance of a line: from the first to the second x, since that area is convex. If it is
 * nowhere, the first is greater than the second.
 */
function extentOf({ from, to, along, length }: Line, y: number, distance: number): [number, number] {
  let [left, right] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  if (distance < 0) return [left, right];
  const add = (first: number, last: number) => {
    if (first > last) return;
    left = Math.min(left, first);
    right = Math.max(right, last);
  };
  for (const end of [from, to]) {
    const half = Math.sqrt(distance ** 2 - (y - end.y) ** 2);
    // Not a number where the horizontal does not meet the end.
    if (half >= 0) add(end.x - half, end.x + half);
  }
  if (length === 0) return [left, right];
  // Beside the line: no farther from it than the distance, and between its ends.
  const down = y - from.y;
  const beside = within(-along.y, down * along.x, -distance, distance);
  const between = within(along.x, down * along.y, 0, length);
  add(from.x + Math.max(beside[0], between[0]), from.x + Math.min(beside[1], between[1]));
  return [left, right];
}

/** For which x `slope * x + offset` lies from low to high. */
function within(slope: number, offset: number, low: number, high: number): [number, number] {
  if (Math.abs(slope) < 1e-12) {
    const everywhere = offset >= low && offset <= high;
    return everywhere
      ? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
      : [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  }
  const [first, last] = [(low - offset) / slope, (high - offset) / slope];
  return first <= last ? [first, last] : [last, first];
}
