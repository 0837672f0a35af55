/**
 * `npm run campaign -- samples sheet`: renders the sample photos in eight scenes, or the photos of a folder in the four
 * templates, side by side for the eye (docs/renderer.md).
 */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import sharp, { type OverlayOptions } from 'sharp';
import { refuse } from '#scripts/command-line.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { type Half, halfOf } from '#tests/campaigns/support/halves.ts';
import { type SampleRenderer, startRenderer } from '#tests/campaigns/support/render.ts';
import { median, ms } from '#tests/support/statistics.ts';
import { templateScenes } from './site/groups/templates.ts';
import { samplePhotoFile, samplePhotos } from './site/sample-photos.ts';

/** What to render, and where to. */
interface SheetOptions {
  /** Undefined: the sample photos. */
  photos?: string | undefined;
  half: Half;
  seed: number;
  only: string;
  /** Photos on a page. */
  rows: number;
  out: string;
}

/** The product's four templates, each with a typical description. */
const typical = templateScenes.map(({ scene }) => scene);
/** Those, and four free descriptions. */
const eight = [
  ...typical,
  'on a beach at sunset',
  'on white marble in a bright kitchen',
  'on pink paper, hard shadow',
  'flat lay on linen, top view',
];

/** In pixels. */
const [pictureSide, photoSide, gap, headingHeight, captionHeight] = [320, 200, 12, 96, 24];
const columnAt = (column: number) => photoSide + 2 * gap + column * (pictureSide + gap);
const rowAt = (row: number) => headingHeight + 2 * gap + row * (pictureSide + captionHeight + gap);

/** Writes the pages: a row for each photo, a column for each scene, and the time under each picture. */
export async function makeSheet(options: SheetOptions): Promise<void> {
  const { photos, rows } = options;
  const scenes = photos === undefined ? eight : typical;
  const files = photos === undefined ? sampleFiles() : photosOf(photos, options);
  const folder = resolve(rootFolder, options.out);
  mkdirSync(folder, { recursive: true });
  const times: number[] = [];
  const renderer = startRenderer();
  try {
    // So that loading the model does not count towards the first picture.
    await Promise.allSettled([renderer.render([readFileSync(files[0]!)], scenes[0]!)]);
    for (let first = 0; first < files.length; first += rows) {
      const page = files.length > rows ? `sheet-${first / rows + 1}.jpg` : 'sheet.jpg';
      const layers: OverlayOptions[] = [];
      for (const [column, scene] of scenes.entries()) {
        layers.push({ input: await textImage(scene, headingHeight), left: columnAt(column), top: gap });
      }
      const shown = files.slice(first, first + rows);
      for (const [row, file] of shown.entries()) {
        // The sample photos get the take that their photo and description choose.
        const number = (first + row) * scenes.length;
        const seed = photos === undefined ? undefined : options.seed + number;
        layers.push(...(await renderRow(renderer, { file, scenes, row, seed, times })));
      }
      const size = { width: columnAt(scenes.length), height: rowAt(shown.length) };
      await sharp({ create: { ...size, channels: 3, background: '#f4f4f4' } })
        .composite(layers)
        .jpeg({ quality: 88, chromaSubsampling: '4:4:4' })
        .toFile(join(folder, page));
      console.log(join(folder, page));
    }
  } finally {
    await renderer.close();
  }
  const all = files.length * scenes.length;
  console.log(
    `${times.length} of ${all} rendered, ${all - times.length} refused, median ${ms(median(times))}`,
  );
}

function sampleFiles(): string[] {
  const names = readdirSync(samplePhotos).filter((name) => extname(name) === '.jpg');
  return [samplePhotoFile('coffee-cup'), ...names.sort().map((name) => join(samplePhotos, name))];
}

function photosOf(photos: string, { half, seed, only }: SheetOptions): string[] {
  const folder = resolve(rootFolder, photos);
  if (!existsSync(folder)) refuse('samples', `there is no folder ${folder}`);
  const files = new Map(
    readdirSync(folder)
      .filter((name) => /\.(jpe?g|png|webp)$/i.test(name))
      .map((name) => [basename(name, extname(name)), join(folder, name)]),
  );
  const names = halfOf([...files.keys()], half, seed).filter((name) => name.includes(only));
  console.log(`${names.length} photos of ${folder}, half: ${half}, seed ${seed}`);
  if (names.length === 0) refuse('samples', 'no photo is left');
  return names.map((name) => files.get(name)!);
}

/** One photo, and its picture in each scene. */
interface SheetRow {
  file: string;
  scenes: readonly string[];
  /** Its place on the page. */
  row: number;
  /** Of the first picture; the next ones have the numbers after it. */
  seed: number | undefined;
  /** Receives how long each picture took. */
  times: number[];
}

async function renderRow(
  renderer: SampleRenderer,
  { file, scenes, row, seed, times }: SheetRow,
): Promise<OverlayOptions[]> {
  const [photo, top] = [readFileSync(file), rowAt(row)];
  const name = basename(file, extname(file));
  const layers: OverlayOptions[] = [
    { input: await textImage(name, captionHeight), left: gap, top },
    { input: await scaled(photo, photoSide), left: gap, top: top + captionHeight },
  ];
  for (const [column, scene] of scenes.entries()) {
    const left = columnAt(column);
    const began = performance.now();
    const details = seed === undefined ? {} : { seed: seed + column };
    // The reason why a photo cannot be cut out stands in its place.
    const image = await renderer.render([photo], scene, details).catch((error: Error) => error.message);
    const took = performance.now() - began;
    console.log(`${name}, ${scene}: ${typeof image === 'string' ? image : ms(took)}`);
    if (typeof image === 'string') {
      layers.push({ input: await textImage(image, pictureSide), left, top });
      continue;
    }
    times.push(took);
    layers.push({ input: await scaled(image, pictureSide), left, top });
    layers.push({ input: await textImage(ms(took), captionHeight), left, top: top + pictureSide });
  }
  return layers;
}

const scaled = (image: Buffer, side: number) =>
  sharp(image).rotate().resize(side, side, { fit: 'inside' }).png().toBuffer();

/** Text that wraps at the width of a picture and is cropped at a height. */
async function textImage(words: string, most: number): Promise<Buffer> {
  const escaped = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const text = { text: escaped, font: 'sans 11', dpi: 96, width: pictureSide, rgba: true };
  const drawn = await sharp({ text }).png().toBuffer();
  const { width, height } = await sharp(drawn).metadata();
  return sharp(drawn)
    .extract({ left: 0, top: 0, width: Math.min(width, pictureSide), height: Math.min(height, most) })
    .toBuffer();
}
