import { readFile } from 'node:fs/promises';
import { isFound, judge } from './judge.ts';
import type { MatchPhoto, ProductMatch } from './match-product.ts';
import { type Measurement, measure } from './measure.ts';
import { findProduct, type ProductPhoto } from './product-photo.ts';

/**
 * Products of the photos that were used last: those whose images are being made, and of sets, whose takes have the same
 * photos. Each takes half a megabyte.
 */
const recent = new Map<string, Promise<ProductPhoto | null>>();
const mostRecent = 32;

/** Whether an image shows the product of a photo. @returns null if no product stands out in the photo */
export async function matchPhoto(photo: MatchPhoto, image: Buffer): Promise<ProductMatch | null> {
  const product = await findProductOf(photo);
  if (product === null) return null;
  const measured = await measure(product, image);
  return { level: judge(measured), area: areaOf(measured) };
}

/** Finds the product of a photo, unless that was done lately. @returns null if none stands out */
export function findProductOf({ key, path }: MatchPhoto): Promise<ProductPhoto | null> {
  const product = recent.get(key) ?? readFile(path).then(findProduct);
  recent.delete(key);
  recent.set(key, product);
  // One that could not be found is tried again.
  product.catch(() => recent.delete(key));
  const [oldest] = recent.keys();
  if (recent.size > mostRecent && oldest !== undefined) recent.delete(oldest);
  return product;
}

const withinImage = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 1_000) / 1_000;

function areaOf(measured: Measurement): ProductMatch['area'] {
  if (!measured.found || !isFound(measured)) return null;
  return measured.found.corners.map(({ x, y }) => ({ x: withinImage(x), y: withinImage(y) }));
}
