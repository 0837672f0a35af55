/** Every arrangement keeps all products complete, on the surface, apart, and as large as they should be. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arrange, largestEnlargement, type Silhouette } from './arrange.ts';

const untouched = { left: false, top: false, right: false, bottom: false };
const plain = { floating: false, topView: false, closeUp: false };

/** A product from a photo of 1200 pixels. */
function silhouette(width: number, height: number, fromAbove = 0.24): Silhouette {
  return { width, height, photoSide: 1200, tilt: { fromAbove, flatness: 0.1 }, touches: untouched };
}

const silhouettes: fc.Arbitrary<Silhouette> = fc.record({
  width: fc.integer({ min: 40, max: 1200 }),
  height: fc.integer({ min: 40, max: 1200 }),
  photoSide: fc.constantFrom(1200, 2048),
  tilt: fc.record({
    fromAbove: fc.double({ min: 0.1, max: 0.8, noNaN: true }),
    flatness: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  touches: fc.constant(untouched),
});
const framing = fc.record({ floating: fc.boolean(), topView: fc.boolean(), closeUp: fc.boolean() });
const centred = { shift: 0, size: 1, pitch: 0 };
const takes = fc.record({
  shift: fc.double({ min: -0.1, max: 0.1, noNaN: true }),
  size: fc.double({ min: 0.85, max: 1.12, noNaN: true }),
  pitch: fc.double({ min: 0, max: 0.06, noNaN: true }),
});
const sizes = [
  [1024, 1024],
  [1536, 1024],
  [1024, 1536],
  [2048, 2048],
] as const;

describe('an arrangement', () => {
  test('of 1 to 16 products has no overlaps and stays within the picture', () => {
    fc.assert(
      fc.property(
        fc.array(silhouettes, { minLength: 1, maxLength: 16 }),
        fc.constantFrom(...sizes),
        framing,
        takes,
        (products, [width, height], view, take) => {
          const { placements, edgeRow } = arrange(products, width, height, view, take);
          expect(placements.map(({ index }) => index).sort((a, b) => a - b)).toEqual(
            products.map((_, index) => index),
          );
          for (const first of placements) {
            expect(first.left).toBeGreaterThanOrEqual(0);
            expect(first.left + first.width).toBeLessThanOrEqual(width);
            expect(first.base - first.lift - first.height).toBeGreaterThanOrEqual(0);
            expect(first.base).toBeLessThanOrEqual(height);
            if (!view.topView && placements.length === 1) expect(first.base).toBeGreaterThan(edgeRow);
            for (const second of placements) {
              if (first === second) continue;
              const apart =
                first.left + first.width <= second.left ||
                second.left + second.width <= first.left ||
                first.base <= second.base - second.height ||
                second.base <= first.base - first.height;
              expect(apart).toBe(true);
            }
          }
        },
      ),
      { seed: 20261121, numRuns: 300 },
    );
  });

  test('never enlarges a product by more than 1.5', () => {
    fc.assert(
      fc.property(
        fc.array(silhouettes, { minLength: 1, maxLength: 8 }),
        fc.constantFrom(...sizes),
        framing,
        (products, [width, height], view) => {
          for (const placement of arrange(products, width, height, view, centred).placements) {
            const { width: own, height: tall } = products[placement.index]!;
            expect(placement.width).toBeLessThanOrEqual(own * largestEnlargement);
            expect(placement.height).toBeLessThanOrEqual(tall * largestEnlargement);
          }
        },
      ),
      { seed: 20261122, numRuns: 300 },
    );
  });

  test('keeps proportions', () => {
    const { placements } = arrange([silhouette(300, 600)], 1024, 1024, plain, centred);
    expect(placements[0]!.height / placements[0]!.width).toBeCloseTo(2, 1);
  });

  test.each(sizes)('fills 65 to 85 %% of the width or height of %i × %i', (width, height) => {
    for (const [own, tall] of [
      [1200, 1100],
      [500, 1800],
      [1900, 700],
    ] as const) {
      for (const closeUp of [false, true]) {
        const product = silhouette(own, tall);
        const [place] = arrange([product], width, height, { ...plain, closeUp }, centred).placements;
        const share = Math.max(place!.width / width, place!.height / height);
        expect(share).toBeGreaterThanOrEqual(0.65);
        expect(share).toBeLessThanOrEqual(0.85);
      }
    }
  });

  test('has a higher camera for photos taken from above, and looks straight down on request', () => {
    const level = arrange([silhouette(300, 300, 0.1)], 1024, 1024, plain, centred);
    const above = arrange([silhouette(300, 300, 0.6)], 1024, 1024, plain, centred);
    const straight = arrange([silhouette(300, 300, 0.1)], 1024, 1024, { ...plain, topView: true }, centred);
    expect(above.edgeRow).toBeLessThan(level.edgeRow);
    expect([level.fromAbove < above.fromAbove, straight.fromAbove]).toEqual([true, 1]);
  });

  test.each(['left', 'top', 'right', 'bottom'] as const)(
    'lets the picture cut off at the %s what the photo cut off there',
    (side) => {
      const product = { ...silhouette(700, 700), touches: { ...untouched, [side]: true } };
      const [place] = arrange([product], 1024, 1024, plain, centred).placements;
      const gaps = {
        left: place!.left,
        top: place!.base - place!.height,
        right: 1024 - place!.left - place!.width,
        bottom: 1024 - place!.base,
      };
      expect(gaps[side]).toBe(0);
    },
  );

  test('keeps part of the size difference between two products', () => {
    const { placements } = arrange([silhouette(300, 300), silhouette(600, 600)], 1024, 1024, plain, centred);
    const [small, large] = [...placements].sort((first, second) => first.width - second.width);
    expect(large!.width / small!.width).toBeGreaterThan(1.2);
    expect(large!.width / small!.width).toBeLessThan(2.01);
  });
});
