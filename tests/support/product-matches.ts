/** Photos of sample products, and how an image matches them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { PhotoSubject } from '#contract';
import { matchPhoto } from '#worker/product-match/match-photo.ts';
import { type MatchPhoto, matchProduct } from '#worker/product-match/match-product.ts';

/** Stores a photo in a folder that is removed after the tests of the file. @param key its name */
export async function storePhoto(key: string, file: Buffer): Promise<MatchPhoto> {
  const folder = await mkdtemp(join(tmpdir(), 'packshot-match-'));
  afterAll(() => rm(folder, { recursive: true }));
  const path = join(folder, key);
  await writeFile(path, file);
  return { key, path };
}

export const match = (photos: MatchPhoto[], image: Buffer, photosShow: PhotoSubject = 'one-product') =>
  matchProduct(photos, photosShow, (photo) => matchPhoto(photo, image));
