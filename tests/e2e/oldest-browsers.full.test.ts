/** The oldest browsers that the web app is made for, and older ones. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { oldestBrowsers } from '#contract/oldest-browsers.ts';
import { signIn } from '#tests/support/account-steps.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { removeWhatIsTooNew } from '#tests/support/oldest-browsers.ts';
import { fillInStudio, generate } from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser();

test('without every function that they do not have, each page opens and an image is made and edited', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  await page.addInitScript(removeWhatIsTooNew());
  await page.goto(stack.url);
  // The removal has an effect: this came with Chrome 119.
  expect(await page.evaluate('typeof Promise.withResolvers')).toBe('undefined');
  await signIn(stack, page, (await stack.seller()).email);
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
