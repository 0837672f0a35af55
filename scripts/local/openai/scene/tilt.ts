/** Derives from a product's outline where it touches the ground, and from how high above it was photographed. */

import { boxMean } from '../../../../shared/cutout/box-blur.ts';
import type { Pixels } from '../../../../shared/cutout/pixels.ts';

/** For each column the lowest row of the product, or −1 where there is none. */
function bottomProfile(pixels: Pixels): Int32Array {
  const { width, height, data } = pixels;
  const profile = new Int32Array(width).fill(-1);
  for (let x = 0; x < width; x += 1) {
    for (let y = height - 1; y >= 0; y -= 1) {
      if (data[(y * width + x) * 4 + 3]! > 120) {
        profile[x] = y;
        break;
      }
    }
  }
  return profile;
}

/** Where a product stands, column by column. */
interface GroundLine {
  /** The row of the surface under or in front of the column. */
  rows: Float32Array;
  /** How likely the product touches the surface there, 0–1. */
  touching: Float32Array;
}

/**
 * Finds the ground line of a product: its lower convex hull, because a body rests on the corners of its hull. What is
 * above that line, such as a handle, does not touch the surface.
 * @param fromAbove sine of the camera's pitch: seen from above, the sides of a foot lie higher than its front
 */
export function groundLine(pixels: Pixels, fromAbove: number): GroundLine {
  const { width, height } = pixels;
  const profile = bottomProfile(pixels);
  const hull = lowerHull(profile);
  const rows = new Float32Array(width);
  const touching = new Float32Array(width);
  const lowest = hull.reduce((best, point) => (point.y > best.y ? point : best), { x: 0, y: 0 });
  const allowed = height * 0.025 + width * 0.42 * Math.min(0.85, fromAbove);
  let next = 1;
  for (let x = 0; x < width; x += 1) {
    while (next < hull.length - 1 && hull[next]!.x < x) next += 1;
    const [from, to] = [hull[next - 1] ?? lowest, hull[next] ?? lowest];
    const share = to.x === from.x ? 0 : Math.min(1, Math.max(0, (x - from.x) / (to.x - from.x)));
    const line = from.y + (to.y - from.y) * share;
    const raised = lowest.y - line;
    // Far from the lowest point, a slight rise is only perspective: the second foot of a wide object.
    const run = Math.abs(x - lowest.x);
    const gentle = run > width * 0.2 ? run * 0.36 : 0;
    const reach = Math.max(allowed, gentle);
    rows[x] = raised <= reach ? line + 1 : lowest.y - reach * 0.55;
    const gap = profile[x]! < 0 ? height : line - profile[x]!;
    const onLine = Math.exp(-((gap / (height * 0.018 + 1)) ** 2));
    touching[x] = raised <= reach ? (1 - (raised / reach) ** 4) * onLine : 0;
  }
  return { rows, touching };
}

/** A point of a hull, in pixels. */
interface HullPoint {
  x: number;
  y: number;
}

/** The lower convex hull of a profile, from left to right. */
function lowerHull(profile: Int32Array): HullPoint[] {
  const hull: HullPoint[] = [];
  for (let x = 0; x < profile.length; x += 1) {
    const y = profile[x]!;
    if (y < 0) continue;
    while (hull.length >= 2) {
      const [before, last] = [hull.at(-2)!, hull.at(-1)!];
      // The last point lies above the line from its predecessor to the new one, so it is not on the hull.
      if ((last.y - before.y) * (x - before.x) > (y - before.y) * (last.x - before.x)) break;
      hull.pop();
    }
    hull.push({ x, y });
  }
  return hull;
}

/** The camera's pitch and the product's flatness. */
export interface Tilt {
  /** Sine of the camera's pitch: 0 level to 1 straight down. */
  fromAbove: number;
  /** The share of the outline's height that is depth on the surface: 0 for a bottle, 1 for a sheet of paper. */
  flatness: number;
}

/** The default when only the front is visible; most photos are taken from slightly above. */
const usualTilt: Tilt = { fromAbove: 0.24, flatness: 0.1 };
/** Where the outline is steeper than this, it no longer belongs to the foot. */
const steepest = Math.tan((60 * Math.PI) / 180);
/** The outline is measured at this size of the longer side, in pixels. */
const measuredSide = 160;

/**
 * Estimates a tilt.
 *
 * Seen at a pitch p, the two lower edges of a rectangular foot rise with slopes m and n whose product is sin²p, however
 * the foot is turned. The chords from the lowest point of a round foot to its ends have the same product. So the lower
 * convex hull, from its lowest point up to where it becomes steep, gives the pitch. The sum of the two rises is how high
 * the foot itself looks, which is all there is of a product that lies flat.
 */
