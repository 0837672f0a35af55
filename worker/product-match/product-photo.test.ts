import { expect, test } from 'vitest';
import { readSample } from '#tests/campaigns/match-report/samples.ts';
import { findProduct } from './product-photo.ts';

test('a picture on the wall behind the product is no part of it', async () => {
  const { png } = await readSample('vase-1');
  const product = await findProduct(png);
  // The vase is 381 by 692 pixels; with the picture's disc beside it the box has a ratio of 0.69.
  expect(product!.width / product!.height).toBeLessThan(0.62);
});
