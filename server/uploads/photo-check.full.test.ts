/** Warnings of a dark product, of a smooth one on a plain background, and of one with a label. */
import { expect, test } from 'vitest';
import { cutOutPhotos } from '#tests/campaigns/photo-checks/drawn.ts';
import { testWarningsOf, warningsOf } from '#tests/support/photo-warnings.ts';

for (const name of ['headphones-1.jpg', 'vase-1.jpg', 'tea-tin-1.jpg']) testWarningsOf(name);

test('products on white and on a pale colour, large and small, get no warning', async () => {
  for await (const { name, picture } of cutOutPhotos(['headphones-1', 'perfume-1', 'soap-1', 'candle-1']))
    expect(warningsOf(picture), name).toEqual([]);
});
