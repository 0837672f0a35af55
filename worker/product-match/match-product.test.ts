import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { PhotoSubject } from '#contract';
import { createRandom } from '#scripts/bench/cutout/backgrounds.ts';
import { changeColour, changeLabel, moveProduct } from '#scripts/match-report/pictures.ts';
import { readSample } from '#scripts/match-report/samples.ts';
import { flatImage } from '#tests/support/photos.ts';
import { matchPhoto } from './match-photo.ts';
import { type MatchPhoto, matchProduct } from './match-product.ts';

const seed = 5;
const folder = await mkdtemp(join(tmpdir(), 'packshot-match-'));
afterAll(() => rm(folder, { recursive: true }));
const [tin, mug] = await Promise.all([readSample('tea-tin-1'), readSample('mug-1')]);
const [tinPhoto, mugPhoto] = [await photoOf('tin', tin.png), await photoOf('mug', mug.png)];
const moved = await moveProduct(createRandom(seed), tin.png, tin.mask!);

async function photoOf(key: string, file: Buffer): Promise<MatchPhoto> {
  const path = join(folder, key);
  await writeFile(path, file);
  return { key, path };
}

const match = (photos: MatchPhoto[], image: Buffer, photosShow: PhotoSubject = 'one-product') =>
  matchProduct(photos, photosShow, (photo) => matchPhoto(photo, image));

/** The level of an image for a photo of the tea tin. */
const levelOf = async (image: Buffer) => (await match([tinPhoto], image))?.level;

test('the same product, moved, scaled and relit, is a high match, and its area is known', async () => {
  const found = await match([tinPhoto], moved);
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
  expect(await levelOf(await moveProduct(random, relabelled, tin.mask!)), `seed ${seed}`).toBe('low');
});

test('the product in another colour is a low match', async () => {
  const random = createRandom(seed);
  const recoloured = await changeColour(random, tin.png);
  expect(await levelOf(await moveProduct(random, recoloured, tin.mask!)), `seed ${seed}`).toBe('low');
});

test('another product is a low match without an area', async () => {
  const image = await moveProduct(createRandom(seed), mug.png, mug.mask!);
  expect(await match([tinPhoto], image), `seed ${seed}`).toEqual({ level: 'low', area: null });
});

test('of several photos the best counts if they show one product, the worst if they show several', async () => {
  const photos = [mugPhoto, tinPhoto];
  expect((await match(photos, moved))?.level).toBe('high');
  expect((await match(photos, moved, 'several-products'))?.level).not.toBe('high');
});

test('a photo in which nothing stands out is not judged', async () => {
  const flat = await photoOf('flat', await flatImage(640, 480).png().toBuffer());
  expect(await match([flat], moved)).toBeNull();
});
