/** Scores a mask against the true one. A pixel belongs to a mask from 128 on. */
import type { Mask } from '#shared/cutout/pixels.ts';

/**
 * Boundary F score: the harmonic mean of the shares of each mask's outline that lie within `reach` pixels of the
 * other's.
 */
export function boundaryScore(found: Mask, truth: Mask, reach: number): number {
  const foundOutline = outline(found);
  const trueOutline = outline(truth);
  const precision = shareNear(foundOutline, trueOutline, found.width, reach);
  const recall = shareNear(trueOutline, foundOutline, found.width, reach);
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}

/** 1 for each pixel of the mask that has a neighbour outside of it. */
function outline({ width, height, data }: Mask): Uint8Array {
  const edge = new Uint8Array(data.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const index = y * width + x;
      if (data[index]! < 128) continue;
      const outside = (inFrame: boolean, neighbour: number) => inFrame && data[neighbour]! < 128;
      const isEdge =
        outside(x > 0, index - 1) ||
        outside(x < width - 1, index + 1) ||
        outside(y > 0, index - width) ||
        outside(y < height - 1, index + width);
      if (isEdge) edge[index] = 1;
    }
  }
  return edge;
}

function shareNear(from: Uint8Array, to: Uint8Array, width: number, reach: number): number {
  const steps: [number, number][] = [];
  for (let down = -reach; down <= reach; down += 1) {
    for (let across = -reach; across <= reach; across += 1) {
      if (across * across + down * down <= reach * reach) steps.push([across, down]);
    }
  }
  let near = 0;
  let count = 0;
  for (let index = 0; index < from.length; index += 1) {
    if (from[index] === 0) continue;
    count += 1;
    const x = index % width;
    const isNear = ([across, down]: [number, number]) =>
      x + across >= 0 && x + across < width && to[index + down * width + across] === 1;
    if (steps.some(isNear)) near += 1;
  }
  return count === 0 ? 0 : near / count;
}
