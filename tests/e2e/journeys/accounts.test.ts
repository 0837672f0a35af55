/** The security and the settings of an account, and what an operator does for a seller. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { codeOf } from '#tests/support/account.ts';
import { dialog, openAs, openProfile, trySignIn } from '#tests/support/account-steps.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { confirmAction, operatorOf } from '#tests/support/operator.ts';
import { follow, press, see } from '#tests/support/page-steps.ts';
import { testPassword } from '#tests/support/seller.ts';

const test = testWithStackAndBrowser();

test('a seller turns on two-factor sign-in, which another window then asks for; settings apply there; it is signed out everywhere', async ({
  stack,
  openWindow,
  profilePage,
}) => {
  const { page, email } = await profilePage('security', { colorScheme: 'light' });
  await press(page, 'Turn on');
  await dialog(page).getByLabel('Password', { exact: true }).fill(testPassword);
  await page.keyboard.press('Enter');
  const secret = (await dialog(page).getByTestId('two-factor-secret').textContent())!.replaceAll(' ', '');
  await dialog(page).getByRole('textbox', { name: 'Code' }).fill(codeOf(secret));
  await page.keyboard.press('Enter');
  await dialog(page).getByText('Save your recovery codes').waitFor();
  await dialog(page).getByRole('button', { name: "I've saved them" }).click();
  await page.getByRole('button', { name: 'Turn off' }).waitFor();

  await follow(page, 'Preferences');
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
  await trySignIn(stack, other, email);
  const code = other.getByRole('textbox', { name: 'Code' });
  await code.waitFor();
  // The code of the current time step was used to turn it on: use the next one.
  await code.fill(codeOf(secret, 1));
  await other.keyboard.press('Enter');
  await other.waitForURL('**/dashboard');
  await openProfile(stack, other, 'preferences');
  expect(await shown(other)).toEqual(chosen);

  await openProfile(stack, page, 'security');
  await press(page, 'Sign out everywhere');
  await dialog(page).getByRole('button', { name: 'Sign out everywhere' }).click();
  await see(page, 'You are signed out.');
  await other.waitForURL('**/login');
});

test('an operator gives a seller images and shows a banner, and the seller sees both; the log has them', async ({
  stack,
  openWindow,
}) => {
  const [operator, seller] = await Promise.all([operatorOf(stack), stack.seller({ paid: false })]);
  const own = await openWindow();
  const { page } = own;
  await openAs(stack, page, operator, '/operator/sellers');
  await page.getByLabel('Start of the email, or ID').fill(seller.email);
  await press(page, 'Search');
  await follow(page, seller.email);
  await page.getByRole('heading', { name: seller.email }).waitFor();
  await press(page, 'Give images');
  await dialog(page).getByRole('button', { name: 'Give images' }).click();
  await dialog(page).getByText('Please enter at least 1.').waitFor();
  await dialog(page).getByText('Please say why.').waitFor();
  await dialog(page).getByLabel('Number of images').fill('5');
  await confirmAction(page, 'Give images');
  await see(page, 'Images added by our support');
  await page
    .getByRole('listitem')
    .filter({ hasText: 'A test of the pages' })
    .getByText('Give images')
    .waitFor();

  await follow(page, 'Banner and maintenance');
  await page.getByLabel('Text', { exact: true }).fill('Images take longer than usual today.');
  await page.getByLabel('Reason, for the audit log').fill('The provider is slow');
  await press(page, 'Show to sellers');
  await see(page, 'Until it is removed.');

  await follow(page, 'Queue');
  await press(page, 'Pause');
  await confirmAction(page, 'Pause');
  await see(page, 'An operator paused the queue');
  await press(page, 'Resume');
  await confirmAction(page, 'Resume');
  await follow(page, 'Audit log');
  for (const line of ['Resume the queue', 'Pause the queue', 'Show a banner']) await see(page, line);
  expect(own.problems).toEqual([]);

  const other = await openWindow();
  await openAs(stack, other.page, seller, '/dashboard');
  await see(other.page, 'Images take longer than usual today.');
  await see(other.page, '5 of 5 free images left');
  // For a seller the operator's pages do not exist.
  await other.page.goto(`${stack.url}/operator/queue`);
  await other.page.getByRole('heading', { name: /not found|find/i }).waitFor();
  expect(other.problems).toEqual([]);
});
