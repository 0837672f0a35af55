/** What a visitor does on a prerendered page before the app runs: nothing is lost, and nothing gets into the address. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { heading, password } from '#tests/support/account-steps.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { testPassword } from '#tests/support/seller.ts';
import { newAddress } from '#tests/support/visitor.ts';

const test = testWithStackAndBrowser({ workers: 0 });

/** Opens a page whose scripts wait. @returns lets them load */
async function openWithoutScripts(page: Page, url: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto(url, { waitUntil: 'commit' });
  return resolve;
}

test('a sign-in that is sent before the app runs succeeds when it does', async ({ stack, openWindow }) => {
  const { email } = await stack.seller();
  const { page, problems } = await openWindow();
  const loadScripts = await openWithoutScripts(page, `${stack.url}/login`);
  await page.getByLabel('Email').fill(email);
  await password(page).fill(testPassword);
  await password(page).press('Enter');
  expect(page.url()).toBe(`${stack.url}/login`);
  loadScripts();
  await page.waitForURL('**/dashboard');
  expect(problems).toEqual([]);
});

for (const query of ['', '?plan=freelance']) {
  test(`a sign-up at /signup${query} keeps what was entered before the app runs`, async ({
    stack,
    openWindow,
  }) => {
    const { page, problems } = await openWindow();
    const loadScripts = await openWithoutScripts(page, `${stack.url}/signup${query}`);
    await page.getByLabel('Full name').fill('Ana Müller');
    await page.getByLabel('Email').fill(newAddress());
    await password(page).fill(testPassword);
    await password(page, 'Confirm password').fill(testPassword);
    await page.getByRole('checkbox').check();
    loadScripts();
    // What it meets is shown by the app.
    await page.locator('meter[aria-valuetext="4 of 4 criteria met"]').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Create Secure Account' }).click();
    await heading(page, 'Check your email');
    expect(problems).toEqual([]);
  });
}

test('what a password manager fills in stays, also where it adds elements before the app runs or fires no event', async ({
  stack,
  openWindow,
}) => {
  const { email } = await stack.seller();
  const { page } = await openWindow();
  const loadScripts = await openWithoutScripts(page, `${stack.url}/login`);
  await page.getByLabel('Email').fill(email);
  await page.evaluate(`{
    const email = document.querySelector('input[type=email]');
    email.before(document.createElement('com-manager-icon'));
  }`);
  loadScripts();
  await expect.poll(() => page.evaluate('globalThis.earlySubmit?.hold')).toBe(false);
  expect(await page.getByLabel('Email').inputValue()).toBe(email);
  await page.evaluate((given) => {
    const field = (
      globalThis as unknown as { document: { querySelector(selector: string): { value: string } } }
    ).document;
    field.querySelector('input[type=password]').value = given;
  }, testPassword);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL('**/dashboard');
});
