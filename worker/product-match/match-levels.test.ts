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
  const judge = async (level: Level) => ({ level, area: null });
  expect((await matchProduct(photos, 'one-product', judge))?.level).toBe(ofOne);
  expect((await matchProduct(photos, 'several-products', judge))?.level).toBe(ofSeveral);
});

test('of all levels only low offers to make the image again', () => {
  const offers = matchLevels.filter((level) =>
    remakeOffer({ state: 'succeeded', match: { level, area: null } } as Parameters<typeof remakeOffer>[0]),
  );
  expect(offers).toEqual(['low']);
});
