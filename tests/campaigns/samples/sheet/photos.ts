/** Finds the photos for the samples. */
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { photoTypes } from '#contract';
import { rootFolder } from '#shared/platform/root-folder.ts';

/** A photo: its path, and its file name without the extension. */
export interface SamplePhoto {
  file: string;
  name: string;
}

const coffeeCup = join(rootFolder, 'tests', 'support', 'sample', 'coffee-cup.png');
const standInPhotos = join(rootFolder, 'scripts', 'local', 'photos');

/**
 * Finds the photos to render, by name.
 * @param folder render every photo in this folder; default: the sample photos of the repository
 * @param part only photos whose name contains this text
 * @throws Error with a one-line message when the folder or a matching photo is missing
 */
export function findPhotos(folder: string | undefined, part: string): SamplePhoto[] {
  const files = folder === undefined ? [coffeeCup, ...photosIn(standInPhotos)] : photosIn(folder);
  const photos = files
    .map((file) => ({ file, name: basename(file, extname(file)) }))
    .filter(({ name }) => name.includes(part));
  if (photos.length === 0) {
    const which = part === '' ? 'no photo' : `no photo named like “${part}”`;
    throw new Error(`there is ${which} in ${folder ?? `${standInPhotos} or ${dirname(coffeeCup)}`}`);
  }
  return photos;
}

function photosIn(folder: string): string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new Error(`there is no folder ${folder}`);
  }
  const extensions = new Set(Object.values(photoTypes).flat());
  return readdirSync(folder)
    .filter((name) => extensions.has(extname(name).toLowerCase()))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((name) => join(folder, name));
}
