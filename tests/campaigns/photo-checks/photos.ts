/** The photographs that are degraded, split by product into a development half and a report half. */
import { existsSync, readdirSync } from 'node:fs';
import { join, parse } from 'node:path';
import { refuse } from '#scripts/command-line.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { type Half, halfOf } from '#tests/campaigns/support/halves.ts';

interface Photograph {
  name: string;
  path: string;
  half: Exclude<Half, 'all'>;
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
  const nameOf = (file: string) => parse(file).name;
  const development = new Set(halfOf(files.map(nameOf), 'development', seed));
  return files.toSorted().map((name) => ({
    name,
    path: join(folder, name),
    half: development.has(nameOf(name)) ? 'development' : 'report',
  }));
}