export function measureTilt(pixels: Pixels): Tilt {
  const { profile, height } = openedProfile(pixels);
  const hull = lowerHull(profile);
  if (hull.length < 2) return usualTilt;
  const lowest = Math.max(...hull.map(({ y }) => y));
  const flat = hull.filter(({ y }) => lowest - y <= height * 0.008);
  const first = hull.indexOf(flat[0]!);
  const last = hull.indexOf(flat.at(-1)!);
  const middle = { x: (flat[0]!.x + flat.at(-1)!.x) / 2, y: lowest };
  const left = chord(middle, hull.slice(0, first + 1).reverse());
  const right = chord(middle, hull.slice(last));
  const foot = left.run + right.run;
  // One side of the foot is hidden: the product was photographed from the front.
  if (Math.min(left.run, right.run) < foot * 0.08 || foot === 0) return usualTilt;
  const slope = Math.sqrt((left.rise / left.run) * (right.rise / right.run));
  // A foot without visible depth is seen from the front, too.
  if (slope < 0.1) return usualTilt;
  // The hull of a round foot ends before its sides become vertical, so its chords are too flat.
  const round = 1 + 0.4 * ((left.roundness + right.roundness) / 2);
  // Something taller than wide would not be standing if it were seen from far above; then the hull is not that of a
  // foot.
  const most = pixels.height > pixels.width ? 0.55 : 0.8;
  return {
    fromAbove: Math.min(most, Math.max(0.1, slope * round)),
    flatness: Math.min(1, Math.max(0, (left.rise + right.rise) / height)),
  };
}

/**
 * How far and how high the hull extends from the lowest point before it becomes steep.
 * @returns lengths in pixels; the roundness is 0 for a straight edge and 1 for a quarter of an ellipse
 */
function chord(from: HullPoint, points: HullPoint[]): { run: number; rise: number; roundness: number } {
  let count = 1;
  while (count < points.length) {
    const [end, next] = [points[count - 1]!, points[count]!];
    if (end.y - next.y > steepest * Math.abs(next.x - end.x)) break;
    count += 1;
  }
  const edge = points.slice(0, count);
  const end = edge.at(-1)!;
  const run = Math.abs(end.x - from.x);
  const rise = from.y - end.y;
  const beyond = Math.max(
    1,
    edge.findIndex((point) => Math.abs(point.x - from.x) >= run / 2),
  );
  const [before, after] = [edge[beyond - 1] ?? end, edge[beyond] ?? end];
  const share =
    after.x === before.x ? 0 : (run / 2 - Math.abs(before.x - from.x)) / Math.abs(after.x - before.x);
  const middleRise = from.y - (before.y + (after.y - before.y) * share);
  const roundness = rise === 0 ? 0 : Math.min(1, Math.max(0, (0.5 - middleRise / rise) / 0.33));
  return { run, rise, roundness };
}

/**
 * The lowest row of each column at reduced size, without thin parts: a ribbon or a strap beside the product does not
 * belong to its foot. A product that is thin everywhere keeps its outline.
 */
function openedProfile({ width, height, data }: Pixels): { profile: Int32Array; height: number } {
  const factor = Math.min(1, measuredSide / Math.max(width, height));
  const margin = 8;
  const columns = Math.max(2, Math.round(width * factor));
  const rows = Math.max(2, Math.round(height * factor));
  const padded = columns + 2 * margin;
  const paddedRows = rows + 2 * margin;
  const inside = new Float32Array(padded * paddedRows);
  for (let y = 0; y < rows; y += 1) {
    for (let x = 0; x < columns; x += 1) {
      const from = Math.floor((y + 0.5) / factor) * width + Math.floor((x + 0.5) / factor);
      if (data[from * 4 + 3]! > 120) inside[(y + margin) * padded + x + margin] = 1;
    }
  }
  const radius = 4;
  const eroded = boxMean(inside, padded, paddedRows, radius).map((share) => (share > 0.98 ? 1 : 0));
  const opened = boxMean(eroded, padded, paddedRows, radius).map((share) => (share > 0.004 ? 1 : 0));
  const area = (plane: Float32Array) => plane.reduce((sum, value) => sum + value, 0);
  const shape = area(opened) > area(inside) * 0.6 ? opened : inside;
  const profile = new Int32Array(columns).fill(-1);
  for (let x = 0; x < columns; x += 1) {
    for (let y = rows - 1; y >= 0; y -= 1) {
      if (shape[(y + margin) * padded + x + margin] === 1) {
        profile[x] = y;
        break;
      }
    }
  }
  return { profile, height: rows };
}
