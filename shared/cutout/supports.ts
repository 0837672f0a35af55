/**
 * Legs and posts under a product. In a picture of the whole product, the model gives low values both for thin legs
 * and for the joint of a table top. In a close-up it is certain about either, so such areas are examined once more.
 */
import type { Box, Pixels } from './pixels.ts';
import { findSaliency } from './saliency.ts';

/** How likely the photo's pixel at a position belongs to the product, 0–1. */
export type Prior = (x: number, y: number) => number;

/** The number of samples in each direction. */
const places = 200;
/** The model's values below this are noise. */
const faintest = 0.008;
/** Values above this are certain enough. */
const sure = 0.5;
/** The limit for close-ups, each of which takes as long as the first pass. */
const mostLooks = 2;
/** The share of the product's surroundings that a close-up shows in each direction. */
const closeShare = 0.5;

/** A faint vertical strip under the product, in samples. */
interface Strip {
  left: number;
  right: number;
  top: number;
  bottom: number;
  cells: number[];
}

/**
 * Examines faint strips under the product in close-ups.
 * @param box the product with some background around it
 * @returns the prior, raised where a strip turned out to be part of the product, lowered where it did not
 */
export async function settleSupports(photo: Pixels, box: Box, prior: Prior): Promise<Prior> {
  const strips = findStrips(box, prior);
  let settled = prior;
  for (const strip of strips.slice(0, mostLooks)) settled = await settleStrip(photo, box, settled, strip);
  return settled;
}

async function settleStrip(photo: Pixels, box: Box, prior: Prior, strip: Strip): Promise<Prior> {
  const across = box.width / places;
  const down = box.height / places;
  const width = Math.min(photo.width, Math.round(box.width * closeShare));
  const height = Math.min(photo.height, Math.round(box.height * closeShare));
  const middleX = box.left + ((strip.left + strip.right) / 2) * across;
  const middleY = box.top + ((strip.top + strip.bottom) / 2) * down;
  const close: Box = {
    left: Math.round(Math.min(photo.width - width, Math.max(0, middleX - width / 2))),
    top: Math.round(Math.min(photo.height - height, Math.max(0, middleY - height / 2))),
    width,
    height,
  };
  const look = await findSaliency(photo, close);
  const seenAt: Prior = (x, y) => {
    const column = Math.round(((x - close.left) / close.width) * look.width);
    const row = Math.round(((y - close.top) / close.height) * look.height);
    if (column < 0 || row < 0 || column >= look.width || row >= look.height) return 0;
    return look.data[row * look.width + column]!;
  };
  let sum = 0;
  for (const cell of strip.cells)
    sum += seenAt(
      box.left + ((cell % places) + 0.5) * across,
      box.top + (Math.floor(cell / places) + 0.5) * down,
    );
  const seen = sum / strip.cells.length;
  const margin = places * 0.03;
  const area = {
    left: box.left + (strip.left - margin) * across,
    right: box.left + (strip.right + margin) * across,
    // The connection between the strip and the body above is as faint as the strip.
    top: box.top + (strip.top - places * 0.12) * down,
    bottom: box.top + (strip.bottom + margin) * down,
  };
  return (x, y) => {
    const before = prior(x, y);
    if (before > sure || x < area.left || x > area.right || y < area.top || y > area.bottom) return before;
    if (seen > 0.5) return Math.max(before, seenAt(x, y));
    return seen < 0.2 ? before * 0.1 : before;
  };
}

/** The faint vertical strips below the product, largest first; strips of one leg are merged. */
function findStrips(box: Box, prior: Prior): Strip[] {
  const values = new Float32Array(places * places);
  for (let index = 0; index < values.length; index += 1) {
    const x = box.left + (((index % places) + 0.5) * box.width) / places;
    const y = box.top + ((Math.floor(index / places) + 0.5) * box.height) / places;
    values[index] = prior(x, y);
  }
  const nearSure = spread(values, Math.round(places * 0.02));
  const strips: Strip[] = [];
  const visited = nearSure.slice();
  for (let start = 0; start < values.length; start += 1) {
    if (visited[start] === 1 || values[start]! < faintest) continue;
    const strip = grow(start, values, visited);
    const width = strip.right - strip.left + 1;
    const height = strip.bottom - strip.top + 1;
    const isUpright = height >= places * 0.05 && height >= width * 1.8 && width <= places * 0.12;
    if (!isUpright || strip.top < places * 0.25 || !hasBodyAbove(strip, nearSure)) continue;
    const same = strips.find(({ left, right }) => strip.left <= right + 4 && strip.right >= left - 4);
    if (same === undefined) strips.push(strip);
    else join(same, strip);
  }
  return strips.sort((first, second) => second.cells.length - first.cells.length);
}

/** 1 for each sample within `reach` of one that certainly belongs to the product. */
function spread(values: Float32Array, reach: number): Uint8Array {
  const near = new Uint8Array(values.length);
  for (let index = 0; index < values.length; index += 1) {
    if (values[index]! < sure) continue;
    const column = index % places;
    const row = Math.floor(index / places);
    for (let y = Math.max(0, row - reach); y <= Math.min(places - 1, row + reach); y += 1) {
      const from = y * places + Math.max(0, column - reach);
      near.fill(1, from, y * places + Math.min(places - 1, column + reach) + 1);
    }
  }
  return near;
}

/** All faint samples connected to the first. */
function grow(start: number, values: Float32Array, visited: Uint8Array): Strip {
  const strip: Strip = { left: places, right: 0, top: places, bottom: 0, cells: [] };
  const open = [start];
  visited[start] = 1;
  while (open.length > 0) {
    const index = open.pop()!;
    const x = index % places;
    const y = Math.floor(index / places);
    strip.cells.push(index);
    strip.left = Math.min(strip.left, x);
    strip.right = Math.max(strip.right, x);
    strip.top = Math.min(strip.top, y);
    strip.bottom = Math.max(strip.bottom, y);
    for (const next of [
      x > 0 ? index - 1 : -1,
      x < places - 1 ? index + 1 : -1,
      index - places,
      index + places,
    ]) {
      if (visited[next] !== 0 || values[next]! < faintest) continue;
      visited[next] = 1;
      open.push(next);
    }
  }
  return strip;
}

function join(strip: Strip, other: Strip): void {
  strip.left = Math.min(strip.left, other.left);
  strip.right = Math.max(strip.right, other.right);
  strip.top = Math.min(strip.top, other.top);
  strip.bottom = Math.max(strip.bottom, other.bottom);
  strip.cells.push(...other.cells);
}

function hasBodyAbove({ left, right, top }: Strip, nearSure: Uint8Array): boolean {
  for (let y = 0; y < top; y += 1) {
    for (let x = Math.max(0, left - 2); x <= Math.min(places - 1, right + 2); x += 1)
      if (nearSure[y * places + x] === 1) return true;
  }
  return false;
}
