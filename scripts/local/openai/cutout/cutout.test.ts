/** Cutting is held against known masks of the sample photos and of drawn ones. */
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import { cutProduct } from './cutout.ts';

// The model is real work, and other test files may have the machine's cores.
vi.setConfig({ testTimeout: 60_000 });

test('a photo with alpha keeps its own alpha, cropped', async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><circle cx="150" cy="100" r="50" fill="red"/></svg>';
  const { pixels, touches } = await cutProduct(await sharp(Buffer.from(svg)).png().toBuffer());
  expect(pixels.width).toBeGreaterThanOrEqual(99);
  expect(pixels.width).toBeLessThanOrEqual(101);
  expect(Object.values(touches)).not.toContain(true);
});

test('the same bytes give the same pixels', async () => {
  const photo = await readFile(new URL('../../../sample/products/mug-1.jpg', import.meta.url));
  const first = await cutProduct(photo);
  const again = await cutProduct(photo);
  expect(first.pixels.data.every((value, index) => value === again.pixels.data[index])).toBe(true);
});
