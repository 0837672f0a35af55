/** The sample photos of the site's pictures. Their licences are in `scripts/local/photos/LICENSES.md` and `tests/support/sample/README.md`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { rootFolder } from '#shared/platform/root-folder.ts';

/** The folder of the sample photos. */
export const samplePhotos = join(rootFolder, 'scripts', 'local', 'photos');

/**
 * Photos that are used on another background. Something behind these products touches their outline, and a piece of it
 * would remain in the image. They are never shown beside the image made from them.
 */
const replaced = ['headphones-1', 'perfume-1'] as const;

/** A photo that the pictures may use. */
export type SamplePhotoName =
  | (typeof replaced)[number]
  | 'candle-1'
  | 'coffee-cup'
  | 'cushion-1'
  | 'mug-1'
  | 'mug-2'
  | 'notebook-1'
  | 'pump-bottle-1'
  | 'pump-bottle-2'
  | 'pump-bottle-3'
  | 'soap-1'
  | 'tea-tin-1'
  | 'vase-1';

/** The path of a sample photo. */
export function samplePhotoFile(name: SamplePhotoName): string {
  return name === 'coffee-cup'
    ? join(rootFolder, 'tests', 'support', 'sample', 'coffee-cup.png')
    : join(samplePhotos, `${name}.jpg`);
}

/** The photo from which images are made, encoded. */
export async function readSamplePhoto(name: SamplePhotoName): Promise<Buffer> {
  const photo = await readFile(samplePhotoFile(name));
  if (!replaced.some((one) => one === name)) return photo;
  const mask = await sharp(join(samplePhotos, 'masks', `${name}.png`))
    .toColourspace('b-w')
    .toBuffer();
  const product = await sharp(photo).joinChannel(mask).png().toBuffer();
  return sharp(product).flatten({ background: '#8a8178' }).png().toBuffer();
}
