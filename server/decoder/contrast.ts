/** How an image differs from its background, place by place. */
import type { EditPixels } from '#shared/contract/edit-geometry.ts';
import { visitBorder } from '#shared/contract/image-border.ts';
import { boxMean } from '#shared/cutout/box-blur.ts';
import { above, dilate, partsOf } from './areas.ts';

/** What differs from the border of an image. */
interface Contrast {
  /** By how much a place is lighter or darker than everything on the border, in any channel; 0 for the background. */
  values: Float32Array;
  /** Areas that differ from it only on average: each of their pixels could be one of the border. */
  hidden: Int32Array[];
}

/** Smaller differences than this are rounding. */
const leastDifference = 0.75;
/** The distance within which noise evens out. */
const evenRadius = 4;
/** At least this much of something level differs by nearly as much as its most different places. */
const levelShare = 0.7;

/** @param pixels on white */
export function measureContrast(pixels: EditPixels): Contrast {
  const { width, height, data } = pixels;
  const channels = [0, 1, 2].map((channel) => {
    const values = new Float32Array(width * height);
    for (let place = 0; place < values.length; place += 1) values[place] = data[place * 4 + channel]!;
    return values;
  });
  const values = beyondBorder(channels, width, height);
  const noise = Math.max(...channels.map((channel) => rangeOfBorder(channel, width, height).range));
  if (noise < leastDifference) return { values, hidden: [] };
  const even = beyondBorder(
    channels.map((channel) => boxMean(channel, width, height, evenRadius)),
    width,
    height,
  );
  const seen = dilate(above(values, noise / 2), width, 2 * evenRadius);
  const hidden = above(even, 0);
  for (let place = 0; place < hidden.length; place += 1) if (seen[place]) hidden[place] = 0;
  return { values, hidden: partsOf(hidden, width).filter((part) => isLevel(even, part)) };
}

/** Whether most of a part differs by about the same, as a shadow does not. */
function isLevel(values: Float32Array, part: Int32Array): boolean {
  const sorted = Float32Array.from(part, (place) => values[place]!).sort();
  const most = sorted[Math.floor(sorted.length * 0.95)]!;
  return sorted[Math.floor(sorted.length * (1 - levelShare))]! >= edgeShare * most;
}

function beyondBorder(channels: readonly Float32Array[], width: number, height: number): Float32Array {
  const values = new Float32Array(width * height);
  for (const channel of channels) {
    const { least, most } = rangeOfBorder(channel, width, height);
    for (let place = 0; place < values.length; place += 1) {
      const value = channel[place]!;
      const difference = Math.max(least - value, value - most);
      if (difference >= leastDifference) values[place] = Math.max(values[place]!, difference);
    }
  }
  return values;
}

function rangeOfBorder(channel: Float32Array, width: number, height: number) {
  let [least, most] = [255, 0];
  visitBorder({ width, height }, (place) => {
    least = Math.min(least, channel[place]!);
    most = Math.max(most, channel[place]!);
  });
  return { least, most, range: most - least };
}

/** An edge that differs by less than the first can be the end of a shadow; by the second on it is none. */
const [edgeLeast, edgeMost] = [2, 24];
/** A hard edge has this much of the contrast within the distance. */
const [edgeShare, edgeDistance] = [0.6, 6];
/** At least this much of the outline of a part is hard. */
const hardShareLeast = 0.4;

/**
 * Whether a part of what can be seen ends abruptly: then it is something, not a shadow.
 * @param seen all that can be seen
 */
export function isEdgeHard(
  { values }: Contrast,
  seen: Uint8Array,
  part: Int32Array,
  { width, height }: EditPixels,
): boolean {
  let [hard, all] = [0, 0];
  for (const place of part) {
    const [x, y] = [place % width, Math.floor(place / width)];
    const isOnEdge = [place - 1, place + 1, place - width, place + width].some((next) => !seen[next]);
    if (!isOnEdge) continue;
    all += 1;
    const at = most(x, y, 1);
    if (at >= edgeMost || (at >= edgeLeast && at >= edgeShare * most(x, y, edgeDistance))) hard += 1;
  }
  return hard >= hardShareLeast * all && all > 0;

  /** The largest contrast within a distance. */
  function most(x: number, y: number, reach: number): number {
    let largest = 0;
    for (let row = Math.max(0, y - reach); row <= Math.min(height - 1, y + reach); row += 1) {
      for (let column = Math.max(0, x - reach); column <= Math.min(width - 1, x + reach); column += 1) {
        largest = Math.max(largest, values[row * width + column]!);
      }
    }
    return largest;
  }
}
