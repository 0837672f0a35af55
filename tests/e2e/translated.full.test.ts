/** A page that the browser translates: Chrome puts each text into elements of its own, which the app does not know. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { fillInStudio, generate, openStudio } from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser();

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
