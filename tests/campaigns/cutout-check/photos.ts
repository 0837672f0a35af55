/** The photos that the campaign cuts, in two halves by product. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { createRandom } from '#tests/support/random.ts';

/** A photo of a product. */
export interface Photo {
  name: string;
  bytes: Buffer;
  /** White where the product is; null if that is not known. */
  mask: Buffer | null;
}

/** Thresholds are chosen on the first half and reported on the second. */
export type Half = 'development' | 'report';

const ownFolder = join(rootFolder, 'scripts', 'local', 'photos');

/** The photos of the project. */
export const ownPhotos = (): Photo[] => photosOf(ownFolder);

/** The photos of a folder; those with a mask have it in `masks`. */
export function photosOf(folder: string): Photo[] {
  return readdirSync(folder)
    .filter((file) => /\.(jpe?g|png|webp)$/i.test(file))
    .toSorted()
    .map((file) => {
      const name = file.replace(/\.\w+$/, '');
      const mask = join(folder, 'masks', `${name}.png`);
      return {
        name,
        bytes: readFileSync(join(folder, file)),
        mask: existsSync(mask) ? readFileSync(mask) : null,
      };
    });
}

/** Which half the photos of a product belong to. The views of one product differ by the number at the end of their names. */
export function halves(names: readonly string[], seed: number): ReadonlyMap<string, Half> {
  const random = createRandom(seed);
  const products = [...new Set(names.map(productOf))].toSorted();
  // Fisher–Yates.
  for (let last = products.length - 1; last > 0; last -= 1) {
    const other = random.below(last + 1);
    [products[last], products[other]] = [products[other]!, products[last]!];
  }
  const half = Math.ceil(products.length / 2);
  return new Map(
    names.map((name) => [name, products.indexOf(productOf(name)) < half ? 'development' : 'report']),
  );
}

const productOf = (name: string) => name.replace(/-\d+$/, '');
