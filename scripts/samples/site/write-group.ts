/** Writes the files of a group of pictures, and the list of them. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { isScene, type Picture, type PictureGroup } from './picture.ts';
import type { PictureSources } from './picture-sources.ts';

/** Chosen by looking: at these qualities the grain of the renderer goes, and labels stay readable. More effort saves 4 % at four times the time. */
const avif = { quality: 52, effort: 2 };
const webp = { quality: 72, effort: 5 };

/** Options of `writeGroup`. */
export interface WriteOptions {
  /** The folder of all groups. */
  root: string;
  sources: PictureSources;
  /** Only pictures for which this is true are made again; the others keep their files. */
  isWanted: (path: string) => boolean;
  onProgress: (line: string) => void;
}

/** Makes the pictures of a group, removes files that belong to none, and writes `pictures.json`. */
export async function writeGroup(group: PictureGroup, options: WriteOptions): Promise<void> {
  const folder = join(options.root, group.folder);
  await mkdir(folder, { recursive: true });
  for (const picture of group.pictures) {
    const path = `${group.folder}/${picture.name}`;
    if (options.isWanted(path)) await writePicture(folder, path, group, picture, options);
  }
  const names = new Set(group.pictures.map(({ name }) => name));
  for (const file of await readdir(folder)) {
    const parts = pictureFile.exec(file);
    if (parts !== null && !names.has(parts[1]!)) await rm(join(folder, file));
  }
  await writeFile(join(folder, 'pictures.json'), await describeGroup(folder, group));
}

const pictureFile = /^(.+)-(\d+)\.(avif|webp)$/;

async function writePicture(
  folder: string,
  path: string,
  group: PictureGroup,
  picture: Picture,
  { sources, onProgress }: WriteOptions,
): Promise<void> {
  const full = await sources.make(picture.source);
  const { width: fullWidth } = await sharp(full).metadata();
  const widths = picture.widths ?? group.widths;
  if (widths.some((width) => width > fullWidth)) throw new Error(`${path} is only ${fullWidth} pixels wide`);
  for (const file of await readdir(folder)) {
    if (pictureFile.exec(file)?.[1] === picture.name) await rm(join(folder, file));
  }
  const sizes: string[] = [];
  for (const width of widths) {
    const pixels = await sharp(full).resize({ width }).removeAlpha().png().toBuffer();
    const [small, large] = [
      await sharp(pixels).avif(avif).toBuffer(),
      await sharp(pixels).webp(webp).toBuffer(),
    ];
    await writeFile(join(folder, `${picture.name}-${width}.avif`), small);
    await writeFile(join(folder, `${picture.name}-${width}.webp`), large);
    sizes.push(`${width}: ${kilobytes(small)} / ${kilobytes(large)}`);
  }
  onProgress(`${path}  ${sizes.join(', ')} kB`);
}

function kilobytes(bytes: Buffer): string {
  return (bytes.length / 1000).toFixed(1);
}

/** The content of `pictures.json`, by the files that are there. */
async function describeGroup(folder: string, group: PictureGroup): Promise<string> {
  const files = await readdir(folder);
  const entries: [string, object][] = [];
  for (const { name, alt, source } of group.pictures) {
    const widths = files
      .map((file) => pictureFile.exec(file))
      .filter((parts) => parts?.[1] === name)
      .map((parts) => Number(parts![2]));
    if (widths.length === 0) throw new Error(`${group.folder}/${name} has no files yet; make it too`);
    const { width, height } = await sharp(join(folder, `${name}-${Math.max(...widths)}.webp`)).metadata();
    entries.push([name, { alt, width, height, ...(isScene(source) ? { scene: source.scene } : {}) }]);
  }
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}
