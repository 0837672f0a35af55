import { partsOf } from './areas.ts';

/** The most pixels of a speck, and how many times as large something else must be. */
const [mostPixels, timesLarger] = [25, 200];

/**
 * Adds specks to the background: groups of a few pixels that touch nothing else, in an image with something much larger.
 * Otherwise a grain of dust in a corner would make the product seem as large as the frame.
 * @param background 1 for each pixel of the background; changed in place
 */
export function addSpecks(background: Uint8Array, width: number): void {
  const parts = partsOf(
    background.map((value) => (value ? 0 : 1)),
    width,
  );
  const largest = Math.max(0, ...parts.map(({ length }) => length));
  for (const part of parts) {
    if (part.length > mostPixels || part.length * timesLarger > largest) continue;
    for (const pixel of part) background[pixel] = 1;
  }
}
