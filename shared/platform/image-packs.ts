import type { ImagePack } from '#contract';

/** The least that Stripe charges, in cents. */
const leastCents = 50;
const mostPacks = 4;

/**
 * Reads the setting IMAGE_PACKS: images and price in dollars of each pack, such as `20:9,50:19.50`.
 * @returns undefined when the text is something else, two packs have as many images, or a larger one costs less
 */
export function readImagePacks(text: string): ImagePack[] | undefined {
  const packs: ImagePack[] = [];
  for (const part of text.split(',')) {
    const match = /^([1-9]\d{0,4}):(\d{1,5})(?:\.(\d\d))?$/.exec(part.trim());
    if (!match) return undefined;
    packs.push({ images: Number(match[1]), priceCents: Number(match[2]) * 100 + Number(match[3] ?? 0) });
  }
  packs.sort((left, right) => left.images - right.images);
  const isRight = packs.every(({ images, priceCents }, index) => {
    const before = packs[index - 1];
    return (
      priceCents >= leastCents && (!before || (images > before.images && priceCents > before.priceCents))
    );
  });
  return isRight && packs.length <= mostPacks ? packs : undefined;
}
