/** Which photos get a warning, checked with the sample products. */
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import { checkedSide, checkPhoto, storedSize } from '#contract';
import { rootFolder } from '#shared/platform/root-folder.ts';

const folder = join(rootFolder, 'scripts/local/photos');
/** A fabric with fine detail, a dark product, a smooth one on a plain background, and one with a label. */
const photos = ['cushion-1.jpg', 'headphones-1.jpg', 'vase-1.jpg', 'tea-tin-1.jpg'];

/** @param change what happens to the photo, reduced to the checked size */
async function warningsOf(file: string, change: (photo: Sharp) => Sharp = (photo) => photo) {
  const reduced = await sharp(file)
    .resize({ width: checkedSide, height: checkedSide, fit: 'inside' })
    .toBuffer();
  const { data, info } = await change(sharp(reduced)).raw().toBuffer({ resolveWithObject: true });
  return checkPhoto({ width: 1_200, height: 900 }, { ...info, data });
}

describe.each(photos)('%s', (name) => {
  const file = join(folder, name);

  test('is fine as it is, also a little darker', async () => {
    expect(await warningsOf(file)).toEqual([]);
    expect(await warningsOf(file, (photo) => photo.linear(0.6, 0))).toEqual([]);
  });

  test('is blurry when it is out of focus, also with the noise of a sensor', async () => {
    expect(await warningsOf(file, (photo) => photo.blur(4))).toEqual(['blurry']);
    const pixels = await sharp(file)
      .resize(checkedSide, checkedSide, { fit: 'inside' })
      .blur(4)
      .removeAlpha()
      .raw()
      .toBuffer({
        resolveWithObject: true,
      });
    let state = 1;
    const noisy = pixels.data.map((value) => {
      state = (state * 48_271) % 2_147_483_647;
      return Math.max(0, Math.min(255, value + (state % 3) - 1));
    });
    expect(checkPhoto(pixels.info, { ...pixels.info, data: noisy })).toContain('blurry');
  });

  test('is dark when its values are a fifth', async () => {
    expect(await warningsOf(file, (photo) => photo.linear(0.2, 0))).toEqual(['dark']);
  });
});

test('a photo is small when the short side of what is stored has fewer than 512 pixels', async () => {
  const pixels = { data: new Uint8Array(300 * 200 * 3).fill(200), width: 300, height: 200, channels: 3 };
  const isSmall = (width: number, height: number) =>
    checkPhoto(storedSize(width, height), pixels).includes('small');
  expect(isSmall(2_000, 512)).toBe(false);
  expect(isSmall(2_000, 511)).toBe(true);
  expect(isSmall(511, 2_000)).toBe(true);
  // Stored with 2,048 × 410 pixels.
  expect(isSmall(6_000, 1_200)).toBe(true);
});

test('a photo with too few pixels to tell is not called blurry', () => {
  const pixels = { data: new Uint8Array(40 * 40 * 3).fill(128), width: 40, height: 40, channels: 3 };
  expect(checkPhoto({ width: 40, height: 40 }, pixels)).toEqual(['small']);
});
