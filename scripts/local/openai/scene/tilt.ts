/** Estimates from a product's outline from how far above it was photographed, and whether it lies flat. */
import { boxMean } from '../cutout/box-blur.ts';
import type { Pixels } from '../cutout/pixels.ts';
import { type HullPoint, lowerHull } from './silhouette.ts';

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
