/** `npm run campaign -- samples sheet`: renders many photos in many scenes with the local renderer, for visual comparison. */
import { writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { limits } from '#contract';
import { invocationFolder } from '#scripts/npm.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { findPhotos } from './photos.ts';
import { renderSamples } from './render.ts';
import { sampleScenes } from './scenes.ts';
import { drawSheet } from './sheet.ts';

/** The options, for the usage text. */
export const sheetUsage = `npm run campaign -- samples sheet [FOLDER]
  renders photos in many scenes into samples/, and sheet.jpg with all of them side by side and the time of each
  FOLDER            folder of photos; default: scripts/local/photos and the coffee cup in tests/support/sample
  --scene TEXT      a scene instead of the eight default ones; can be repeated
  --only TEXT       only photos whose name contains this
  --size WxH        size of each image in pixels; default ${limits.outputWidth}x${limits.outputHeight}
  --out DIR         output folder; default samples/ in the checkout`;

function readOptions(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      scene: { type: 'string', multiple: true, default: [...sampleScenes] },
      only: { type: 'string', default: '' },
      size: { type: 'string', default: `${limits.outputWidth}x${limits.outputHeight}` },
      out: { type: 'string' },
    },
  });
  const size = /^([1-9]\d{1,3})x([1-9]\d{1,3})$/.exec(values.size);
  if (size === null) throw new Error('--size takes a width and a height such as 1536x1024');
  if (positionals.length > 1) throw new Error('give one folder at most');
  const [folder] = positionals.map((path) => resolve(invocationFolder(), path));
  return {
    photos: findPhotos(folder, values.only),
    scenes: values.scene,
    width: Number(size[1]),
    height: Number(size[2]),
    folder: values.out === undefined ? join(rootFolder, 'samples') : resolve(invocationFolder(), values.out),
  };
}

/**
 * Renders the photos and draws the sheet.
 * @param args the command's options
 * @throws Error with a one-line message when they are wrong
 */
export async function makeSheet(args: string[]): Promise<void> {
  const options = readOptions(args);
  const { scenes, width, height, folder } = options;
  const rows = await renderSamples({ ...options, onProgress: (line) => console.log(line) });
  const file = join(folder, 'sheet.jpg');
  await writeFile(file, await drawSheet(scenes, rows, height / width));
  console.log(`\nSheet: ${relative(invocationFolder(), file)}`);
  const cells = rows.flatMap((row) => row.cells);
  const times = cells.flatMap((cell) => (cell.kind === 'picture' ? [cell.milliseconds] : []));
  const median = times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
  const medianText = median === undefined ? '' : `, median ${Math.round(median)} ms`;
  console.log(`${times.length} rendered${medianText}, ${cells.length - times.length} failed`);
}
