/** A price in US dollars: `$50`. @param cents whole dollars */
export function formatPrice(cents: number): string {
  return `$${cents / 100}`;
}
