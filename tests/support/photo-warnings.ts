/** Which photos get a warning, checked with the sample products. */
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import { checkedSide, checkPhoto } from '#contract';
import { rootFolder } from '#shared/platform/root-folder.ts';

const folder = join(rootFolder, 'scripts/local/photos');

/** @param change what happens to the photo, reduced to the checked size */
async function warningsOf(file: string, change: (photo: Sharp) => Sharp = (photo) => photo) {
  const reduced = await sharp(file)
    .resize({ width: checkedSide, height: checkedSide, fit: 'inside' })
    .toBuffer();
  const { data, info } = await change(sharp(reduced)).raw().toBuffer({ resolveWithObject: true });
  return checkPhoto({ width: 1_200, height: 900 }, { ...info, data });
}

/** Tests the warnings of a sample photo, and of what makes it worse. @param name its file */
export function testWarningsOf(name: string): void {
  const file = join(folder, name);
  describe(name, () => {
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
}
