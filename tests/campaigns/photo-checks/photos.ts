/** The photographs that are degraded, split by product into a development half and a report half. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { refuse } from '#scripts/command-line.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { createRandom, type Random } from '#tests/campaigns/bench/cutout/backgrounds.ts';

export type Half = 'development' | 'report';

interface Photograph {
  name: string;
  path: string;
  half: Half;
}

/** Photographs that a person calls blurry as they are: they are no example of a good photo. */
const blurryItself: readonly string[] = ['grocery-god-morgon-orange-juice-2.jpg'];

/** The sample photos of this repository. */
export const sampleFolder = join(rootFolder, 'scripts/local/photos');

/** Photographs of a folder. Those of one product, told apart by a number at the end of the name, are in the same half. */
export function photographsOf(folder: string, seed: number): Photograph[] {
  if (!existsSync(folder))
    refuse('photo-checks', `there is no folder ${folder}; name one with photographs by --photos`);
  const files = readdirSync(folder).filter(
    (name) => /\.(jpe?g|png)$/i.test(name) && !blurryItself.includes(name),
  );
  const halves = halvesOf([...new Set(files.map(productOf))], createRandom(seed));
  return files
    .toSorted()
    .map((name) => ({ name, path: join(folder, name), half: halves.get(productOf(name))! }));
}

/** Names of clothes are of one kind, not of one product, so each photo of them is a product of its own. */
const productOf = (name: string) => (name.startsWith('clothes-') ? name : name.replace(/-\d+\.\w+$/, ''));

/** Half of the products of each family, the first word of a name with a dash, are for development. */
function halvesOf(products: readonly string[], random: Random): Map<string, Half> {
  const halves = new Map<string, Half>();
  const families = Map.groupBy(
    products.toSorted(),
    (product) => /^(clothes|grocery)/.exec(product)?.[0] ?? 'other',
  );
  for (const family of families.values()) {
    const shuffled = family
      .map((product) => ({ product, order: random() }))
      .toSorted((first, second) => first.order - second.order);
    shuffled.forEach(({ product }, index) => {
      halves.set(product, index % 2 === 0 ? 'development' : 'report');
    });
  }
  return halves;
}
