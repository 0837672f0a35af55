/** Draws the watermark of sketches, a tile that is repeated without a seam. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

/**
 * Size of the tile in pixels, and the words in it: a part with half of a sketch's sides has whole ones, one with a quarter has
 * at least half of one (server/sketches/draw-sketches.test.ts).
 */
const width = 152;
const height = 96;
const places = [
  { x: 0, y: 0 },
  { x: width / 2, y: height / 2 },
];

/** Draws the watermark into this file. */
export async function writeWatermark(file: string): Promise<void> {
  const words = await readFile(join(import.meta.dirname, 'wordmark.svg'), 'utf8');
  // The first path is the name. It is an outline, so that no font has to be installed.
  const outline = /<path [^>]*\bd="([^"]+)"/.exec(words)?.[1];
  if (outline === undefined) throw new Error('wordmark.svg has no path');
  const name = `<path d="${outline}" transform="rotate(-24) scale(0.17)" vector-effect="non-scaling-stroke"/>`;
  const drawn = places.flatMap(({ x, y }) =>
    // What leaves the tile on one side comes in on the other.
    [-width, 0, width].flatMap((right) =>
      [-height, 0, height].map((down) => `<g transform="translate(${x + right} ${y + down})">${name}</g>`),
    ),
  );
  const all = drawn.join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <g fill="none" stroke="#000" stroke-width="1.6" stroke-linejoin="round" opacity="0.36">${all}</g>
    <g fill="#fff" opacity="0.7">${all}</g>
  </svg>`;
  await writeFile(file, await sharp(Buffer.from(svg)).png({ compressionLevel: 9 }).toBuffer());
}
