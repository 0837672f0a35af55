import { expect } from 'vitest';
import { openDashboard, openProfile } from '#tests/support/account-steps.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { storedDraft } from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser({ workers: 1 });

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
