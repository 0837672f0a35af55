/** Pages under the content security policy, which permits styles only in files and scripts (server/plugins/headers.ts). */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { paths } from '#contract';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';

const test = testWithStackAndBrowser();

/** The value of a CSS property of the first element that a selector finds. */
const styleOf = (page: Page, selector: string, property: string) =>
  page.evaluate<string>(
    `getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${property}')`,
  );

test('a dialog keeps the page behind it from scrolling, and a message is over the page', async ({
  finishedImage,
}) => {
  const { page, problems } = await finishedImage();
  const scrolling = await styleOf(page, 'body', 'overflow-y');
  expect(scrolling).not.toBe('hidden');
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Save as look' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Oak');
  expect(await styleOf(page, 'body', 'overflow-y')).toBe('hidden');
  await page.getByRole('button', { name: 'Save look' }).click();
  await page.getByText('Look “Oak” saved.').waitFor();
  expect(await styleOf(page, '[data-sonner-toaster]', 'position')).toBe('fixed');
  await expect.poll(() => styleOf(page, 'body', 'overflow-y')).toBe(scrolling);
  expect(problems).toEqual([]);
});

test("the API's documentation is shown, with its styles", async ({ stack, openWindow }) => {
  const { page, problems } = await openWindow();
  await page.goto(stack.url + paths.docs);
  await page.locator('.opblock-summary').first().click();
  await page.locator('.opblock-body').first().waitFor();
  expect(await styleOf(page, '.opblock-summary', 'display')).toBe('flex');
  expect(problems).toEqual([]);
});
