/** Account Settings, API: a key is made, shown once, used and revoked. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { limits, v1Paths } from '#contract';
import { codeOf, twoFactorSeller } from '#tests/support/account.ts';
import { dialog, openProfile, shareSession } from '#tests/support/account-steps.ts';
import { callWithKey, giveKey } from '#tests/support/api-keys.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { testPassword } from '#tests/support/seller.ts';

const test = testWithStackAndBrowser({ workers: 0 });

const item = (page: Page, name: string) =>
  page.getByRole('list', { name: 'API keys' }).locator('> li').filter({ hasText: name });

test('a key is made, shown once, copied, used and revoked', async ({ stack, profilePage }) => {
  const { page } = await profilePage('apiKeys');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByText('You have no API keys.').waitFor();
  await page.getByRole('button', { name: 'Make a key' }).click();

  // Without a name or anything that it may do, it is said at the field.
  await dialog(page).getByRole('button', { name: 'Continue' }).click();
  await dialog(page).getByText('Please enter a name').waitFor();
  await dialog(page).getByLabel('Name', { exact: true }).fill('Shop import');
  for (const scope of await dialog(page).getByRole('checkbox').all()) await scope.uncheck();
  await dialog(page).getByText('Please choose at least one').waitFor();
  await dialog(page).getByLabel('See how many images are left').check();
  await dialog(page).getByLabel('Networks (optional)').fill('127.0.0.0/8, office');
  await dialog(page).getByRole('button', { name: 'Continue' }).click();
  await dialog(page).getByText('Please enter an IP address').waitFor();
  await dialog(page).getByLabel('Networks (optional)').fill('127.0.0.0/8 ::1');
  await dialog(page).getByLabel('Expires').selectOption('After 30 days');
  await dialog(page).getByRole('button', { name: 'Continue' }).click();

  await dialog(page).getByLabel('Password', { exact: true }).fill('Wrong-Horse-7');
  await page.keyboard.press('Enter');
  await dialog(page).getByRole('alert').waitFor();
  await dialog(page).getByLabel('Password', { exact: true }).fill(testPassword);
  await page.keyboard.press('Enter');
  const shown = dialog(page).getByTestId('api-key');
  await shown.waitFor();
  const key = (await shown.textContent())!;
  // Nothing but its button closes it.
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await dialog(page).getByRole('button', { name: 'Copy' }).click();
  await dialog(page).getByText('Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
  await dialog(page).getByRole('button', { name: "I've saved it" }).click();
  await dialog(page).waitFor({ state: 'hidden' });

  const row = item(page, 'Shop import');
  await row.getByText(`…${key.slice(-4)}`).waitFor();
  for (const text of [
    'not used yet',
    'expires ',
    'See how many images are left',
    'Only from 127.0.0.0/8, ::1',
  ]) {
    await row.getByText(text).waitFor();
  }
  expect(await row.getByText('Make and stop images').count()).toBe(0);
  // It is nowhere on the page any more, and does what was ticked.
  expect(await page.content()).not.toContain(key);
  const call = (path: string) => callWithKey(stack.url, key, 'GET', path);
  expect((await call(v1Paths.balance)).status).toBe(200);
  expect((await call(v1Paths.generations)).status).toBe(403);
  await page.reload();
  await row.getByText('last used').waitFor();

  await row.getByRole('button', { name: 'Revoke' }).click();
  await dialog(page)
    .getByText('Programs that use this key stop working at once.', { exact: false })
    .waitFor();
  await dialog(page).getByRole('button', { name: 'Keep it' }).click();
  expect((await call(v1Paths.balance)).status).toBe(200);
  await row.getByRole('button', { name: 'Revoke' }).click();
  await dialog(page).getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByText('You have no API keys.').waitFor();
  expect((await call(v1Paths.balance)).status).toBe(401);
});

test('with two-factor sign-in a code is asked for; names of any script and every step fit a phone and a large window', async ({
  stack,
  openWindow,
}) => {
  const { seller, secret } = await twoFactorSeller(stack);
  await giveKey(stack, seller, { name: 'متجر القاهرة', networks: ['203.0.113.0/24', '2001:db8:85a3::/48'] });
  await giveKey(stack, seller, {
    name: 'W'.repeat(limits.apiKeyNameCharacters),
    expires_at: new Date(Date.now() - 1_000),
  });
  const { page, problems } = await openWindow({ viewport: { width: 390, height: 844 }, hasTouch: true });
  await shareSession(stack, page, seller);
  await openProfile(stack, page, 'apiKeys');
  await item(page, 'متجر القاهرة').waitFor();
  await item(page, 'WWW').getByText('expired ').waitFor();
  const faults = await layoutProblems(page, 'keys');
  await page.getByRole('button', { name: 'Make a key' }).click();
  await dialog(page).getByLabel('Name', { exact: true }).fill('Warehouse');
  faults.push(...(await layoutProblems(page, 'describe', '[role=dialog]')));
  await dialog(page).getByRole('button', { name: 'Continue' }).click();
  await dialog(page).getByLabel('Password', { exact: true }).fill(testPassword);
  await dialog(page).getByRole('textbox', { name: 'Code' }).fill(codeOf(secret, 1));
  faults.push(...(await layoutProblems(page, 'confirm', '[role=dialog]')));
  await dialog(page).getByRole('button', { name: 'Make key' }).click();
  await dialog(page).getByTestId('api-key').waitFor();
  faults.push(...(await layoutProblems(page, 'shown', '[role=dialog]')));
  await dialog(page).getByRole('button', { name: "I've saved it" }).click();
  await item(page, 'Warehouse').waitFor();
  expect([...faults, ...problems]).toEqual([]);

  for (let made = 3; made < limits.apiKeys; made += 1) await giveKey(stack, seller);
  await page.reload();
  await page.getByText(`You have ${limits.apiKeys} keys, which is the most.`).waitFor();
  expect(await page.getByRole('button', { name: 'Make a key' }).isDisabled()).toBe(true);
});
