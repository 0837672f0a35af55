import { join } from 'node:path';
import { expect } from 'vitest';
import { openAs } from '#tests/support/account-steps.ts';
import { batchFolder } from '#tests/support/batch-folder.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { press } from '#tests/support/page-steps.ts';

const test = testWithStackAndBrowser();

test('the table of a batch and a finished batch are accessible and fit the window', async ({
  stack,
  openWindow,
}) => {
  const folder = await batchFolder(3);
  const { page, problems } = await openWindow();
  await openAs(stack, page, await stack.seller(), '/batch/new');
  const input = (name: string) => page.locator(`input[aria-label="${name}"]`);
  await input('Choose a table').setInputFiles(join(folder, 'autumn.csv'));
  await page.getByText('0 of 3 rows are ready').waitFor();
  await input('Choose a folder').setInputFiles(join(folder, 'photos'));
  await page.getByText('2 of 3 rows are ready').waitFor();
  await press(page, 'Show the first that is not ready');
  await page.getByText('Photo Product 4.PNG is missing.').waitFor();
  expect(await layoutProblems(page, 'the table')).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await press(page, 'Remove photo Product 4.PNG of row 3');
  await press(page, 'Choose photos of row 3');
  await page.getByRole('checkbox', { name: 'product-3.png' }).check();
  await press(page, 'Use these photos');
  await press(page, 'Make 4 images: 4 of your 100 left');
  await page.getByRole('button', { name: 'Make 4 images', exact: true }).click();
  await page.getByRole('heading', { name: 'Finished' }).waitFor();
  await page.getByText('4 of 4 images done').waitFor();
  expect(await layoutProblems(page, 'a finished batch')).toEqual([]);
  expect(problems).toEqual([]);
});
