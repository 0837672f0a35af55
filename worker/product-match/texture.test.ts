/** Mistakes of a mask, at the outline, in comparison with what really differs there. */
import { expect, test } from 'vitest';
import { backgroundTest } from './background.ts';
import { cellsOf, type Plane } from './cells.ts';
import { compareTexture, textureCell } from './texture.ts';

const side = 160;
/** The product without its outline, its mask with it, and where the photo shows background within both: a gap at the edge. */
const inner = { from: 24, to: 136 };
const outer = { from: 16, to: 144 };
const gap = { right: 64, bottom: 72 };

const isIn = (x: number, y: number, { from, to }: { from: number; to: number }) =>
  x >= from && y >= from && x < to && y < to;
const isInGap = (x: number, y: number) =>
  x >= inner.from && y >= inner.from && x < gap.right && y < gap.bottom;
/** Noise that is the same each time; other ones for other seeds. */
const noise = (x: number, y: number, seed: number) => {
  const value = Math.sin(x * 12.9898 + y * 78.233 + seed * 37.719) * 43_758.5453;
  return (value - Math.floor(value)) * 60 - 30;
};
const each = (value: (x: number, y: number) => number): number[] =>
  Array.from({ length: side * side }, (_, pixel) => value(pixel % side, Math.floor(pixel / side)));

const inside = Uint8Array.from(each((x, y) => (isIn(x, y, inner) ? 255 : 0)));
const near = Uint8Array.from(each((x, y) => (isIn(x, y, outer) ? 255 : 0)));
const plane = (seedInGap: number): Plane => ({
  data: Float32Array.from(each((x, y) => noise(x, y, isInGap(x, y) ? seedInGap : 1))),
  width: side,
  height: side,
});

function compareWithGap(colourInGap: 'of the background' | 'of the product') {
  const [blue, red] = [
    [30, 60, 200],
    [200, 40, 30],
  ] as const;
  const data = Buffer.from(
    each((x, y) => (isIn(x, y, outer) ? 1 : 0)).flatMap((isProduct, pixel) => {
      const shows = isInGap(pixel % side, Math.floor(pixel / side)) && colourInGap === 'of the background';
      return isProduct && !shows ? red : blue;
    }),
  );
  const photo = { data, width: side, height: side };
  const backgroundIn = backgroundTest(photo, inside, near, textureCell);
  return compareTexture(plane(1), plane(2), inside, backgroundIn);
}

test('what differs at the outline where the photo shows its background is a mistake of the mask', () => {
  expect(
    cellsOf(inside, { width: side, height: side }, { size: textureCell, room: 4, coverage: 0.8 }).length,
  ).toBeGreaterThan(50);
  expect(compareWithGap('of the background')).toMatchObject({ differing: 0, group: 0 });
});

test('what differs at the outline where the photo shows the product is a part that is missing or was added', () => {
  const { group, differing } = compareWithGap('of the product');
  expect(group).toBeGreaterThanOrEqual(4);
  expect(differing).toBe(group);
});
