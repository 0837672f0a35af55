/** `npm run samples`: renders many photos in many scenes with the local renderer, for visual comparison. */
import { writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { limits } from '#contract';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { invocationFolder } from './npm.ts';
import { findPhotos } from './samples/photos.ts';
import { renderSamples } from './samples/render.ts';
import { sampleScenes } from './samples/scenes.ts';
import { drawSheet } from './samples/sheet.ts';

const usage = `Usage: npm run samples -- [--sheet] [FOLDER]
  FOLDER            folder of photos; default: scripts/local/photos and the coffee cup in scripts/sample
  --sheet           also one JPEG with all images side by side and the time of each
  --scene TEXT      a scene instead of the eight default ones; can be repeated
  --only TEXT       only photos whose name contains this
  --size WxH        size of each image in pixels; default ${limits.outputWidth}x${limits.outputHeight}
  --out DIR         output folder; default samples/ in the checkout`;

function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      sheet: { type: 'boolean', default: false },
      scene: { type: 'string', multiple: true, default: [...sampleScenes] },
      only: { type: 'string', default: '' },
      size: { type: 'string', default: `${limits.outputWidth}x${limits.outputHeight}` },
      out: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
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
    sheet: values.sheet,
  };
}

try {
  const options = readOptions();
  const { scenes, width, height, folder, sheet } = options;
  const rows = await renderSamples({ ...options, onProgress: (line) => console.log(line) });
  if (sheet) {
    const file = join(folder, 'sheet.jpg');
    await writeFile(file, await drawSheet(scenes, rows, height / width));
    console.log(`\nSheet: ${relative(invocationFolder(), file)}`);
  }
  const cells = rows.flatMap((row) => row.cells);
  const times = cells.flatMap((cell) => (cell.kind === 'picture' ? [cell.milliseconds] : []));
  const median = times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
  const medianText = median === undefined ? '' : `, median ${Math.round(median)} ms`;
  console.log(`${times.length} rendered${medianText}, ${cells.length - times.length} failed`);
} catch (error) {
  console.error(`samples: ${(error as Error).message}`);
  if ((error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')) console.error(usage);
  process.exitCode = 1;
}
