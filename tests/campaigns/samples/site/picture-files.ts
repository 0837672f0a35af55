/** Writes the files of pictures in each width and format, and the list of a folder's pictures. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

/**
 * Chosen by looking: at these qualities the grain of the renderer goes, and labels stay readable. Four times the time
 * would save 4 %.
 */
const avif = { quality: 52, effort: 2 };
const webp = { quality: 72, effort: 5 };

/** What the list says about a picture besides its size. */
export interface ListedPicture {
  name: string;
  alt: string;
  scene?: string | undefined;
}

const pictureFile = /^(.+)-(\d+)\.(avif|webp)$/;

/**
 * Writes `<name>-<width>.avif` and `.webp`, and removes the picture's other files.
 * @param full the encoded picture
 * @param widths in pixels
 * @returns the sizes of the files as text
 * @throws Error when the picture is narrower than a width
 */
export async function writeFiles(
  folder: string,
  name: string,
  full: Buffer,
  widths: readonly number[],
): Promise<string> {
  const { width: fullWidth } = await sharp(full).metadata();
  if (widths.some((width) => width > fullWidth)) throw new Error(`${name} is only ${fullWidth} pixels wide`);
  await mkdir(folder, { recursive: true });
  await removeFiles(folder, (picture) => picture === name);
  const sizes: string[] = [];
  for (const width of widths) {
    const pixels = await sharp(full).resize({ width }).removeAlpha().png().toBuffer();
    const files = {
      avif: await sharp(pixels).avif(avif).toBuffer(),
      webp: await sharp(pixels).webp(webp).toBuffer(),
    };
    for (const [format, bytes] of Object.entries(files)) {
      await writeFile(join(folder, `${name}-${width}.${format}`), bytes);
    }
    sizes.push(`${width}: ${kilobytes(files.avif)} / ${kilobytes(files.webp)}`);
  }
  return `${sizes.join(', ')} kB`;
}

function kilobytes(bytes: Buffer): string {
  return (bytes.length / 1000).toFixed(1);
}

/** Writes `pictures.json`, with the size of the largest file of each picture, and removes files that belong to none. */
export async function writeList(folder: string, pictures: readonly ListedPicture[]): Promise<void> {
  const names = new Set(pictures.map(({ name }) => name));
  await removeFiles(folder, (name) => !names.has(name));
  const files = (await readdir(folder)).map((file) => pictureFile.exec(file));
  const entries: [string, object][] = [];
  for (const { name, alt, scene } of pictures) {
    const widths = files.filter((parts) => parts?.[1] === name).map((parts) => Number(parts![2]));
    if (widths.length === 0) throw new Error(`${name} has no files yet; make it too`);
    const { width, height } = await sharp(join(folder, `${name}-${Math.max(...widths)}.webp`)).metadata();
    entries.push([name, { alt, width, height, scene }]);
  }
  await writeFile(join(folder, 'pictures.json'), `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
}

async function removeFiles(folder: string, isUnwanted: (name: string) => boolean): Promise<void> {
  for (const file of await readdir(folder)) {
    const parts = pictureFile.exec(file);
    if (parts !== null && isUnwanted(parts[1]!)) await rm(join(folder, file));
  }
}
