import { expect, test } from 'vitest';
import { otherPalette } from './measure.ts';
import { paletteDifference } from './palette.ts';

type Colour = readonly [number, number, number];

/** A product with two colours, half each. */
function product(...colours: readonly [Colour, Colour]) {
  const side = 64;
  const data = Buffer.alloc(side * side * 3);
  for (let pixel = 0; pixel < side * side; pixel += 1) data.set(colours[pixel % 2]!, pixel * 3);
  const mask = { data: Buffer.alloc(side * side, 255), width: side, height: side };
  return { data, width: side, height: side, mask };
}

test('a red toy in a light half as bright has the same colours', () => {
  const bright = product([220, 20, 30], [230, 190, 40]);
  const dim = product([110, 6, 10], [115, 90, 15]);
  expect(paletteDifference(bright, dim)).toBeLessThan(otherPalette);
});

test('grey and sand are other colours, as red and green are', () => {
  const grey = product([120, 120, 120], [150, 150, 150]);
  const sand = product([160, 130, 90], [180, 150, 110]);
  expect(paletteDifference(grey, sand)).toBeGreaterThan(otherPalette);
  const red = product([220, 20, 30], [180, 20, 30]);
  const green = product([30, 180, 40], [30, 150, 40]);
  expect(paletteDifference(red, green)).toBeGreaterThan(otherPalette);
});
