import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { newFolder } from '#tests/support/new-folder.ts';
import { rootFolder } from './root-folder.ts';
import { sharp } from './sharp.ts';

/** Prints the format of each file, by its name and by its bytes; `refused` where it cannot be opened. */
const reader = `
  import { readFile } from 'node:fs/promises';
  const { sharp } = await import(process.argv[1]);
  for (const path of process.argv.slice(2)) {
    for (const input of [path, await readFile(path)]) {
      console.log(await sharp(input).metadata().then(({ format }) => format, () => 'refused'));
    }
  }`;

test('the product opens the formats of photos and images, and no other', async () => {
  const folder = await newFolder();
  const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#123' } });
  const files: Record<string, Buffer> = {
    svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'),
    csv: Buffer.from('1,2\n3,4\n'),
    mat: Buffer.from('2 2\n1 2\n3 4\n'),
  };
  for (const format of ['jpeg', 'png', 'webp', 'tiff', 'avif', 'gif'] as const)
    files[format] = await picture.clone().toFormat(format).toBuffer();
  await picture.clone().toFile(join(folder, 'a.v'));
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, `a.${name}`), bytes);
  const names = ['jpeg', 'png', 'webp', 'tiff', 'avif', 'gif', 'svg', 'csv', 'mat', 'v'];
  const paths = names.map((name) => join(folder, `a.${name}`));
  // In a process of its own: the tests of this one draw SVG.
  const url = pathToFileURL(join(rootFolder, 'shared/platform/sharp.ts')).href;
  const args = ['--input-type=module', '--eval', reader, url, ...paths];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const twice = (format: string) => [format, format];
  expect(stdout.trim().split('\n')).toEqual(
    ['jpeg', 'png', 'webp', 'tiff', 'heif', ...Array(5).fill('refused')].flatMap(twice),
  );
});
