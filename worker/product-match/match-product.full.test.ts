import { expect, test } from 'vitest';
import { createRandom } from '#tests/campaigns/bench/cutout/backgrounds.ts';
import { changeColour, moveProduct } from '#tests/campaigns/match-report/pictures.ts';
import { readSample } from '#tests/campaigns/match-report/samples.ts';
import { flatImage } from '#tests/support/photos.ts';
import { match, storePhoto } from '#tests/support/product-matches.ts';

const seed = 5;
const [tin, mug, vase] = await Promise.all([
  readSample('tea-tin-1'),
  readSample('mug-1'),
  readSample('vase-1'),
]);
const [tinPhoto, mugPhoto] = [await storePhoto('tin', tin.png), await storePhoto('mug', mug.png)];
const flatPhoto = await storePhoto('flat', await flatImage(640, 480).png().toBuffer());
const moved = await moveProduct(createRandom(seed), tin.png, tin.mask!);

test('the product in another colour is a low match', async () => {
  const random = createRandom(seed);
  const recoloured = await changeColour(random, tin.png);
  const image = await moveProduct(random, recoloured, tin.mask!);
  expect((await match([tinPhoto], image))?.level, `seed ${seed}`).toBe('low');
});

test.each([
  ['of other colours is a low match', vase, 'low'],
  // As far apart are the colours of one product seen from two sides in two lights (docs/decisions/0117).
  ['of the same colours, without anything in common, cannot be told from another side', mug, 'unknown'],
] as const)('another product %s, without an area', async (_, other, level) => {
  const image = await moveProduct(createRandom(seed), other.png, other.mask!);
  expect(await match([tinPhoto], image), `seed ${seed}`).toMatchObject({ level, area: null });
});

test('of several photos the best counts if they show one product, the worst if they show several', async () => {
  const photos = [mugPhoto, tinPhoto];
  expect((await match(photos, moved))?.level).toBe('high');
  expect((await match(photos, moved, 'several-products'))?.level).not.toBe('high');
});

test('a photo in which nothing stands out is not judged', async () => {
  expect(await match([flatPhoto], moved)).toBeNull();
});
