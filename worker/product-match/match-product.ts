import type { GenerationView, PhotoSubject } from '#contract';

export type ProductMatch = NonNullable<GenerationView['match']>;

/** The match with one photo: which one it is, only `matchProduct` knows. */
export interface PhotoMatch extends Omit<ProductMatch, 'crops'> {
  crops: Omit<NonNullable<ProductMatch['crops']>, 'photo'> | null;
}

const order = { low: 0, unknown: 1, medium: 2, high: 3 } as const satisfies Record<
  ProductMatch['level'],
  number
>;

/** A photo: what it is remembered by, and its file. */
export interface MatchPhoto {
  key: string;
  path: string;
}

/**
 * Whether an image shows the products of its photos. With one product in several photos the best match counts, because the
 * image shows it from one side; a photo that cannot tell counts only if none can. With several products the worst counts.
 * @param matchPhoto compares the image with one photo; null if no product stands out in it
 * @returns null if no photo has a product that stands out
 */
export async function matchProduct<Photo>(
  photos: readonly Photo[],
  photosShow: PhotoSubject,
  matchPhoto: (photo: Photo) => Promise<PhotoMatch | null>,
): Promise<ProductMatch | null> {
  const matches: ProductMatch[] = [];
  for (const [index, photo] of photos.entries()) {
    const match = await matchPhoto(photo);
    if (match === null) continue;
    matches.push({ ...match, crops: match.crops && { photo: index, ...match.crops } });
    if (photosShow === 'one-product' && match.level === 'high') break;
  }
  const sorted = matches.toSorted((one, other) => order[one.level] - order[other.level]);
  if (photosShow !== 'one-product') return sorted[0] ?? null;
  return sorted.findLast(({ level }) => level !== 'unknown') ?? sorted[0] ?? null;
}
