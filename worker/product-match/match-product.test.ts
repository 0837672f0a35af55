import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createRandom } from '#tests/campaigns/bench/cutout/backgrounds.ts';
import { changeLabel, moveProduct } from '#tests/campaigns/match-report/pictures.ts';
import { readSample } from '#tests/campaigns/match-report/samples.ts';
import { match, storePhoto } from '#tests/support/product-matches.ts';

const seed = 5;
const tin = await readSample('tea-tin-1');
const tinPhoto = await storePhoto('tin', tin.png);

test('the same product, moved, scaled and relit, is a high match, and its area is known', async () => {
  const found = await match([tinPhoto], await moveProduct(createRandom(seed), tin.png, tin.mask!));
  expect(found?.level, `seed ${seed}`).toBe('high');
  const xs = found!.area!.map(({ x }) => x);
  const ys = found!.area!.map(({ y }) => y);
  expect(found!.area).toHaveLength(4);
  expect(Math.min(...xs, ...ys)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...xs, ...ys)).toBeLessThanOrEqual(1);
  const size = Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
  // The pictures show products at 45 to 80 % of their side; the area has a margin and may be turned by 8°.
  expect(size).toBeGreaterThan(0.4);
});

test('the product with another word on its label is a low match', async () => {
  const random = createRandom(seed);
  const relabelled = await changeLabel(random, tin.png, tin.label!);
  const image = await moveProduct(random, relabelled, tin.mask!);
  const found = await match([tinPhoto], image);
  expect(found?.level, `seed ${seed}`).toBe('low');
  // What is shown of the photo is around the label, in which the word is another one, and nothing but a part of the picture.
  const { photo, inPhoto, inImage } = found!.crops!;
  expect(photo).toBe(0);
  const { left, top, width, height } = tin.label!;
  expect(inPhoto.x).toBeLessThan(left + width / 2);
  expect(inPhoto.x + inPhoto.width).toBeGreaterThan(left + width / 2);
  expect(inPhoto.y).toBeLessThan(top + height);
  expect(inPhoto.y + inPhoto.height).toBeGreaterThan(top);
  for (const box of [inPhoto, inImage]) {
    expect(Math.min(box.x, box.y)).toBeGreaterThanOrEqual(0);
    expect(Math.max(box.x + box.width, box.y + box.height)).toBeLessThanOrEqual(1.001);
    expect(box.width * box.height).toBeLessThan(0.5);
  }
});

test('an image in which the product is not found has no areas', async () => {
  const plain = await sharp({ create: { width: 600, height: 600, channels: 3, background: '#7a8aa0' } })
    .png()
    .toBuffer();
  expect(await match([tinPhoto], plain)).toMatchObject({ area: null, crops: null });
});
