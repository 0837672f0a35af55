/** How much a photo changes by being stored: at most 1 of 255 on average, and nothing if it has transparency. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { newFolder } from '#tests/support/new-folder.ts';
import { expectKept, lossOf, pixelsOf, store } from '#tests/support/normalised.ts';
import { noise } from '#tests/support/odd-photos.ts';

const sample = join(rootFolder, 'scripts/local/photos/candle-1.jpg');

test('a photo is stored as JPEG with a mean difference of at most 1, and again without a further one', () =>
  expectKept(sample));

test('noise, which JPEG keeps worst, has a mean difference below 1', async () => {
  const path = join(await newFolder(), 'noise.png');
  await sharp(noise(640, 480, 3), { raw: { width: 640, height: 480, channels: 3 } })
    .png()
    .toFile(path);
  const { format, target } = await store(path);
  expect(format).toBe('jpeg');
  expect(await lossOf(target, path)).toBeLessThan(1);
});

test('a large photo is compared as it is scaled down', async () => {
  const path = join(await newFolder(), 'large.png');
  await sharp(sample).resize(3_000, 2_250).png({ compressionLevel: 1 }).toFile(path);
  const { width, height, target } = await store(path);
  expect([width, height]).toEqual([2_048, 1_536]);
  expect(await lossOf(target, path)).toBeLessThan(1);
});

test('a photo with transparency is stored as PNG, pixel for pixel', async () => {
  const path = join(await newFolder(), 'transparent.png');
  await writeFile(
    path,
    await sharp(noise(200, 100, 5).subarray(0, 100 * 100 * 4), {
      raw: { width: 100, height: 100, channels: 4 },
    })
      .png()
      .toBuffer(),
  );
  const { format, target } = await store(path);
  expect(format).toBe('png');
  expect((await pixelsOf(target)).equals(await pixelsOf(path))).toBe(true);
});
