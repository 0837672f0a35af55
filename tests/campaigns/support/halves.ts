/** Splits photos into a half to develop with and a half to report on, by product: views of one product stay together. */
import { createRandom } from '#tests/support/random.ts';

/** Which photos of a folder are meant. */
export type Half = 'all' | 'development' | 'report';

/**
 * The photos of a half, in order.
 * @param names such as `mug-1` and `mug-2`, which are two views of one product
 * @param seed another seed gives other halves
 */
export function halfOf(names: readonly string[], half: Half, seed: number): string[] {
  const productOf = (name: string) => name.replace(/-\d+$/, '');
  const products = [...new Set(names.map(productOf))].toSorted();
  const { below } = createRandom(seed);
  for (let last = products.length - 1; last > 0; last -= 1) {
    const other = below(last + 1);
    [products[last], products[other]] = [products[other]!, products[last]!];
  }
  const development = new Set(products.slice(0, Math.ceil(products.length / 2)));
  return names
    .filter((name) => half === 'all' || development.has(productOf(name)) === (half === 'development'))
    .toSorted();
}
