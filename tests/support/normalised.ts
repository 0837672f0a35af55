/** Photos as they are stored, compared with what they were. */
import { join } from 'node:path';
import sharp from 'sharp';
import { expect } from 'vitest';
import { limits } from '#contract/limits.ts';
import { normalise } from '#server/decoder/normalise.ts';
import { newFolder } from './new-folder.ts';

/** Normalises a photo. @returns what it became, and the path of the stored file */
export async function store(path: string) {
  const target = join(await newFolder(), 'stored');
  const outcome = await normalise({ path, target });
  if (!('result' in outcome)) throw new Error(JSON.stringify(outcome));
  return { ...outcome.result, target };
}

export const pixelsOf = (path: string) => sharp(path).raw().toBuffer();

/** The pixels of a photo as they would be stored without loss. */
const wanted = (path: string) =>
  sharp(path)
    .autoOrient()
    .resize({ width: limits.photoSide, height: limits.photoSide, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer();

/** The mean difference of a stored file from what its photo would be without loss, in all channels, of 255. */
export async function lossOf(stored: string, photo: string): Promise<number> {
  const [one, other] = await Promise.all([pixelsOf(stored), wanted(photo)]);
  expect(one.length).toBe(other.length);
  return one.reduce((sum, value, at) => sum + Math.abs(value - other[at]!), 0) / one.length;
}

/** Stores a photo, and what was stored, as a seller does who uses the same photos again: neither changes it visibly. */
export async function expectKept(photo: string): Promise<void> {
  const once = await store(photo);
  expect(once.format).toBe('jpeg');
  expect(await lossOf(once.target, photo), photo).toBeLessThan(1);
  const twice = await store(once.target);
  expect(await lossOf(twice.target, photo), photo).toBeLessThan(1);
  expect(twice.warnings).toEqual(once.warnings);
}
