/** Whitening for exports: on drawn pictures, whose product is known to the pixel. The full tier has more of them. */
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { planeOver, whiteBorder, whiten } from '#shared/contract/edit-background.ts';
import type { EditPixels } from '#shared/contract/edit-geometry.ts';
import { drawings, drawOutline, drawPicture } from '#tests/support/white-pictures.ts';
import {
  colourAt,
  expectKept,
  expectWhitened,
  pixelsOf,
  whitened,
} from '#tests/support/whitened-pictures.ts';

test('on pure white, a white mug keeps every pixel', () => expectKept('white mug'));

test('on nearly white, a glass keeps its pixels but those on its edge', () => expectWhitened('glass'));

/** The largest difference of a pixel to its neighbours in a part of an image that has no product. */
function steps({ data, width, height }: EditPixels, isShadow: (pixel: number) => boolean): Uint8Array {
  const largest = new Uint8Array(width * height);
  for (let pixel = 0; pixel < largest.length - width - 1; pixel += 1) {
    for (const next of [pixel + 1, pixel + width]) {
      if (!isShadow(pixel) || !isShadow(next)) continue;
      for (let channel = 0; channel < 3; channel += 1) {
        const step = Math.abs(data[pixel * 4 + channel]! - data[next * 4 + channel]!);
        largest[pixel] = Math.max(largest[pixel]!, step);
      }
    }
  }
  return largest;
}

test.for([
  ['#ffffff', 0.3],
  ['#ffffff', 1],
  ['#ffffff', 2.5],
  ['#fafaf8', 0.5],
  ['#f2f1ef', 1],
  ['#f2f1ef', 2.5],
] as const)('on %s a shadow of strength %f fades without a step', async ([background, strength]) => {
  const picture = await drawPicture('dark duck', { background, strength });
  const before = await pixelsOf(picture);
  const after = { ...before, data: before.data.slice() };
  const { data, width, height } = await drawOutline('dark duck');
  whiten(after, whiteBorder(after).white, planeOver({ data, width, height }, width, height));
  const product = await sharp(await drawPicture('dark duck', { strength: 0 }))
    .greyscale()
    .raw()
    .toBuffer();
  const isShadow = (pixel: number) => product[pixel] === 255;
  const [was, is] = [steps(before, isShadow), steps(after, isShadow)];
  const more = is.reduce((most, step, pixel) => Math.max(most, step - was[pixel]!), 0);
  expect(more).toBeLessThanOrEqual(1);
  // It is still there, where it is darkest.
  const { shadowOpacity } = drawings['dark duck'];
  expect(255 - colourAt(after, 100, 470)[0]!).toBeGreaterThan(100 * shadowOpacity * strength * 0.3);
  expect(colourAt(after, 630, 470)).toEqual([255, 255, 255]);
});

test('a coloured background is a scene and stays as it is', async () => {
  const { before, after, found } = await whitened(await drawPicture('dark duck', { background: '#c8beaa' }));
  expect(found).toEqual({
    isWhite: false,
    isClear: true,
    share: 0,
    product: null,
    content: null,
    unclear: [],
    plane: null,
  });
  expect(after.data).toEqual(before.data);
});

test('a speck in a corner becomes white and does not make the product larger; a second part of the product counts', async () => {
  const speck = (width: number, height: number) => ({
    input: { create: { width, height, channels: 3 as const, background: '#5a5a5a' } },
    left: 20,
    top: 30,
  });
  const picture = await drawPicture('white mug');
  const dusty = await whitened(
    await sharp(picture)
      .composite([speck(3, 3)])
      .png()
      .toBuffer(),
  );
  const clean = await whitened(picture);
  expect(dusty.found.product).toEqual(clean.found.product);
  expect(dusty.found.share).toBeLessThan(1);
  expect(dusty.after.data).toEqual(clean.after.data);
  const part = await whitened(
    await sharp(picture)
      .composite([speck(60, 60)])
      .png()
      .toBuffer(),
  );
  expect(part.found.product).toMatchObject({ left: 19, top: 29 });
  expect(colourAt(part.after, 40, 50)).toEqual([90, 90, 90]);
});

test('the towel of a seller keeps its logo and itself', async () => {
  const { before, after, found } = await whitened(
    await readFile('tests/support/sample/white-towel-with-logo.png'),
  );
  expect(found.product).toEqual({ left: 232, top: 252, width: 560, height: 520 });
  expect(after.data).toEqual(before.data);
});
