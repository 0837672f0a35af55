/** Derives from a product's outline where it touches the ground. */
import type { Pixels } from '../cutout/pixels.ts';

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
export interface GroundLine {
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
export interface HullPoint {
  x: number;
  y: number;
}

/** The lower convex hull of a profile, from left to right. */
export function lowerHull(profile: Int32Array): HullPoint[] {
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
