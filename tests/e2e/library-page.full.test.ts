/** The library: search, marking with the keyboard, and what is done with several images at once. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openAs } from '#tests/support/account-steps.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';

const test = testWithStackAndBrowser();
test.beforeEach(({ stack }) => stack.images.reset());

const tile = (page: Page, name: string) => page.getByRole('gridcell', { name });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('a seller finds images, marks two with the keyboard, makes them favourites, deletes them and undoes that', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  const seller = await stack.seller();
  for (const productName of ['Oak chair', 'Blue mug', 'Red mug']) {
    const { id } = await seller.submit({ productName });
    await expect.poll(async () => (await seller.generation(id)).state).toBe('succeeded');
  }
  await openAs(stack, page, seller, '/library');
  await tile(page, 'Oak chair').waitFor();

  await page.getByLabel('Search by name, SKU or scene').fill('MUG');
  await tile(page, 'Oak chair').waitFor({ state: 'detached' });
  await page.waitForURL('**/library?q=MUG');
  await tile(page, 'Red mug').focus();
  await page.keyboard.press('Shift+ArrowRight');
  await tile(page, 'Blue mug').and(page.locator(':focus')).waitFor();
  await page.getByText('2 marked').waitFor();
  await button(page, 'Favourite').click();
  for (const name of ['Favourite Red mug', 'Favourite Blue mug']) await tile(page, name).waitFor();
  expect(await layoutProblems(page, 'the library')).toEqual([]);

  await button(page, 'Delete').click();
  await page.getByText('2 images deleted.').waitFor();
  await page.getByText('No images match your search and filters.').waitFor();
  await button(page, 'Undo').and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await tile(page, 'Favourite Red mug').waitFor();
  await tile(page, 'Favourite Blue mug').waitFor();

  await page.reload();
  await tile(page, 'Blue mug').waitFor();
  expect(await tile(page, 'Oak chair').count()).toBe(0);
  await tile(page, 'Blue mug').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Download', exact: true }).waitFor();
  await page.goBack();
  await tile(page, 'Blue mug').and(page.locator(':focus')).waitFor();
  expect(await page.getByLabel('Search by name, SKU or scene').inputValue()).toBe('MUG');
  expect(problems).toEqual([]);
});

test('the projects and a project are accessible and fit the window', async ({ finishedImage }) => {
  const { page, problems } = await finishedImage();
  await page.getByRole('link', { name: 'All projects' }).click();
  await page.getByRole('link', { name: /^Untitled Project 1 image/ }).waitFor();
  expect(await layoutProblems(page, 'projects')).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('link', { name: /^Untitled Project/ }).click();
  await page.getByRole('checkbox', { name: 'Mark Coffee cup' }).check();
  expect(await layoutProblems(page, 'a project')).toEqual([]);
  expect(problems).toEqual([]);
});
