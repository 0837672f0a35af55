/** Draws the cards that other sites show beside a link to Packshot. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type OverlayOptions } from 'sharp';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { landing } from './groups/landing.ts';
import type { Picture } from './picture.ts';
import type { PictureSources } from './picture-sources.ts';

/** The size that Open Graph consumers expect, in pixels. */
const width = 1200;
const height = 630;
const page = '#f6f3ee';
const ink = '#221d17';

/** The card of every page without one of its own: four images of the landing page. */
const defaultImages = ['mug-terrazzo', 'vase-golden-hour', 'soap-pastel', 'candle-snow'];
/** The card of guides and blog posts: one image. */
const guideImage = 'bottle-marble';

/**
 * Draws both cards.
 * @param folder gets `default.jpg` and `guides.jpg`
 */
export async function writeOpenGraphCards(folder: string, sources: PictureSources): Promise<void> {
  await mkdir(folder, { recursive: true });
  const brand = await drawBrand();
  const side = height / 2;
  const grid = await Promise.all(
    defaultImages.map(async (name, index) => ({
      input: await squareImage(sources, name, side),
      left: width - 2 * side + (index % 2) * side,
      top: Math.floor(index / 2) * side,
    })),
  );
  await drawCard(join(folder, 'default.jpg'), [...grid, ...brand]);
  const image = await squareImage(sources, guideImage, height);
  await drawCard(join(folder, 'guides.jpg'), [{ input: image, left: width - height, top: 0 }, ...brand]);
}

async function drawCard(file: string, layers: OverlayOptions[]): Promise<void> {
  const card = sharp({ create: { width, height, channels: 3, background: page } }).composite(layers);
  await writeFile(
    file,
    await card.jpeg({ quality: 84, chromaSubsampling: '4:4:4', mozjpeg: true }).toBuffer(),
  );
}

async function squareImage(sources: PictureSources, name: string, side: number): Promise<Buffer> {
  const picture = landing.pictures.find((candidate): candidate is Picture => candidate.name === name);
  if (picture === undefined) throw new Error(`the landing page has no picture ${name}`);
  return sharp(await sources.make(picture.source))
    .resize(side, side)
    .png()
    .toBuffer();
}

/** The logo, the name and what Packshot makes. The words are outlines, so that no font has to be installed. */
async function drawBrand(): Promise<OverlayOptions[]> {
  const logo = await readFile(join(rootFolder, 'web', 'public', 'favicon.svg'));
  const words = await readFile(join(import.meta.dirname, 'wordmark.svg'), 'utf8');
  const coloured = words.replace('<svg ', `<svg fill="${ink}" `);
  return [
    { input: await sharp(logo, { density: 288 }).resize(104, 104).png().toBuffer(), left: 72, top: 128 },
    { input: await sharp(Buffer.from(coloured)).png().toBuffer(), left: 72, top: 262 },
  ];
}
