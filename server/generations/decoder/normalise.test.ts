/** How much a photo changes by being stored: at most 1 of 255 on average, and nothing if it has transparency. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { noise } from '#tests/support/odd-photos.ts';
import { normalise } from './normalise.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packshot-normalise-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Normalises a photo. @returns what it became, and the path of the stored file */
async function store(path: string) {
  const target = join(folder, crypto.randomUUID());
  const outcome = await normalise({ path, target });
  if (!('result' in outcome)) throw new Error(JSON.stringify(outcome));
  return { ...outcome.result, target };
}

const pixelsOf = (path: string) => sharp(path).raw().toBuffer();

/** The pixels of a photo as they would be stored without loss. */
const wanted = (path: string) =>
  sharp(path)
    .autoOrient()
    .resize({ width: limits.photoSide, height: limits.photoSide, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer();

/** The mean difference of two pictures of the same size, in all channels, of 255. */
function meanDifference(one: Buffer, other: Buffer): number {
  expect(one.length).toBe(other.length);
  return one.reduce((sum, value, at) => sum + Math.abs(value - other[at]!), 0) / one.length;
}

const samples = 'scripts/local/photos';
const photos = [
  // A photograph with grain, in a file without loss.
  'scripts/sample/coffee-cup.png',
  ...(await readdir(join(rootFolder, samples)))
    .filter((name) => name.endsWith('.jpg'))
    .map((name) => `${samples}/${name}`),
];

describe.each(photos)('%s', (name) => {
  const path = join(rootFolder, name);

  test('is stored as JPEG with a mean difference of at most 1, and again without a further one', async () => {
    const once = await store(path);
    expect(once.format).toBe('jpeg');
    const original = await wanted(path);
    expect(meanDifference(await pixelsOf(once.target), original)).toBeLessThan(1);
    // A seller who uses the same photos again uploads what was stored.
    const twice = await store(once.target);
    expect(meanDifference(await pixelsOf(twice.target), original)).toBeLessThan(1);
    expect(twice.warnings).toEqual(once.warnings);
  });
});

test('noise, which JPEG keeps worst, has a mean difference below 1', async () => {
  const path = join(folder, 'noise.png');
  await sharp(noise(640, 480, 3), { raw: { width: 640, height: 480, channels: 3 } })
    .png()
    .toFile(path);
  const { format, target } = await store(path);
  expect(format).toBe('jpeg');
  expect(meanDifference(await pixelsOf(target), await wanted(path))).toBeLessThan(1);
});

test('a large photo is compared as it is scaled down', async () => {
  const path = join(folder, 'large.png');
  await sharp(join(rootFolder, photos[1]!)).resize(3_000, 2_250).png({ compressionLevel: 1 }).toFile(path);
  const { width, height, target } = await store(path);
  expect([width, height]).toEqual([2_048, 1_536]);
  expect(meanDifference(await pixelsOf(target), await wanted(path))).toBeLessThan(1);
});

test('a photo with transparency is stored as PNG, pixel for pixel', async () => {
  const path = join(folder, 'transparent.png');
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
