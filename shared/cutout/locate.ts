/** Locates the product: runs the model on the whole photo, then on the area around the product. */
import { type Box, type Pixels, type Plane, sampleAt } from './pixels.ts';
import { findSaliency } from './saliency.ts';
import { type Prior, settleSupports } from './supports.ts';

/** The result of both passes. */
export interface Location {
  /** The product with some background around it, in photo pixels. */
  box: Box;
  priorAt: Prior;
  /** Agreement of the two passes: intersection over union, 0–1. */
  agreement: number;
  /** The share of clear values among all that are not clearly background, 0–1. */
  certainty: number;
  /** What the model says about the whole photo, stretched over it. */
  whole: Plane;
}

/**
 * With less agreement, the passes show different things; the first, which covers the whole photo, is then right more
 * often.
 */
const minAgreement = 0.85;

/** Runs both passes, and closer ones for possible legs; undefined when the first finds nothing. */
export async function locateProduct(photo: Pixels): Promise<Location | undefined> {
  const whole: Box = { left: 0, top: 0, width: photo.width, height: photo.height };
  const first = await findSaliency(photo, whole);
  const found = boundsOf(first, 0.4);
  if (found === undefined) return undefined;
  const closeUp = padded(toPhoto(found, first, whole), 0.18, whole);
  const second = await findSaliency(photo, closeUp);
  const firstAt = reader(first, whole);
  const secondAt = reader(second, closeUp);
  const agreement = compare(firstAt, secondAt, closeUp);
  const both: Prior = (x, y) => (firstAt(x, y) + secondAt(x, y)) / 2;
  const priorAt = await settleSupports(photo, closeUp, agreement < minAgreement ? firstAt : both);
  return { box: closeUp, priorAt, agreement, certainty: certaintyOf(first), whole: first };
}

/** Reads a plane that is stretched over a box of the photo; 0 outside of the box. */
function reader(plane: Plane, box: Box): Prior {
  const across = plane.width / box.width;
  const down = plane.height / box.height;
  return (x, y) => {
    const column = x - box.left;
    const row = y - box.top;
    if (column < 0 || row < 0 || column >= box.width || row >= box.height) return 0;
    return sampleAt(plane, (column + 0.5) * across - 0.5, (row + 0.5) * down - 0.5);
  };
}

/** The smallest box around the values above a threshold, in pixels of the plane. */
function boundsOf({ width, height, data }: Plane, threshold: number): Box | undefined {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (data[y * width + x]! < threshold) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  return right < 0 ? undefined : { left, top, width: right - left + 1, height: bottom - top + 1 };
}

function toPhoto(box: Box, plane: Plane, whole: Box): Box {
  const across = whole.width / plane.width;
  const down = whole.height / plane.height;
  return {
    left: box.left * across,
    top: box.top * down,
    width: box.width * across,
    height: box.height * down,
  };
}

/** A box extended on all sides by a share of its long side, in whole pixels within the photo. */
function padded(box: Box, share: number, whole: Box): Box {
  const margin = Math.max(box.width, box.height) * share;
  const left = Math.max(0, Math.floor(box.left - margin));
  const top = Math.max(0, Math.floor(box.top - margin));
  const right = Math.min(whole.width, Math.ceil(box.left + box.width + margin));
  const bottom = Math.min(whole.height, Math.ceil(box.top + box.height + margin));
  return { left, top, width: right - left, height: bottom - top };
}

/** Intersection over union of two passes within a box, on a grid of 160 × 160 samples. */
function compare(
  first: (x: number, y: number) => number,
  second: (x: number, y: number) => number,
  box: Box,
): number {
  let both = 0;
  let either = 0;
  for (let row = 0; row < 160; row += 1) {
    for (let column = 0; column < 160; column += 1) {
      const x = box.left + ((column + 0.5) * box.width) / 160;
      const y = box.top + ((row + 0.5) * box.height) / 160;
      const inFirst = first(x, y) > 0.5;
      const inSecond = second(x, y) > 0.5;
      if (inFirst && inSecond) both += 1;
      if (inFirst || inSecond) either += 1;
    }
  }
  return either === 0 ? 0 : both / either;
}

function certaintyOf({ data }: Plane): number {
  let clear = 0;
  let raised = 0;
  for (const value of data) {
    if (value > 0.8) clear += 1;
    if (value > 0.1) raised += 1;
  }
  return raised === 0 ? 0 : clear / raised;
}
