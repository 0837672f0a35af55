import type { GenerationView, PhotoSubject } from '#contract';
import { judge, type MatchLevel } from './judge.ts';
import { type Measurement, measure } from './measure.ts';
import { findProduct, type ProductPhoto } from './product-photo.ts';

export type ProductMatch = NonNullable<GenerationView['match']>;

const order = { low: 0, medium: 1, high: 2 } as const satisfies Record<MatchLevel, number>;

/**
 * Products of the photos that were used last: those whose images are being made, and of sets, whose takes have the same
 * photos. Each takes half a megabyte.
 */
const recent = new Map<string, Promise<ProductPhoto | null>>();
const mostRecent = 32;

/** A photo, and what it is remembered by. */
export interface MatchPhoto {
  key: string;
  file: Buffer;
}

/**
 * Whether an image shows the products of its photos. With one product in several photos the best match counts, because the
 * image shows it from one side; with several products the worst.
 * @returns null if no photo has a product that stands out
 */
export async function matchProduct(
  photos: readonly MatchPhoto[],
  image: Buffer,
  photosShow: PhotoSubject,
): Promise<ProductMatch | null> {
  const matches: ProductMatch[] = [];
  for (const photo of photos) {
    const product = await productOf(photo);
    if (product === null) continue;
    const measured = await measure(product, image);
    matches.push({ level: judge(measured), area: areaOf(measured) });
    if (photosShow === 'one-product' && matches.at(-1)!.level === 'high') break;
  }
  const sorted = matches.toSorted((one, other) => order[one.level] - order[other.level]);
  return (photosShow === 'one-product' ? sorted.at(-1) : sorted[0]) ?? null;
}

/** Finds the products of photos before their image is there. */
export async function findProducts(photos: readonly MatchPhoto[]): Promise<void> {
  for (const photo of photos) await productOf(photo);
}

function productOf({ key, file }: MatchPhoto): Promise<ProductPhoto | null> {
  const product = recent.get(key) ?? findProduct(file);
  recent.delete(key);
  recent.set(key, product);
  const [oldest] = recent.keys();
  if (recent.size > mostRecent && oldest !== undefined) recent.delete(oldest);
  return product;
}

const withinImage = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 1_000) / 1_000;

function areaOf({ found }: Measurement): ProductMatch['area'] {
  return found?.corners.map(({ x, y }) => ({ x: withinImage(x), y: withinImage(y) })) ?? null;
}
