import { expect } from 'vitest';
import { codeOf } from '#tests/support/account.ts';
import { dialog } from '#tests/support/account-steps.ts';
import { everyLook, layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { press } from '#tests/support/page-steps.ts';
import { testPassword } from '#tests/support/seller.ts';

const test = testWithStackAndBrowser({ workers: 1 });

test('the page says how well the account is protected, leads to what would raise it, and shows that it is raised', async ({
  stack,
  profilePage,
}) => {
  const { page, email } = await profilePage('security');
  const section = page.getByRole('region', { name: 'Account protection' });
  await section.getByText('Standard', { exact: true }).waitFor();
  await section.getByText(email).waitFor();
  const steps = () => section.getByRole('listitem').allInnerTexts();
  expect((await steps())[0]).toContain('Add a passkey or an authenticator app');
  await section.getByRole('link', { name: 'Add one' }).click();
  const focused = () => page.evaluate<string>('document.activeElement?.textContent');
  await expect.poll(focused, eventually).toBe('Sign-in');

  await press(page, 'Turn on');
  await dialog(page).getByLabel('Password', { exact: true }).fill(testPassword);
  await page.keyboard.press('Enter');
  const secret = (await dialog(page).getByTestId('two-factor-secret').textContent())!.replaceAll(' ', '');
  await dialog(page).getByRole('textbox', { name: 'Code' }).fill(codeOf(secret));
  await page.keyboard.press('Enter');
  await dialog(page).getByRole('button', { name: "I've saved them" }).click();
  await section.getByText('High', { exact: true }).waitFor();
  await section.getByText('Second factor: authenticator app').waitFor();
  await section.getByText('10 recovery codes left').waitFor();

  await stack.models.users.updateOne({ email }, { 'two_factor.recovery_codes': [] });
  await page.reload();
  await section.getByText('No recovery codes left').waitFor();
  expect((await steps())[0]).toContain("you're locked out");
  expect(await layoutProblems(page, 'account protection', '#protection', everyLook)).toEqual([]);
});
