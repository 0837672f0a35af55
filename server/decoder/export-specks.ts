/** The most pixels of a speck, and how many times as large something else must be. */
const [mostPixels, timesLarger] = [25, 200];

/**
 * Adds specks to the background: groups of a few pixels that touch nothing else, in an image with something much larger.
 * Otherwise a grain of dust in a corner would make the product seem as large as the frame.
 * @param background 1 for each pixel of the background; changed in place
 */
export function addSpecks(background: Uint8Array, width: number): void {
  const parts = partsOf(background, width);
  const largest = Math.max(0, ...parts.map(({ length }) => length));
  for (const part of parts) {
    if (part.length > mostPixels || part.length * timesLarger > largest) continue;
    for (const pixel of part) background[pixel] = 1;
  }
}

/** The groups of pixels that are not background and touch each other side by side or by a corner. */
function partsOf(background: Uint8Array, width: number): number[][] {
  const seen = Uint8Array.from(background);
  const parts: number[][] = [];
  for (let start = 0; start < seen.length; start += 1) {
    if (seen[start]) continue;
    const part = [start];
    seen[start] = 1;
    for (const pixel of part) {
      const x = pixel % width;
      for (const across of [-1, 0, 1]) {
        if (x + across < 0 || x + across >= width) continue;
        for (const down of [-width, 0, width]) {
          const next = pixel + across + down;
          if (next < 0 || next >= seen.length || seen[next]) continue;
          seen[next] = 1;
          part.push(next);
        }
      }
    }
    parts.push(part);
  }
  return parts;
}
