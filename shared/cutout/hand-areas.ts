/** What both ways to find an arm do with its pixels. */
import type { Location } from './locate.ts';
import type { Mask } from './pixels.ts';

/** Whether a place of a photo belongs to the product. @param mask the product, stretched over the box */
export function isOfProduct(x: number, y: number, box: Location['box'], mask: Mask): boolean {
  const column = Math.floor(((x - box.left) / box.width) * mask.width);
  const row = Math.floor(((y - box.top) / box.height) * mask.height);
  const inBox = column >= 0 && row >= 0 && column < mask.width && row < mask.height;
  return inBox && mask.data[row * mask.width + column]! > 0;
}

/** All marked pixels that are connected to the first, side by side. They are unmarked. @param marked 1 for each of them */
export function takeArea(start: number, marked: Uint8Array, width: number): number[] {
  const area = [start];
  marked[start] = 0;
  for (let next = 0; next < area.length; next += 1) {
    const at = area[next]!;
    const x = at % width;
    for (const near of [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width]) {
      if (marked[near] !== 1) continue;
      marked[near] = 0;
      area.push(near);
    }
  }
  return area;
}
