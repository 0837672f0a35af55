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
  expect((await match([tinPhoto], image))?.level, `seed ${seed}`).toBe('low');
});
