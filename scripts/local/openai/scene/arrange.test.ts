/** Every arrangement keeps all products whole, on the surface, and apart. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arrange, type Silhouette } from './arrange.ts';

const silhouette: fc.Arbitrary<Silhouette> = fc.record({
  width: fc.integer({ min: 40, max: 1200 }),
  height: fc.integer({ min: 40, max: 1200 }),
  fromAbove: fc.double({ min: 0.08, max: 0.8, noNaN: true }),
});
const size = fc.constantFrom([1024, 1024], [1536, 1024], [1024, 1536] as const);

describe('an arrangement', () => {
  test('of 1 to 16 products has no overlaps and nothing outside the picture', () => {
    fc.assert(
      fc.property(
        fc.array(silhouette, { minLength: 1, maxLength: 16 }),
        size,
        fc.nat(9),
        (silhouettes, [width, height], variant) => {
          const { placements, edgeRow } = arrange(silhouettes, width!, height!, variant);
          expect(placements.map(({ index }) => index).sort((a, b) => a - b)).toEqual(
            silhouettes.map((_, index) => index),
          );
          for (const first of placements) {
            expect(first.left).toBeGreaterThanOrEqual(0);
            expect(first.left + first.width).toBeLessThanOrEqual(width!);
            expect(first.base - first.height).toBeGreaterThanOrEqual(0);
            expect(first.base).toBeLessThanOrEqual(height!);
            expect(first.base).toBeGreaterThan(edgeRow);
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

  test('keeps proportions', () => {
    const { placements } = arrange([{ width: 300, height: 600, fromAbove: 0.1 }], 1024, 1024, 0);
    expect(placements[0]!.height / placements[0]!.width).toBeCloseTo(2, 1);
  });

  test('shows one product large', () => {
    const [placement] = arrange([{ width: 406, height: 368, fromAbove: 0.6 }], 1024, 1024, 0).placements;
    expect((placement!.width * placement!.height) / 1024 ** 2).toBeGreaterThan(0.28);
  });

  test('looks from further above at what was photographed from above', () => {
    const level = arrange([{ width: 300, height: 300, fromAbove: 0.1 }], 1024, 1024, 0);
    const above = arrange([{ width: 300, height: 300, fromAbove: 0.6 }], 1024, 1024, 0);
    expect(above.edgeRow).toBeLessThan(level.edgeRow);
  });
});
