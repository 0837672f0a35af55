/** What each format makes of pure white beside a product, in every quality that a seller can choose. */
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { type ExportFormat, exportFormats, limits } from '#contract';
import { createRandom } from '#tests/support/random.ts';
import { encodeExport } from './export-file.ts';

const side = 480;
/** What a file may show of a product around it, in pixels. */
const light = 96;

/** A product with rough texture on pure white: predicted from it, a WebP's white is wrong far away from it. */
const image = drawProduct();

function drawProduct(): Uint8Array {
  const pixels = new Uint8Array(side * side * 3).fill(255);
  const random = createRandom(7);
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1)
      if (Math.hypot(x - side / 2, y - side / 2) < 60)
        for (let channel = 0; channel < 3; channel += 1)
          pixels[(y * side + x) * 3 + channel] = 40 + random.below(120);
  return pixels;
}

/** The darkest value of a file beyond the light of the product. */
async function darkestFarAway(file: Uint8Array): Promise<number> {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width: side, height: side });
  let darkest = 255;
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1) {
      const at = (y * side + x) * 3;
      if (Math.hypot(x - side / 2, y - side / 2) > 60 + light * Math.SQRT2)
        darkest = Math.min(darkest, data[at]!, data[at + 1]!, data[at + 2]!);
    }
  return darkest;
}

const wholeNumbers = Array.from(
  { length: 101 - limits.ownPresetQualityLeast },
  (_, index) => limits.ownPresetQualityLeast + index,
);
/** Those of our own choice, and those that a seller can choose. */
const qualities: Readonly<Record<ExportFormat, readonly (number | null)[]>> = {
  png: [null],
  avif: [null],
  jpeg: [null, 93, 85, 75, ...wholeNumbers],
  webp: [null, ...wholeNumbers],
};

test.each(exportFormats)('white is pure in a %s of every quality', async (format) => {
  const wrong: [quality: number | null, darkest: number][] = [];
  for (const quality of qualities[format]) {
    const { file } = await encodeExport(sharp(image, { raw: { width: side, height: side, channels: 3 } }), {
      format,
      quality,
      rules: [],
      isWhite: true,
      label: (made) => made,
    });
    const darkest = await darkestFarAway(file);
    if (darkest < 255) wrong.push([quality, darkest]);
  }
  expect(wrong).toEqual([]);
});
