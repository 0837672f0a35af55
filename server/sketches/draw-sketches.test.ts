import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { sketchLimits, sketchScenes } from '#contract';
import type { Pixels } from '#shared/cutout/pixels.ts';
import { watermarkFile } from '#shared/images/watermark.ts';
import { sharp } from '#shared/platform/sharp.ts';
import { layIn, stamp } from './draw-sketches.ts';

const { side } = sketchLimits;

/** A product of one colour that fills most of the frame. */
const productOf = (colour: number) => {
  const [width, height] = [320, 320];
  const data = new Uint8ClampedArray(width * height * 4).fill(colour);
  for (let at = 3; at < data.length; at += 4) data[at] = 255;
  return { width, height, data, left: 96, top: 120 };
};

async function readWatermark(): Promise<Pixels> {
  const { data, info } = await sharp(await readFile(watermarkFile))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8ClampedArray(data) };
}

/** For each pixel the number of marked ones above and to the left of it. A pixel is marked if it differs clearly. */
function countMarks(plain: Pixels, marked: Pixels): Int32Array {
  const sums = new Int32Array((side + 1) * (side + 1));
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const at = (y * side + x) * 4;
      const differs = Math.abs(plain.data[at]! - marked.data[at]!) >= 24;
      const place = (y + 1) * (side + 1) + x + 1;
      sums[place] = sums[place - 1]! + sums[place - side - 1]! - sums[place - side - 2]! + Number(differs);
    }
  }
  return sums;
}

test('every part with a quarter of the sides has the watermark, on light and dark, wherever it begins', async () => {
  const watermark = await readWatermark();
  const crop = side / 4;
  for (const scene of sketchScenes) {
    for (const colour of [0, 128, 255]) {
      for (const from of [
        { left: 0, top: 0 },
        { left: 37, top: 91 },
        { left: 127, top: 64 },
      ]) {
        const plain = await layIn(scene, productOf(colour));
        const marked = await layIn(scene, productOf(colour));
        stamp(marked, watermark, from);
        const sums = countMarks(plain, marked);
        let least = crop * crop;
        for (let y = 0; y + crop <= side; y += 1) {
          for (let x = 0; x + crop <= side; x += 1) {
            const [top, bottom] = [y * (side + 1), (y + crop) * (side + 1)];
            const marks =
              sums[bottom + x + crop]! - sums[bottom + x]! - sums[top + x + crop]! + sums[top + x]!;
            least = Math.min(least, marks);
          }
        }
        // A whole word has about 300 pixels of letters or of their edges.
        expect(least, `${scene}, product ${colour}, from ${from.left}, ${from.top}`).toBeGreaterThan(150);
      }
    }
  }
});
