/** How likely a cutout shows one complete product and nothing else. */
import type { Location } from './locate.ts';
import { smoothStep } from './matte.ts';
import type { Box, Mask, Pixels } from './pixels.ts';
import type { Refined } from './refine.ts';
import { regionAreas } from './regions.ts';

/** What speaks for a cutout, or against it. */
export interface Signals {
  /** Agreement of the two passes, 0–1. */
  agreement: number;
  /** The share of clear values among all that are not clearly background, 0–1. */
  certainty: number;
  /** Intersection over union of the mask and the model's result, 0–1. */
  fidelity: number;
  /** The share of all that is salient in the photo which lies outside of the mask, 0–1: other things. */
  leftOut: number;
  /** The number of separate parts that are at least a twelfth of the largest one. */
  parts: number;
  /** The share of the outline on whose sides are nearly the same colours, 0–1. */
  faintOutline: number;
}

/** Below this, a cutout must not be used: chosen on the development half of `npm run campaign -- cutout-check`. */
export const leastConfidence = 0.4;

/** The confidence that follows from the signals, 0–1. */
export function confidenceOf(signals: Signals): number {
  const { agreement, certainty, fidelity, leftOut, parts, faintOutline } = signals;
  return (
    smoothStep(0.6, 0.9, agreement) *
    smoothStep(0.5, 0.9, certainty) *
    smoothStep(0.75, 0.95, fidelity) *
    smoothStep(0.3, 0.12, leftOut) *
    // A pair is one product; more things are several.
    (parts > 2 ? 0.3 : 1) *
    smoothStep(0.75, 0.45, faintOutline)
  );
}

/** Measures a cutout. @param size of the whole photo */
export function signalsOf(
  location: Location,
  { mask, pixels, fidelity }: Refined,
  size: Pick<Pixels, 'width' | 'height'>,
): Signals {
  const { agreement, certainty } = location;
  const [largest = 0, ...others] = regionAreas(mask);
  return {
    agreement,
    certainty,
    fidelity,
    leftOut: leftOutOf(location, mask, size),
    parts: largest === 0 ? 0 : 1 + others.filter((area) => area * 12 >= largest).length,
    faintOutline: faintOutlineOf(mask, pixels),
  };
}

function leftOutOf({ whole, box }: Location, mask: Mask, size: Pick<Pixels, 'width' | 'height'>): number {
  let [inside, outside] = [0, 0];
  for (let row = 0; row < whole.height; row += 1) {
    for (let column = 0; column < whole.width; column += 1) {
      const value = whole.data[row * whole.width + column]!;
      const x = ((column + 0.5) / whole.width) * size.width;
      const y = ((row + 0.5) / whole.height) * size.height;
      if (isInside(mask, box, x, y)) inside += value;
      else outside += value;
    }
  }
  return outside / (inside + outside + 1e-6);
}

/** Whether a place of the photo belongs to a mask that is stretched over a box of it. */
function isInside({ width, height, data }: Mask, box: Box, x: number, y: number): boolean {
  const column = Math.floor(((x - box.left) / box.width) * width);
  const row = Math.floor(((y - box.top) / box.height) * height);
  return column >= 0 && row >= 0 && column < width && row < height && data[row * width + column]! > 0;
}

/** How far from the outline its two colours are read, in pixels of the mask. */
const reach = 4;
/** Colours that are closer than this in sRGB are nearly the same. */
const leastDistance = 14;
const directions = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const;

function faintOutlineOf({ width, height, data }: Mask, { data: colours }: Pixels): number {
  let [faint, count] = [0, 0];
  for (let y = reach; y < height - reach; y += 1) {
    for (let x = reach; x < width - reach; x += 1) {
      const at = y * width + x;
      if (data[at] === 0) continue;
      for (const [across, down] of directions) {
        const step = down * width + across;
        if (data[at + step] !== 0) continue;
        const inner = at - step * (reach - 1);
        const outer = at + step * reach;
        if (data[inner] === 0 || data[outer] !== 0) continue;
        count += 1;
        const red = colours[inner * 4]! - colours[outer * 4]!;
        const green = colours[inner * 4 + 1]! - colours[outer * 4 + 1]!;
        const blue = colours[inner * 4 + 2]! - colours[outer * 4 + 2]!;
        if (Math.hypot(red, green, blue) < leastDistance) faint += 1;
      }
    }
  }
  return count === 0 ? 1 : faint / count;
}
