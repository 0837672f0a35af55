import { expect, test } from 'vitest';
import { createRandom } from '#scripts/bench/cutout/backgrounds.ts';
import { changeColour, changeLabel, moveProduct } from '#scripts/match-report/pictures.ts';
import { readSample } from '#scripts/match-report/samples.ts';
import { flatImage } from '#tests/support/photos.ts';
import { matchProduct } from './match-product.ts';

const seed = 5;
const [tin, mug] = await Promise.all([readSample('tea-tin-1'), readSample('mug-1')]);
const photoOf = ({ name, png }: typeof tin) => ({ key: name, file: png });
const moved = await moveProduct(createRandom(seed), tin.png, tin.mask!);

/** The level of an image for a photo of the tea tin. */
async function levelOf(image: Buffer) {
  const match = await matchProduct([photoOf(tin)], image, 'one-product');
  return match?.level;
}

test('the same product, moved, scaled and relit, is a high match, and its area is known', async () => {
  const match = await matchProduct([photoOf(tin)], moved, 'one-product');
  expect(match?.level, `seed ${seed}`).toBe('high');
  const xs = match!.area!.map(({ x }) => x);
  const ys = match!.area!.map(({ y }) => y);
  expect(match!.area).toHaveLength(4);
  expect(Math.min(...xs, ...ys)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...xs, ...ys)).toBeLessThanOrEqual(1);
  const size = Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
  // The pictures show products at 45 to 80 % of their side; the area has a margin and may be turned by 8°.
  expect(size).toBeGreaterThan(0.4);
});

test('the product with another word on its label is a low match', async () => {
  const random = createRandom(seed);
  const relabelled = await changeLabel(random, tin.png, tin.label!);
  expect(await levelOf(await moveProduct(random, relabelled, tin.mask!)), `seed ${seed}`).toBe('low');
});

test('the product in another colour is a low match', async () => {
  const random = createRandom(seed);
  const recoloured = await changeColour(random, tin.png);
  expect(await levelOf(await moveProduct(random, recoloured, tin.mask!)), `seed ${seed}`).toBe('low');
});

test('another product is a low match without an area', async () => {
  const image = await moveProduct(createRandom(seed), mug.png, mug.mask!);
  const match = await matchProduct([photoOf(tin)], image, 'one-product');
  expect(match, `seed ${seed}`).toEqual({ level: 'low', area: null });
});

test('of several photos the best counts if they show one product, the worst if they show several', async () => {
  const photos = [photoOf(mug), photoOf(tin)];
  expect((await matchProduct(photos, moved, 'one-product'))?.level).toBe('high');
  expect((await matchProduct(photos, moved, 'several-products'))?.level).not.toBe('high');
});

test('a photo in which nothing stands out is not judged', async () => {
  const file = await flatImage(640, 480).png().toBuffer();
  expect(await matchProduct([{ key: 'flat', file }], moved, 'one-product')).toBeNull();
});
