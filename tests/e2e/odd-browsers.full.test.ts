/** Browsers without https, of the oldest versions and with a translation; and what the content policy allows. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { paths } from '#contract';
import { oldestBrowsers } from '#contract/oldest-browsers.ts';
import { signIn } from '#tests/support/account-steps.ts';
import { batchFolder } from '#tests/support/batch-folder.ts';
import { lanHost } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { removeWhatIsTooNew } from '#tests/support/oldest-browsers.ts';
import { press } from '#tests/support/page-steps.ts';
import { fillInStudio, generate, openStudio } from '#tests/support/studio-page.ts';
import { subscriber } from '#tests/support/subscriber.ts';

const test = testWithStackAndBrowser().extend('lanPage', async ({ stack, openWindow }) => {
  const { email } = await stack.seller();
  const window = await openWindow();
  const url = stack.url.replace('127.0.0.1', lanHost);
  await signIn({ ...stack, url }, window.page, email);
  expect(await window.page.evaluate('isSecureContext')).toBe(false);
  return { ...window, url };
});

test('an image is made of a photo', async ({ lanPage: { page, problems } }) => {
  await fillInStudio(page, 'On oak');
  await generate(page);
  await page.getByRole('link', { name: 'Download', exact: true }).waitFor();
  expect(problems).toEqual([]);
});

test('a batch is made of a table and a folder of photos', async ({ lanPage: { page, problems, url } }) => {
  const folder = await batchFolder(2);
  await page.goto(`${url}/batch/new`);
  await choose(page, 'Choose a table', join(folder, 'autumn.csv'));
  await choose(page, 'Choose a folder', join(folder, 'photos'));
  await press(page, 'Next problem');
  await press(page, 'Remove photo Product 3.PNG of row 2');
  await press(page, 'Choose photos of row 2');
  await page.getByRole('checkbox', { name: 'product-2.png' }).check();
  await press(page, 'Use these photos');
  await press(page, 'Next: check');
  await press(page, 'Make 3 images: 3 of your 100 left');
  await page.getByRole('button', { name: 'Make 3 images', exact: true }).click();
  await page.getByText('3 of 3 images done').waitFor();
  expect(problems).toEqual([]);
});

const choose = (page: Page, label: string, path: string) =>
  page.locator(`input[aria-label="${label}"]`).setInputFiles(path);

test('without every function that they do not have, each page opens and an image is made and edited', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  await page.addInitScript(removeWhatIsTooNew());
  await page.goto(stack.url);
  // The removal has an effect: this came with Chrome 119.
  expect(await page.evaluate('typeof Promise.withResolvers')).toBe('undefined');
  await signIn(stack, page, (await subscriber(stack, 'freelance')).email);
  await fillInStudio(page, 'On oak');
  await generate(page);
  await page.getByRole('link', { name: 'Download', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  for (const path of [
    '/library',
    '/projects',
    '/batch/new',
    '/profile',
    '/profile/security',
    '/profile/plan',
  ]) {
    await page.goto(stack.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  }
  expect(problems).toEqual([]);
});

const tooOld = (page: Page) => page.getByRole('alert').filter({ hasText: 'is too old for Packshot' });

test('an older browser is named, with those that are new enough, and is not told to reload', async ({
  stack,
  openWindow,
}) => {
  const safari =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 15_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.6 Mobile/15E148 Safari/604.1';
  const { page } = await openWindow({ userAgent: safari });
  await page.addInitScript('delete Array.prototype.with');
  await page.goto(`${stack.url}/login`, { waitUntil: 'load' });
  await tooOld(page).waitFor();
  const text = (await tooOld(page).textContent())!;
  expect(text).toContain('Safari 15.6 is too old');
  for (const [browser, version] of Object.entries(oldestBrowsers)) {
    expect(text.toLowerCase()).toContain(`${browser} ${version}`);
  }
  expect(await page.getByRole('button', { name: 'Reload' }).count()).toBe(0);
});

/** What Chrome's translator does to a page, with brackets in the place of another language, now and as the page changes. */
const translate = `{
  const translated = new WeakSet();
  const visit = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts = root.nodeType === Node.TEXT_NODE ? [root] : [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
      const parent = text.parentElement;
      if (!parent || text.data.trim() === '' || parent.closest('font, style, script, textarea, [translate=no]')) continue;
      const outer = document.createElement('font');
      const inner = document.createElement('font');
      inner.append('‹' + text.data + '›');
      outer.append(inner);
      text.replaceWith(outer);
    }
  };
  visit(document.body);
  new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      if (type === 'characterData') visit(target);
      for (const node of addedNodes) if (node.isConnected) visit(node);
    }
  }).observe(document.body, { childList: true, characterData: true, subtree: true });
}`;

/** What a window says about an image, without the translator's brackets. */
const wordsOf = async (page: Page) =>
  (await page.getByRole('region', { name: /Coffee cup/ }).allInnerTexts()).join().replace(/[‹›]/g, '');

test('an image is made on a translated page, which says the same as any other', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  await openStudio(stack, page);
  await page.evaluate(translate);
  await fillInStudio(page, 'On oak');
  await generate(page);
  const download = page.getByRole('link', { name: 'Download' });
  await download.waitFor();
  await page.getByText('Scene and photos').click();
  const id = /generations\/(\w+)/.exec((await download.getAttribute('href'))!)![1];
  const other = await page.context().newPage();
  await other.goto(`${stack.url}/dashboard?generation=${id}`);
  await other.getByText('Scene and photos').click();
  await expect.poll(() => wordsOf(page), eventually).toBe(await wordsOf(other));
  expect(await page.getByText('‹Scene and photos›').count()).toBe(1);

  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: /account of/i }).click();
  await page.getByRole('menuitem', { name: 'Profile' }).click();
  await page.waitForURL('**/profile');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Generate Image' }).waitFor();
  expect(problems).toEqual([]);
});

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
