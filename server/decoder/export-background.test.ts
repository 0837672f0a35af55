import { expect, test } from 'vitest';
import { whitenForExport } from './export-background.ts';

const side = 40;

/** An image of one colour with a square of another one in its middle. */
function squareOn(background: number[], square: number[]) {
  const data = new Uint8ClampedArray(side * side * 4);
  for (let pixel = 0; pixel < side * side; pixel += 1) {
    const [x, y] = [pixel % side, Math.floor(pixel / side)];
    const isInside = Math.min(x, y) >= 10 && Math.max(x, y) < 30;
    data.set([...(isInside ? square : background), 255], pixel * 4);
  }
  return { data, width: side, height: side };
}

const colourAt = ({ data }: { data: Uint8ClampedArray }, x: number, y: number) => [
  ...data.subarray((y * side + x) * 4, (y * side + x) * 4 + 3),
];

test.for([
  ['a cream product', [235, 228, 218]],
  ['a light grey product', [225, 225, 225]],
] as const)('%s on white keeps its colour', ([, colour]) => {
  const pixels = squareOn([255, 255, 255], [...colour]);
  const found = whitenForExport(pixels);
  expect(found).toEqual({ isWhite: true, share: 1, product: { left: 10, top: 10, width: 20, height: 20 } });
  expect(colourAt(pixels, 12, 12)).toEqual(colour);
});

test('a nearly white background becomes pure white', () => {
  const pixels = squareOn([240, 239, 236], [120, 60, 30]);
  expect(whitenForExport(pixels)).toMatchObject({ isWhite: true, share: 0 });
  expect(colourAt(pixels, 0, 0)).toEqual([255, 255, 255]);
  expect(colourAt(pixels, 20, 20)).toEqual([120, 60, 30]);
});

test('a coloured background is a scene and stays as it is', () => {
  const pixels = squareOn([200, 190, 170], [120, 60, 30]);
  expect(whitenForExport(pixels)).toEqual({ isWhite: false, share: 0, product: null });
  expect(colourAt(pixels, 0, 0)).toEqual([200, 190, 170]);
});

test('a speck in a corner becomes background, and does not make the product larger', () => {
  const pixels = squareOn([255, 255, 255], [120, 60, 30]);
  pixels.data.set([90, 90, 90, 255], (2 * side + 3) * 4);
  const { isWhite, share, product } = whitenForExport(pixels);
  expect({ isWhite, product }).toEqual({
    isWhite: true,
    product: { left: 10, top: 10, width: 20, height: 20 },
  });
  expect(share).toBeLessThan(1);
  expect(colourAt(pixels, 3, 2)).toEqual([255, 255, 255]);
});

test('a second part of the product stays, and counts', () => {
  const pixels = squareOn([255, 255, 255], [120, 60, 30]);
  for (const pixel of [2, 3, 4, 5]) pixels.data.set([90, 90, 90, 255], (pixel * side + 3) * 4);
  expect(whitenForExport(pixels).product).toEqual({ left: 3, top: 2, width: 27, height: 28 });
  expect(colourAt(pixels, 3, 3)).toEqual([90, 90, 90]);
});
