/** `npm run campaign -- samples sheet`: renders the sample photos in eight scenes, side by side for the eye (docs/renderer.md). */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import sharp, { type OverlayOptions } from 'sharp';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { startRenderer } from '#tests/campaigns/support/render.ts';
import { median, ms } from '#tests/support/statistics.ts';
import { templateScenes } from './site/groups/templates.ts';
import { samplePhotoFile, samplePhotos } from './site/sample-photos.ts';

/** The product's four templates, each with a typical description, and four free descriptions. */
const scenes = [
  ...templateScenes.map(({ scene }) => scene),
  'on a beach at sunset',
  'on white marble in a bright kitchen',
  'on pink paper, hard shadow',
  'flat lay on linen, top view',
];

/** In pixels. */
const [pictureSide, photoSide, gap, headingHeight, captionHeight] = [320, 200, 12, 96, 24];
const columnAt = (column: number) => photoSide + 2 * gap + column * (pictureSide + gap);
const rowAt = (row: number) => headingHeight + 2 * gap + row * (pictureSide + captionHeight + gap);

/** Writes `samples/sheet.jpg`: a row for each photo, a column for each scene, and the time under each picture. */
export async function makeSheet(): Promise<void> {
  const names = readdirSync(samplePhotos).filter((name) => extname(name) === '.jpg');
  const files = [samplePhotoFile('coffee-cup'), ...names.sort().map((name) => join(samplePhotos, name))];
  const layers: OverlayOptions[] = [];
  const times: number[] = [];
  const renderer = startRenderer();
  try {
    // So that loading the model does not count towards the first picture.
    await Promise.allSettled([renderer.render([readFileSync(files[0]!)], scenes[0]!)]);
    for (const [column, scene] of scenes.entries()) {
      layers.push({ input: await textImage(scene, headingHeight), left: columnAt(column), top: gap });
    }
    for (const [row, file] of files.entries()) {
      const [photo, top] = [readFileSync(file), rowAt(row)];
      const name = basename(file, extname(file));
      layers.push({ input: await textImage(name, captionHeight), left: gap, top });
      layers.push({ input: await scaled(photo, photoSide), left: gap, top: top + captionHeight });
      for (const [column, scene] of scenes.entries()) {
        const left = columnAt(column);
        const began = performance.now();
        // The reason why a photo cannot be cut out stands in its place.
        const image = await renderer.render([photo], scene).catch((error: Error) => error.message);
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
    }
  } finally {
    await renderer.close();
  }
  const folder = join(rootFolder, 'samples');
  mkdirSync(folder, { recursive: true });
  const size = { width: columnAt(scenes.length), height: rowAt(files.length) };
  await sharp({ create: { ...size, channels: 3, background: '#f4f4f4' } })
    .composite(layers)
    .jpeg({ quality: 88, chromaSubsampling: '4:4:4' })
    .toFile(join(folder, 'sheet.jpg'));
  const all = files.length * scenes.length;
  console.log(`samples/sheet.jpg: ${times.length} of ${all} rendered, median ${ms(median(times))}`);
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
