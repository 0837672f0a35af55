/** Photos taken before a backdrop of one colour, perhaps with a gradient: the backdrop is found from the borders. */
import type { Mask, Pixels } from './pixels.ts';

/** A backdrop's colour as a plane over the image: `base + across · x + down · y`, x and y from 0 to 1. */
export interface Backdrop {
  planes: { base: number; across: number; down: number }[];
  /** How far backdrop pixels at the border lie from the plane, in 8-bit steps (root of the mean square). */
  noise: number;
}

const smallestInlierShare = 0.72;
const inlierDistance = 20;

/** Finds the backdrop, or undefined when the borders are not of one colour. */
export function findUniformBackdrop(pixels: Pixels): Backdrop | undefined {
  const { width, height, data } = pixels;
  const frame = Math.max(2, Math.round(Math.min(width, height) * 0.02));
  const samples: number[] = [];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (Math.min(x, y, width - 1 - x, height - 1 - y) < frame) samples.push(y * width + x);
    }
  }
  const planes = [0, 1, 2].map((channel) => ({
    base: median(samples.map((index) => data[index * 4 + channel]!)),
    across: 0,
    down: 0,
  }));
  const backdrop: Backdrop = { planes, noise: 0 };
  let inliers: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const reach = round === 0 ? inlierDistance * 2 : inlierDistance;
    inliers = samples.filter((index) => distanceToBackdrop(pixels, backdrop, index) < reach);
    if (inliers.length < samples.length * 0.5) return undefined;
    backdrop.planes = [0, 1, 2].map((channel) => fitPlane(pixels, inliers, channel));
  }
  if (inliers.length < samples.length * smallestInlierShare) return undefined;
  const squares = inliers.reduce((sum, index) => sum + distanceToBackdrop(pixels, backdrop, index) ** 2, 0);
  backdrop.noise = Math.sqrt(squares / inliers.length);
  return backdrop.noise < 9 ? backdrop : undefined;
}

/** How far a pixel's colour is from the backdrop's at its place, in 8-bit steps. */
export function distanceToBackdrop(pixels: Pixels, backdrop: Backdrop, index: number): number {
  const x = (index % pixels.width) / pixels.width;
  const y = Math.floor(index / pixels.width) / pixels.height;
  let squares = 0;
  for (let channel = 0; channel < 3; channel += 1) {
    const plane = backdrop.planes[channel]!;
    const difference = pixels.data[index * 4 + channel]! - (plane.base + plane.across * x + plane.down * y);
    squares += difference * difference;
  }
  return Math.sqrt(squares);
}

/** The share of the product that may be taken for a shadow; more of it must be the product itself. */
const largestShadowShare = 0.3;

/** Everything that cannot be reached from the borders over pixels of the backdrop's colour or its shadow. */
export function cutFromBackdrop(pixels: Pixels, backdrop: Backdrop): Mask {
  const withShadow = flood(pixels, backdrop, pixels.height);
  if (!isDistinct(pixels, backdrop, withShadow, 0.5)) return withShadow;
  const rows = productRows(withShadow);
  // Shadows lie at the product's foot. A white product before white has shading of the same kind all over.
  const without = flood(pixels, backdrop, rows.first + (rows.last - rows.first) * 0.6);
  return area(without) > area(withShadow) * (1 - largestShadowShare) ? without : withShadow;
}

/** Whether at least a share of the product's pixels has colours far from the backdrop's. */
export function isDistinct(pixels: Pixels, backdrop: Backdrop, mask: Mask, share: number): boolean {
  let distinct = 0;
  let count = 0;
  for (let index = 0; index < mask.data.length; index += 1) {
    if (mask.data[index] === 0) continue;
    count += 1;
    if (distanceToBackdrop(pixels, backdrop, index) > 55) distinct += 1;
  }
  return distinct > count * share;
}

function area(mask: Mask): number {
  return mask.data.reduce((sum, value) => sum + (value >> 7), 0);
}

