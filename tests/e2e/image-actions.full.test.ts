/** What the menu of a finished image does: the same again, and the image as a photo. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { errorDefinitions } from '#contract';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { cup, description, generate, picker } from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser();
test.beforeEach(({ stack }) => stack.images.reset());

async function chooseInMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

test('a finished image is made again with its photos, texts and options, whatever is in the form', async ({
  stack,
  filledStudio,
}) => {
  const { page, problems } = await filledStudio('On a wooden table');
  const form = page.getByRole('form', { name: 'New product image' });
  await form.getByText('Options').click();
  await form.getByLabel('Size').selectOption('portrait');
  await form.getByLabel('What to avoid').fill('hands');
  await generate(page);
  const download = page.getByRole('link', { name: 'Download' });
  await download.waitFor();
  const firstFile = await download.getAttribute('href');

  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menu').waitFor();
  expect(await layoutProblems(page, 'menu', '[role=menu]')).toEqual([]);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1280, height: 900 });
  await description(page).fill('In a forest');
  await form.getByLabel('Size').selectOption('square');
  await page.getByRole('button', { name: 'Remove coffee-cup.png' }).click();
  await chooseInMenu(page, 'Run again with the same settings');
  await expect.poll(async () => (await stack.images.state()).calls.length).toBe(2);
  await download.waitFor();
  await expect.poll(() => download.getAttribute('href')).not.toBe(firstFile);
  const [first, second] = (await stack.images.state()).calls;
  expect(second).toMatchObject({ size: '1024x1536', prompt: first!.prompt });
  expect(await description(page).inputValue()).toBe('On a wooden table');

  // Nothing changed since: it is another image all the same.
  await chooseInMenu(page, 'Run again with the same settings');
  await expect.poll(async () => (await stack.images.state()).calls.length).toBe(3);
  await page.getByText('97 of 100 left').first().waitFor();
  const rows = await stack.models.generations.find({ prompt: 'On a wooden table' }).lean();
  expect(new Set(rows.map((row) => row.idempotency_key)).size).toBe(3);
  expect(problems).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('a finished image becomes a photo, as it was edited; with four photos it says why not', async ({
  stack,
  finishedImage,
}) => {
  const { page, problems } = await finishedImage();
  await chooseInMenu(page, 'Use as photo');
  await page.getByText('The image is one of your product images now.').waitFor();
  await page.getByRole('button', { name: 'Remove Coffee cup.png' }).waitFor();
  expect(await page.getByLabel('Product name').inputValue()).toBe('Coffee cup');
  await description(page).fill('On white');
  await generate(page);
  await expect.poll(async () => (await stack.images.state()).calls.length).toBe(2);
  await page.getByRole('link', { name: 'Download' }).waitFor();

  await picker(page).setInputFiles(Array.from({ length: 3 }, () => cup));
  await page.getByText('4 of 4').waitFor();
  await chooseInMenu(page, 'Use as photo');
  await page.getByText(errorDefinitions.TOO_MANY_FILES[1]).waitFor();
  expect(problems).toEqual([]);
});

test('in the browser of an app that may save nothing, a download says what to do', async ({
  finishedImage,
}) => {
  const instagram =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22F76 Instagram 382.0.0.23.81 (iPhone15,2; iOS 18_5; en_US)';
  const { page } = await finishedImage({}, { userAgent: instagram, viewport: { width: 390, height: 844 } });
  await page.getByRole('link', { name: 'Download', exact: true }).click();
  await page
    .getByText('The browser of this app may not save files. Open this page in your browser')
    .waitFor();
});
