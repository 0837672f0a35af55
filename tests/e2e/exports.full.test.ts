/** The export dialog: rules with what was measured, and names of files. */
import { expect } from 'vitest';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';

const test = testWithStackAndBrowser();

test('a seller sees what each rule says, and why a file cannot have a name', async ({ finishedImage }) => {
  const { page, problems } = await finishedImage();
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
  expect(problems).toEqual([]);
});
