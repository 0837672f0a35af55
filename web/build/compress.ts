import { glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Other formats, such as WebP and WOFF2, are compressed already. */
const compressible = '**/*.{css,html,js,json,svg,txt,webmanifest,xml}';

/** Below this size in bytes compressing saves next to nothing. A page of the studio loads fifty files of less than 1 kB. */
const smallestBytes = 200;

/** Writes a `.br` and a `.gz` next to every file of a folder that becomes smaller by it. */
export async function compressFiles(folder: string): Promise<void> {
  const files: Promise<void>[] = [];
  for await (const file of glob(compressible, { cwd: folder })) files.push(compressFile(join(folder, file)));
  await Promise.all(files);
}

async function compressFile(file: string): Promise<void> {
  const content = await readFile(file);
  if (content.length < smallestBytes) return;
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  await Promise.all([
    brotli(content, { params }).then((result) => writeFile(`${file}.br`, result)),
    zip(content, { level: 9 }).then((result) => writeFile(`${file}.gz`, result)),
  ]);
}
