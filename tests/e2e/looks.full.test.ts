import { expect } from 'vitest';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { description, generate } from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser();

test('a seller saves an image as a look, applies it, undoes that, and deletes it', async ({
  stack,
  filledStudio,
}) => {
  const { page, problems } = await filledStudio('Studio Photography Setup: On oak');
  await generate(page);
  await page.getByRole('link', { name: 'Download' }).waitFor();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Save as look' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Oak');
  expect(await page.getByLabel('Scene', { exact: true }).inputValue()).toBe('On oak');
  await page.getByRole('button', { name: 'Save look' }).click();
  await page.getByText('Look “Oak” saved.').waitFor();

  await description(page).fill('Something else');
  await page.getByRole('button', { name: 'Looks' }).click();
  // Saving in a dialog that belongs to the studio's form does not submit that form.
  await page.getByRole('button', { name: 'Edit Oak' }).click();
  await page.getByLabel('Scene', { exact: true }).fill('On dark oak');
  await page.getByText('Options and exports').click();
  await page.getByLabel('Images', { exact: true }).selectOption('3');
  await page.getByLabel('eBay').check();
  expect(await layoutProblems(page, 'look', '[role=dialog]')).toEqual([]);
  await page.getByRole('button', { name: 'Save look' }).click();
  await page.getByRole('button', { name: 'Duplicate Oak' }).click();
  await page.getByRole('button', { name: /^Use Oak copy/ }).waitFor();
  expect(await layoutProblems(page, 'looks')).toEqual([]);
  await page.getByRole('button', { name: /^Use Oak (?!copy)/ }).click();
  await expect.poll(() => description(page).inputValue()).toBe('Studio Photography Setup: On dark oak');
  await page.getByRole('button', { name: 'Generate 3 images' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => description(page).inputValue()).toBe('Something else');

  await page.getByRole('button', { name: 'Looks' }).click();
  await page.getByRole('button', { name: 'Delete Oak', exact: true }).click();
  await expect.poll(() => page.getByRole('button', { name: /^Use Oak (?!copy)/ }).count()).toBe(0);
  // The look's format is chosen in the next export.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  expect(await page.getByLabel('eBay').isChecked()).toBe(true);
  expect(await page.getByLabel('Amazon main image').isChecked()).toBe(false);
  expect(await stack.models.generations.countDocuments({})).toBe(1);
  expect(problems).toEqual([]);
});
