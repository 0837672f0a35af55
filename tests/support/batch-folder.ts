/** A table of products and their photos, as a seller chooses them for a batch. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { colouredPhoto } from './photos.ts';

/**
 * Makes a folder with a table of at most 12 products, `autumn.csv`, and their photos, `photos/product-1.png` and so on. The
 * first product has two takes, and the last one names a photo that is not there. It is removed after the test.
 * @returns its path
 */
export async function batchFolder(products: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'packshot-batch-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const numbers = Array.from({ length: products }, (_, index) => index + 1);
  const rows = numbers.map((number) => {
    const photo = number === products ? `Product ${number + 1}.PNG` : `PRODUCT-${number}`;
    return `P-${number};Product ${number};${photo};"On oak;\nin the sun";${number === 1 ? 2 : ''}`;
  });
  await mkdir(join(folder, 'photos'));
  await writeFile(join(folder, 'autumn.csv'), `\ufeffSKU;Name;Photos;Scene;Takes\r\n${rows.join('\r\n')}`);
  for (const number of numbers) {
    const colour = `#${(number * 20).toString(16).padStart(2, '0')}40c0`;
    await writeFile(join(folder, 'photos', `product-${number}.png`), await colouredPhoto(colour));
  }
  return folder;
}
