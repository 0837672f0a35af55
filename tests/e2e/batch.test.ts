/** A batch of 12 products, from the table to the ZIP, with a reload in the middle of the upload. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { expect } from 'vitest';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { colouredPhoto } from '#tests/support/photos.ts';
import { openStudio } from '#tests/support/studio-page.ts';

const numbers = Array.from({ length: 12 }, (_, index) => index + 1);

/** A folder with a table of 12 products and their photos. Row 12 names a photo that is not there. */
const test = testWithStackAndBrowser().extend('folder', async ({ task: _ }, { onCleanup }) => {
  const folder = await mkdtemp(join(tmpdir(), 'packshot-batch-'));
  onCleanup(() => rm(folder, { recursive: true }));
  const rows = numbers.map((number) => {
    const photo = number === 12 ? 'Product 13.PNG' : `PRODUCT-${number}`;
    return `P-${number};Product ${number};${photo};"On oak;\nin the sun";${number === 1 ? 2 : ''}`;
  });
  await mkdir(join(folder, 'photos'));
  await writeFile(join(folder, 'autumn.csv'), `\ufeffSKU;Name;Photos;Scene;Takes\r\n${rows.join('\r\n')}`);
  for (const number of numbers) {
    const colour = `#${(number * 20).toString(16).padStart(2, '0')}40c0`;
    await writeFile(join(folder, 'photos', `product-${number}.png`), await colouredPhoto(colour));
  }
  return folder;
});

test('a seller makes the images of 12 products, reloads during the upload, and downloads a ZIP', async ({
  stack,
  openWindow,
  folder,
}) => {
  const { page, problems } = await openWindow();
  await openStudio(stack, page);
  await page.getByRole('link', { name: 'Batches' }).click();
  await page.getByRole('link', { name: 'New batch' }).click();
  const input = (name: string) => page.locator(`input[aria-label="${name}"]`);
  await input('Choose a table').setInputFiles(join(folder, 'autumn.csv'));
  await page.getByText('0 of 12 rows are ready').waitFor();
  await input('Choose a folder').setInputFiles(join(folder, 'photos'));
  await page.getByText('11 of 12 rows are ready').waitFor();

  // What is wrong is said at the cell, and is mended there.
  await page.getByRole('button', { name: 'Show the first that is not ready' }).click();
  await page.getByText('Photo Product 13.PNG is missing.').waitFor();
  expect(await layoutProblems(page, 'the table')).toEqual([]);
  await page.getByRole('button', { name: 'Remove photo Product 13.PNG of row 12' }).click();
  await page.getByRole('button', { name: 'Choose photos of row 12' }).click();
  await page.getByRole('checkbox', { name: 'product-12.png' }).check();
  await page.getByRole('button', { name: 'Use these photos' }).click();
  await page.getByText('12 of 12 rows are ready').waitFor();

  // The window is reloaded when four photos have arrived.
  const sent: string[] = [];
  const arrived: string[] = [];
  await page.route('**/api/batches/*/photos/*', async (route) => {
    sent.push(route.request().url());
    if (sent.length <= 4) await route.continue();
  });
  page.on('requestfinished', (request) => {
    if (request.method() === 'PUT') arrived.push(request.url());
  });
  await page.getByRole('button', { name: 'Make 13 images: 13 of your 100 left' }).click();
  await page.getByRole('button', { name: 'Make 13 images', exact: true }).click();
  await expect.poll(() => [arrived.length, sent.length]).toEqual([4, 7]);
  await page.reload();
  await page.unrouteAll();
  await page.getByText('8 photos are missing.').waitFor();
  await input('Choose a folder').setInputFiles(join(folder, 'photos'));

  await page.getByRole('heading', { name: 'Finished' }).waitFor({ timeout: 60_000 });
  await page.getByText('13 of 13 images done').waitFor();
  // Each photo was uploaded once.
  expect(arrived).toHaveLength(12);
  expect(new Set(arrived).size).toBe(12);
  expect(await layoutProblems(page, 'a finished batch')).toEqual([]);

  await page.getByLabel('File names').fill('{sku} take {n}');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download ZIP' }).click(),
  ]);
  const names = Object.keys(unzipSync(await readFile(await download.path())));
  const expected = ['P-1-take-2.png', ...numbers.map((number) => `P-${number}-take-1.png`)];
  expect(names.toSorted()).toEqual(expected.toSorted());

  await page.getByRole('link', { name: 'Product 1, take 1: Done' }).click();
  await page.getByText('87 of 100 left').first().waitFor();
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
  expect(problems).toEqual([]);
});
