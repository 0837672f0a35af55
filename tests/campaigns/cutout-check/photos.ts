/** The photos that the campaign cuts, in two halves by product. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootFolder } from '#shared/platform/root-folder.ts';

/** A photo of a product. */
export interface Photo {
  name: string;
  bytes: Buffer;
  /** White where the product is; null if that is not known. */
  mask: Buffer | null;
}

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
