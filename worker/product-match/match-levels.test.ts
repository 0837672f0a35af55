import { expect, test } from 'vitest';
import { matchLevels } from '#contract/generations.ts';
import { remakeOffer } from '#shared/views/generation.ts';
import { matchProduct, type ProductMatch } from './match-product.ts';

type Level = ProductMatch['level'];

test.each<[Level[], Level, Level]>([
  [['low', 'high'], 'high', 'low'],
  [['unknown', 'high'], 'high', 'unknown'],
  [['unknown', 'medium'], 'medium', 'unknown'],
  [['unknown', 'low'], 'low', 'low'],
  [['unknown', 'unknown'], 'unknown', 'unknown'],
])('photos that are %s show one product: %s, several products: %s', async (photos, ofOne, ofSeveral) => {
  const judge = async (level: Level) => ({ level, area: null, crops: null });
  expect((await matchProduct(photos, 'one-product', judge))?.level).toBe(ofOne);
  expect((await matchProduct(photos, 'several-products', judge))?.level).toBe(ofSeveral);
});

test('of all levels only low offers to make the image again', () => {
  const offers = matchLevels.filter((level) =>
    remakeOffer({ state: 'succeeded', match: { level, area: null, crops: null } } as Parameters<
      typeof remakeOffer
    >[0]),
  );
  expect(offers).toEqual(['low']);
});

test('the same part in photo and image is that of the photo that counts; a level without areas has none', async () => {
  const box = { x: 0.1, y: 0.2, width: 0.3, height: 0.4 };
  const judge = async (level: Level) => ({
    level,
    area: null,
    crops: level === 'unknown' ? null : { inPhoto: box, inImage: box },
  });
  const crops = { photo: 1, inPhoto: box, inImage: box };
  expect(await matchProduct<Level>(['unknown', 'medium'], 'one-product', judge)).toMatchObject({ crops });
  expect(await matchProduct<Level>(['unknown'], 'one-product', judge)).toMatchObject({ crops: null });
});
