/** Questions, guides and the feed, as a browser shows them. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { faq } from '#web/content/faq.ts';

const test = testWithStackAndBrowser({ workers: 0 });

const openQuestions = (page: Page) => page.locator('details[open][name=faq] h2').allTextContents();

test('the FAQ has ten questions, and the first is open, also without JavaScript', async ({
  stack,
  openWindow,
}) => {
  for (const javaScriptEnabled of [false, true]) {
    const { page } = await openWindow({ javaScriptEnabled });
    await page.goto(`${stack.url}/faq`);
    expect(await page.locator('details[name=faq] h2').allTextContents()).toEqual(
      faq.map(({ question }) => question),
    );
    expect(await openQuestions(page)).toEqual([faq[0]!.question]);
    await page.getByText(faq[2]!.question).click();
    expect(await openQuestions(page)).toEqual([faq[2]!.question]);
  }
});

test('a link to a question opens it and scrolls to it, from another site and on the page', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow({ viewport: { width: 390, height: 600 } });
  const [seventh, last] = [faq[6]!, faq[9]!];
  await page.goto(`${stack.url}/faq#${seventh.id}`);
  await expect.poll(() => openQuestions(page)).toEqual([seventh.question]);
  await expect.poll(() => isBelowHeader(page, seventh.id)).toBe(true);
  await page.getByText(last.question).click();
  await page.getByRole('link', { name: 'Link to this answer' }).click();
  expect(new URL(page.url()).hash).toBe(`#${last.id}`);
  await page.goBack();
  await expect.poll(() => openQuestions(page)).toEqual([seventh.question]);
  expect(problems).toEqual([]);
});

/** Whether an element is at the top of the window, below the page's header. */
async function isBelowHeader(page: Page, id: string): Promise<boolean> {
  const [header, element] = await Promise.all([
    page.locator('header').boundingBox(),
    page.locator(`[id="${id}"]`).boundingBox(),
  ]);
  const distance = element!.y - (header!.y + header!.height);
  return distance >= 0 && distance < 60;
}

test('guides lead from the first to the last, and the outline to their headings', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow({ viewport: { width: 1_280, height: 800 } });
  await page.goto(`${stack.url}/documentation`);
  const titles = await page.locator('main h2').allTextContents();
  expect(titles.length).toBeGreaterThan(10);
  await page.getByRole('main').getByRole('link', { name: titles[0]! }).click();
  for (const [index, title] of titles.entries()) {
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    const next = titles[index + 1];
    if (next) await page.getByRole('link', { name: `Next ${next}` }).click();
  }
  const outline = page.getByRole('navigation', { name: 'On this page' });
  await outline.getByRole('link', { name: 'Errors' }).click();
  await expect.poll(() => isBelowHeader(page, 'errors')).toBe(true);
  expect(problems).toEqual([]);
});

test('the feed is valid XML with every post, and the blog names it', async ({ stack, openWindow }) => {
  const { page } = await openWindow();
  await page.goto(`${stack.url}/blog`);
  const feed = await page.evaluate<{ type: string; errors: number; titles: string[] }>(`(async () => {
    const { href } = document.querySelector('link[rel=alternate]');
    const reply = await fetch(new URL(href).pathname);
    const xml = new DOMParser().parseFromString(await reply.text(), 'application/xml');
    return {
      type: reply.headers.get('content-type'),
      errors: xml.querySelectorAll('parsererror').length,
      titles: [...xml.querySelectorAll('item > title')].map(({ textContent }) => textContent),
    };
  })()`);
  expect(feed).toEqual({
    type: 'application/rss+xml; charset=utf-8',
    errors: 0,
    titles: await page.locator('main li h2').allTextContents(),
  });
  expect(feed.titles.length).toBeGreaterThanOrEqual(4);
});
