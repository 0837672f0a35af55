/** The export dialog: rules with what was measured, and the download of several files as a ZIP. */
import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import sharp from 'sharp';
import { expect } from 'vitest';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { fillInStudio, generate, openStudio } from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser();
test.beforeEach(({ stack }) => stack.images.reset());

test('a seller sees what each rule says, and downloads two formats as a ZIP', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  await openStudio(stack, page);
  await fillInStudio(page, 'On a wooden table');
  await generate(page);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Export' });
  const files = dialog.getByRole('list', { name: 'Files' });
  await files.getByText('Background:').waitFor();
  await files.getByText('Fails').first().waitFor();
  await dialog.getByLabel('eBay').check();
  await files.getByRole('link', { name: "The marketplace's own page" }).waitFor();
  await files.getByText('Pass').first().waitFor();
  expect(await layoutProblems(page, 'the export', '[role=dialog]')).toEqual([]);

  await dialog.getByLabel('File name').fill('{product}-{price}');
  await dialog.getByText('Use text, {product}, {preset} and {date}.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Download' }).isDisabled()).toBe(true);
  await dialog.getByLabel('File name').fill('{preset} of {product}');
  await dialog.getByText('For example amazon-main-of-Coffee-cup.jpg').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('link', { name: 'Download 2 files (ZIP)' }).click(),
  ]);
  const zip = unzipSync(await readFile(await download.path()));
  expect(Object.keys(zip)).toEqual(['amazon-main-of-Coffee-cup.jpg', 'ebay-of-Coffee-cup.jpg']);
  for (const file of Object.values(zip)) {
    expect(await sharp(file).metadata()).toMatchObject({ format: 'jpeg', width: 1_600, height: 1_600 });
  }
  expect(problems).toEqual([]);
});
