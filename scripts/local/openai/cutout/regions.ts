/** Connected regions of a mask: keep the ones that belong to the product, fill the holes that do not belong. */
import type { Mask } from './pixels.ts';

interface Region {
  area: number;
  touchesBorder: boolean;
  /** Mean distance of its pixels from the middle, in half-diagonals. */
  eccentricity: number;
}

/** Labels 4-connected regions of pixels for which `inside` is 1; labels count from 1. */
function labelRegions(
  inside: Uint8Array,
  width: number,
  height: number,
): { labels: Int32Array; regions: Region[] } {
  const labels = new Int32Array(width * height);
  const regions: Region[] = [{ area: 0, touchesBorder: false, eccentricity: 0 }];
  const stack = new Int32Array(width * height);
  const halfDiagonal = Math.hypot(width, height) / 2;
  for (let start = 0; start < inside.length; start += 1) {
    if (inside[start] === 0 || labels[start] !== 0) continue;
    const label = regions.length;
    const region: Region = { area: 0, touchesBorder: false, eccentricity: 0 };
    regions.push(region);
    let top = 0;
    stack[top++] = start;
    labels[start] = label;
    while (top > 0) {
      const at = stack[--top]!;
      const x = at % width;
      const y = (at - x) / width;
      region.area += 1;
      region.eccentricity += Math.hypot(x - width / 2, y - height / 2) / halfDiagonal;
      if (x === 0 || y === 0 || x === width - 1 || y === height - 1) region.touchesBorder = true;
      const visit = (neighbour: number): void => {
        if (inside[neighbour] === 1 && labels[neighbour] === 0) {
          labels[neighbour] = label;
          stack[top++] = neighbour;
        }
      };
      if (x > 0) visit(at - 1);
      if (x < width - 1) visit(at + 1);
      if (y > 0) visit(at - width);
      if (y < height - 1) visit(at + width);
    }
    region.eccentricity /= region.area;
  }
  return { labels, regions };
}

/**
 * Keeps the main region and those at least `smallestShare` of its size; a pair of shoes is two regions.
 * The main region is the largest when central ones count more.
 */
export function keepMainRegions(mask: Mask, smallestShare: number): Mask {
  const inside = Uint8Array.from(mask.data, (value) => (value > 127 ? 1 : 0));
  const { labels, regions } = labelRegions(inside, mask.width, mask.height);
  const weight = (region: Region) => region.area * (1.3 - Math.min(1, region.eccentricity));
  const largest = Math.max(...regions.map(weight));
  const kept = regions.map((region) => region.area > 0 && weight(region) >= smallestShare * largest);
  return { ...mask, data: Uint8Array.from(labels, (label) => (kept[label] ? 255 : 0)) };
}

/** Fills holes that do not reach the border and are smaller than `largestShare` of the product. */
export function fillHoles(mask: Mask, largestShare: number): Mask {
  const outside = Uint8Array.from(mask.data, (value) => (value > 127 ? 0 : 1));
  const { labels, regions } = labelRegions(outside, mask.width, mask.height);
  const productArea = outside.length - outside.reduce((sum, value) => sum + value, 0);
  const open = regions.map((region) => region.touchesBorder || region.area > largestShare * productArea);
  return { ...mask, data: Uint8Array.from(labels, (label) => (label > 0 && open[label] ? 0 : 255)) };
}
