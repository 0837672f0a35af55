/** Compares box means with means that are calculated pixel by pixel. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boxMean } from './box-blur.ts';

test('each value is the mean of its neighbourhood, cropped at the edges', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 14 }),
      fc.integer({ min: 1, max: 11 }),
      fc.integer({ min: 0, max: 9 }),
      fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
      (width, height, radius, values) => {
        const plane = Float32Array.from([...values.take(width * height)]);
        const means = boxMean(plane, width, height, radius);
        for (let y = 0; y < height; y += 1) {
          for (let x = 0; x < width; x += 1) {
            let sum = 0;
            let count = 0;
            for (let row = Math.max(0, y - radius); row <= Math.min(height - 1, y + radius); row += 1) {
              for (
                let column = Math.max(0, x - radius);
                column <= Math.min(width - 1, x + radius);
                column += 1
              ) {
                sum += plane[row * width + column]!;
                count += 1;
              }
            }
            expect(means[y * width + x]).toBeCloseTo(sum / count, 4);
          }
        }
      },
    ),
    { seed: 20261122, numRuns: 200 },
  );
});
