/** Who leaves the studio while photos are on their way finds them on their way, and is sent nowhere. */
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchBrowser, openBrowserWindow } from '#tests/support/browser.ts';
import { startTestStack, type TestStack } from '#tests/support/stack.ts';
import { cup, description, generate, openStudio, picker } from '#tests/support/studio-page.ts';

let stack: TestStack;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  [stack, browser] = await Promise.all([startTestStack(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});
beforeEach(() => stack.images.reset());

/** Opens a studio whose uploads are slow: each waits until the test has done something with it. */
async function openSlowStudio(): Promise<{ keys: string[]; next: () => Promise<Route> }> {
  ({ page } = await openBrowserWindow(browser));
  await openStudio(stack, page);
  const keys: string[] = [];
  const held: Route[] = [];
  let arrived = Promise.withResolvers<void>();
  await page.route('**/api/generations', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    keys.push(route.request().headers()['idempotency-key']!);
    held.push(route);
    arrived.resolve();
  });
  await picker(page).setInputFiles(cup);
  await description(page).fill('On oak');
  return {
    keys,
    next: async () => {
      while (held.length === 0) {
        arrived = Promise.withResolvers();
        await arrived.promise;
      }
      return held.shift()!;
    },
  };
}

const toProfile = async () => {
  await page.getByRole('button', { name: /account of/i }).click();
  await page.getByRole('menuitem', { name: 'Profile' }).click();
  await page.waitForURL('**/profile');
};
const backToStudio = async () => {
  await page
    .getByRole('link', { name: /studio/i })
    .first()
    .click();
  await page.waitForURL('**/dashboard');
};
const sendButton = () => page.getByRole('button', { name: /^Generat(e Image|ing)/ });

test('coming back shows the upload under way; its end elsewhere is a toast, and one image is counted', async () => {
  const { keys, next } = await openSlowStudio();
  await generate(page);
  const upload = await next();
  await toProfile();
  await backToStudio();
  await page
    .getByText(/^(Uploading|Checking) your photos$/)
    .last()
    .waitFor();
  expect(await sendButton().textContent()).toBe('Generating...');
  expect(await sendButton().isDisabled()).toBe(true);
  // A click that gets through anyhow sends nothing either.
  await sendButton().dispatchEvent('click');

  await toProfile();
  await upload.continue();
  await page.getByText('Your photos are uploaded. Your image is on its way.').waitFor();
  await page.getByText('99 of 100').first().waitFor();
  expect(new URL(page.url()).pathname).toBe('/profile');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.waitForURL('**/dashboard?generation=*');
  await page.getByRole('link', { name: 'Download' }).waitFor();
  expect(keys).toHaveLength(1);
  expect(await stack.audit()).toEqual([]);
  await page.context().close();
});

test('an upload goes on while the seller reads the landing page', async () => {
  const { keys, next } = await openSlowStudio();
  await generate(page);
  const upload = await next();
  await page.getByRole('link', { name: 'Packshot' }).click();
  await page.waitForURL(`${stack.url}/`);
  const [answer] = await Promise.all([
    page.waitForResponse((reply) => reply.request().method() === 'POST' && reply.status() === 202),
    upload.continue(),
  ]);
  const { id } = (await answer.json()) as { id: string };
  expect(new URL(page.url()).pathname).toBe('/');
  await page.goBack();
  await page.waitForURL('**/dashboard*');
  await page.getByText('99 of 100 left').first().waitFor();
  expect(keys).toHaveLength(1);
  expect(await stack.models.generations.findById(id).lean()).not.toBeNull();
  await page.context().close();
});

test('an upload that got no answer has the same key when it is sent again from the studio that was left', async () => {
  const { keys, next } = await openSlowStudio();
  await generate(page);
  await toProfile();
  for (let tries = 1; tries <= 3; tries += 1) await (await next()).abort();
  await page.getByText('We could not reach Packshot. Check your connection and try again.').waitFor();

  await backToStudio();
  await page.getByText('Ready to Generate').waitFor();
  await generate(page);
  await (await next()).continue();
  await page.getByRole('link', { name: 'Download' }).waitFor();
  await page.getByText('99 of 100 left').first().waitFor();
  expect(keys).toHaveLength(4);
  expect(new Set(keys).size).toBe(1);
  await page.context().close();
});

test('signing out ends an upload', async () => {
  const { next } = await openSlowStudio();
  await generate(page);
  await next();
  const ended = page.waitForEvent('requestfailed', (request) => request.method() === 'POST');
  await page.getByRole('button', { name: /account of/i }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await page.waitForURL('**/login');
  await ended;
  await page.context().close();
});
