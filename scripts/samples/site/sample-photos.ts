/** The sample photos of the site's pictures. Their licences are in `scripts/local/photos/LICENSES.md` and `scripts/sample/README.md`. */
import { join } from 'node:path';
import { rootFolder } from '#shared/platform/root-folder.ts';

const names = [
  'candle-1',
  'coffee-cup',
  'cushion-1',
  'headphones-1',
  'mug-1',
  'mug-2',
  'mug-3',
  'notebook-1',
  'pump-bottle-1',
  'pump-bottle-2',
  'pump-bottle-3',
  'soap-1',
  'tea-tin-1',
  'vase-1',
] as const;

/** A photo that the pictures may use. The perfume and the coffee pouch are not among them: their cut-outs keep a piece of the background. */
export type SamplePhotoName = (typeof names)[number];

/** The path of a sample photo. */
export function samplePhotoFile(name: SamplePhotoName): string {
  return name === 'coffee-cup'
    ? join(rootFolder, 'scripts', 'sample', 'coffee-cup.png')
    : join(rootFolder, 'scripts', 'local', 'photos', `${name}.jpg`);
}