function productRows(mask: Mask): { first: number; last: number } {
  const first = Math.max(0, Math.floor(mask.data.indexOf(255) / mask.width));
  return { first, last: Math.floor(mask.data.lastIndexOf(255) / mask.width) };
}

function flood(pixels: Pixels, backdrop: Backdrop, shadowsFrom: number): Mask {
  const { width, height } = pixels;
  const threshold = Math.min(26, Math.max(5, backdrop.noise * 3));
  const mask = new Uint8Array(width * height).fill(255);
  const stack: number[] = [];
  const visit = (index: number): void => {
    if (mask[index] === 0) return;
    if (distanceToBackdrop(pixels, backdrop, index) >= threshold) {
      if (index < shadowsFrom * width || !isShadow(pixels, backdrop, index)) return;
    }
    mask[index] = 0;
    stack.push(index);
  };
  for (let x = 0; x < width; x += 1) {
    visit(x);
    visit((height - 1) * width + x);
  }
  for (let y = 0; y < height; y += 1) {
    visit(y * width);
    visit(y * width + width - 1);
  }
  for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
    const x = index % width;
    if (x > 0) visit(index - 1);
    if (x < width - 1) visit(index + 1);
    if (index >= width) visit(index - width);
    if (index < width * (height - 1)) visit(index + width);
  }
  return { width, height, data: mask };
}

/** A cast shadow is the backdrop darkened a little, of the same hue, and without sharp edges. */
function isShadow(pixels: Pixels, backdrop: Backdrop, index: number): boolean {
  const x = index % pixels.width;
  const y = Math.floor(index / pixels.width);
  if (x < 2 || y < 2 || x >= pixels.width - 2 || y >= pixels.height - 2) return false;
  const ratios: number[] = [];
  for (let channel = 0; channel < 3; channel += 1) {
    const plane = backdrop.planes[channel]!;
    const expected = plane.base + plane.across * (x / pixels.width) + plane.down * (y / pixels.height);
    ratios.push((pixels.data[index * 4 + channel]! + 1) / (expected + 1));
  }
  const darkest = Math.min(...ratios);
  const lightest = Math.max(...ratios);
  if (darkest < 0.5 || lightest > 1.02 || lightest - darkest > 0.05) return false;
  const at = (dx: number, dy: number) => pixels.data[(index + dx + dy * pixels.width) * 4 + 1]!;
  return Math.abs(at(2, 0) - at(-2, 0)) + Math.abs(at(0, 2) - at(0, -2)) < 40 || darkest > 0.66;
}

function fitPlane(pixels: Pixels, indices: number[], channel: number) {
  // Least squares by the normal equations of three unknowns.
  let [n, sx, sy, sxx, sxy, syy, sv, sxv, syv] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (const index of indices) {
    const x = (index % pixels.width) / pixels.width;
    const y = Math.floor(index / pixels.width) / pixels.height;
    const value = pixels.data[index * 4 + channel]!;
    n += 1;
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
    syy += y * y;
    sv += value;
    sxv += x * value;
    syv += y * value;
  }
  const determinant = n * (sxx * syy - sxy * sxy) - sx * (sx * syy - sxy * sy) + sy * (sx * sxy - sxx * sy);
  if (Math.abs(determinant) < 1e-6) return { base: sv / n, across: 0, down: 0 };
  return {
    base:
      (sv * (sxx * syy - sxy * sxy) - sx * (sxv * syy - sxy * syv) + sy * (sxv * sxy - sxx * syv)) /
      determinant,
    across:
      (n * (sxv * syy - syv * sxy) - sv * (sx * syy - sxy * sy) + sy * (sx * syv - sxv * sy)) / determinant,
    down:
      (n * (sxx * syv - sxy * sxv) - sx * (sx * syv - sxv * sy) + sv * (sx * sxy - sxx * sy)) / determinant,
  };
}

function median(values: number[]): number {
  const sorted = values.toSorted((first, second) => first - second);
  return sorted[sorted.length >> 1] ?? 0;
}
