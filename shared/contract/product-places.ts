/** What a product is known by. */
interface NumberedProduct {
  asin?: string | undefined;
  sku: string;
}

/**
 * Counts the images of each product in one request, for names of files.
 * @returns a function that gives the place of the next image of a product, from 1. Products with the same ASIN, or else the same
 *   SKU, are one; `other` tells those from others that have neither
 */
export function createPlaces(): (product: NumberedProduct, other: string) => number {
  const places = new Map<string, number>();
  return ({ asin, sku }, other) => {
    const number = asin || sku || other;
    const place = (places.get(number) ?? 0) + 1;
    places.set(number, place);
    return place;
  };
}
