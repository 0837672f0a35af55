import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openDashboard, openProfile, startSession } from '#tests/support/account-steps.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { storedDraft } from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser({ workers: 1 });

test('settings are saved when changed, survive a reload and apply in another browser', async ({
  stack,
  openWindow,
  profilePage,
}) => {
  const { page, email } = await profilePage('preferences', { colorScheme: 'light' });
  // Each wait begins before the changes, because a label disappears after a moment.
  const saved = (setting: string) =>
    page
      .locator('span', { has: page.locator('label', { hasText: setting }) })
      .getByText('Saved', { exact: true })
      .waitFor();
  const change = async () => {
    await page.getByLabel('Theme', { exact: true }).selectOption('dark');
    await page.getByLabel('Image quality').selectOption('low');
    await page.getByRole('switch', { name: 'By email' }).click();
    await page.getByRole('switch', { name: 'Keep my draft' }).click();
  };
  await Promise.all([...['Theme', 'Image quality', 'By email', 'Keep my draft'].map(saved), change()]);
  const shown = async (window: Page) => ({
    theme: await window.evaluate('document.documentElement.dataset.theme'),
    quality: await window.getByLabel('Image quality').inputValue(),
    mail: await window.getByRole('switch', { name: 'By email' }).isChecked(),
    draft: await window.getByRole('switch', { name: 'Keep my draft' }).isChecked(),
  });
  const chosen = { theme: 'dark', quality: 'low', mail: true, draft: false };
  await page.reload();
  await page.getByLabel('Theme', { exact: true }).waitFor();
  expect(await shown(page)).toEqual(chosen);

  const { page: other } = await openWindow({ colorScheme: 'light' });
  await startSession(stack, other, email);
  await openProfile(stack, other, 'preferences');
  expect(await shown(other)).toEqual(chosen);
});

test('a setting that could not be saved is rolled back with an error message', async ({ profilePage }) => {
  const { page } = await profilePage('preferences');
  await page.route('**/api/me/settings', (route) => route.abort());
  const mail = page.getByRole('switch', { name: 'By email' });
  await mail.click();
  await page.getByText("We couldn't reach Packshot.").waitFor();
  expect(await mail.isChecked()).toBe(false);
  await page.unroute('**/api/me/settings');
  await mail.click();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect(await mail.isChecked()).toBe(true);
});

test('a draft survives a reload unless the seller turned drafts off', async ({ stack, openWindow }) => {
  const { email } = await stack.seller();
  const { page } = await openWindow();
  const scene = page.getByLabel('Scene description');
  await openDashboard(stack, page, email);
  await scene.fill('On oak, in the morning');
  await expect.poll(() => storedDraft(page), eventually).toMatchObject({ prompt: 'On oak, in the morning' });
  await page.reload();
  await expect.poll(() => scene.inputValue()).toBe('On oak, in the morning');
  await openProfile(stack, page, 'preferences');
  await page.getByRole('switch', { name: 'Keep my draft' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Studio' }).click();
  await scene.waitFor();
  expect(await scene.inputValue()).toBe('');
});
