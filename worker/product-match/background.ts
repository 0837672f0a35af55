/** Where the mask of a photo took for a part of the product what is behind it, such as the gap in a handle. */
import type { Cell } from './cells.ts';
import type { Pixels } from './product-photo.ts';

/** Bits of a channel by which colours are counted: 4,096 colours. */
const bits = 4;
/** How many times as frequent as on the product a colour must be around it. */
const moreAround = 4;

/**
 * Tells which part of a cell, 0 to 1, has colours that are around the product rather than on it.
 * @param photo RGB; @param inside above 0 well within the mask; @param near 0 well outside of it; @param size of a cell
 */
export function backgroundTest(
  { data, width }: Pixels,
  inside: Uint8Array,
  near: Uint8Array,
  size: number,
): (cell: Cell) => number {
  const shift = 8 - bits;
  const colourOf = (pixel: number) =>
    ((data[pixel * 3]! >> shift) << (2 * bits)) |
    ((data[pixel * 3 + 1]! >> shift) << bits) |
    (data[pixel * 3 + 2]! >> shift);
  const product = new Uint32Array(1 << (3 * bits));
  const around = new Uint32Array(product.length);
  let [inProduct, inBackground] = [0, 0];
  for (let pixel = 0; pixel < inside.length; pixel += 1) {
    if (inside[pixel]! > 0) {
      product[colourOf(pixel)]! += 1;
      inProduct += 1;
    } else if (near[pixel] === 0) {
      around[colourOf(pixel)]! += 1;
      inBackground += 1;
    }
  }
  const isAround = (colour: number) =>
    around[colour]! * inProduct > moreAround * product[colour]! * inBackground;
  return ({ x, y }) => {
    let count = 0;
    for (let down = 0; down < size; down += 1) {
      for (let across = 0; across < size; across += 1) {
        if (isAround(colourOf((y + down) * width + x + across))) count += 1;
      }
    }
    return count / size ** 2;
  };
}
