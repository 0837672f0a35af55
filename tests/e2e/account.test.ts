import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pages } from '#contract';
import { codeOf } from '#tests/support/account.ts';
import {
  dialog,
  heading,
  openProfile,
  password,
  signIn,
  signUp,
  trySignIn,
} from '#tests/support/account-steps.ts';
import { launchBrowser, openBrowserWindow } from '#tests/support/browser.ts';
import { testPassword } from '#tests/support/seller.ts';
import { startTestStack, type TestStack } from '#tests/support/stack.ts';
import { forgetAttempts, newAddress } from '#tests/support/visitor.ts';

let stack: TestStack;
let browser: Browser;
beforeAll(async () => {
  [stack, browser] = await Promise.all([startTestStack({ workers: 1 }), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

/** A new window with cookies of its own. */
const openWindow = async (options?: BrowserContextOptions) =>
  (await openBrowserWindow(browser, options)).page;

/** The link of the newest mail to an address that leads to a page. */
async function linkTo(page: keyof typeof pages, to: string, subject: string): Promise<string> {
  return stack.mails.linkIn(await stack.mails.waitForMail({ to, subject }), pages[page]);
}

test('sign up, confirm the address by the mail, sign out, sign in', async () => {
  const page = await openWindow();
  const email = newAddress();
  await signUp(stack, page, email, 'enterprise');
  await page.goto(await linkTo('verifyEmail', email, 'Confirm your email'));
  await page.waitForURL('**/dashboard');
  // Without a plan: what stops a seller, and the plan that was chosen before the mail.
  await page.getByText('No active subscription found').waitFor();
  await page.getByText('Enterprise is $199 a month').waitFor();

  await page.getByRole('button', { name: /account of/i }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await page.getByText('You are signed out.').waitFor();
  await signIn(stack, page, email);
  await page.context().close();
});

test('the link in another browser asks for the password, and works once', async () => {
  const email = newAddress();
  const first = await openWindow();
  await signUp(stack, first, email);
  const other = await openWindow();
  await trySignIn(stack, other, email);
  await other.getByRole('button', { name: 'Resend link' }).waitFor();

  const link = await linkTo('verifyEmail', email, 'Confirm your email');
  await other.goto(link);
  await password(other).fill('Wrong-Horse-7');
  await other.getByRole('button', { name: 'Confirm and open your studio' }).click();
  await other.getByText('Incorrect password. Please try again.').waitFor();
  await password(other).fill(testPassword);
  await other.keyboard.press('Enter');
  await other.waitForURL('**/dashboard');
  await first.goto(link);
  await heading(first, 'This link has expired');
  await Promise.all([first.context().close(), other.context().close()]);
});

test('a forgotten password is set anew; a common one is refused', async () => {
  const { email } = await stack.seller();
  const page = await openWindow();
  await page.goto(`${stack.url}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  expect(await page.getByLabel('Email').inputValue()).toBe(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await heading(page, 'Check your email');

  await page.goto(await linkTo('resetPassword', email, 'password'));
  const fill = async (given: string) => {
    await password(page, 'New password').fill(given);
    await password(page, 'Confirm new password').fill(given);
    await page.getByRole('button', { name: 'Set the password' }).click();
  };
  await fill('P@ssword1!');
  await page.getByText('This password is too easy to guess').waitFor();
  await fill('Better-Horse-8');
  await page.getByText('Your new password is set.').waitFor();
  await trySignIn(stack, page, email);
  await page.getByText('Invalid email or password.').waitFor();
  await signIn(stack, page, email, 'Better-Horse-8');
  await page.context().close();
});

test('two-factor sign-in: turned on with a code, asked for at sign-in, a recovery code stands in for it', async () => {
  const { email } = await stack.seller();
  const page = await openWindow();
  await signIn(stack, page, email);
  await openProfile(stack, page, 'security');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await dialog(page).getByLabel('Password', { exact: true }).fill(testPassword);
  await page.keyboard.press('Enter');
  await dialog(page)
    .getByRole('img', { name: /QR code/ })
    .waitFor();
  const secret = (await dialog(page).getByTestId('two-factor-secret').textContent())!.replaceAll(' ', '');
  await dialog(page).getByRole('textbox', { name: 'Code' }).fill(codeOf(secret));
  await page.keyboard.press('Enter');
  await dialog(page).getByText('Save your recovery codes').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog(page).getByRole('link', { name: 'Download' }).click(),
  ]);
  const [recoveryCode, secondCode] = (await readFile(await download.path(), 'utf8'))
    .trim()
    .split('\n')
    .slice(2);
  await dialog(page).getByRole('button', { name: "I've saved them" }).click();
  await page.getByRole('button', { name: 'Turn off' }).waitFor();

  const other = await openWindow();
  await trySignIn(stack, other, email);
  const code = other.getByRole('textbox', { name: 'Code' });
  // What was typed before is still there.
  await code.waitFor();
  expect(await password(other).inputValue()).toBe(testPassword);
  // The step of the code that turned it on is used up.
  await code.fill(codeOf(secret, 1));
  await other.keyboard.press('Enter');
  await other.waitForURL('**/dashboard');

  await forgetAttempts(stack.db);
  const third = await openWindow();
  await trySignIn(stack, third, email);
  await third.getByRole('button', { name: 'Use a recovery code instead' }).click();
  await third.getByLabel('Recovery code').fill(recoveryCode!);
  await third.keyboard.press('Enter');
  await third.waitForURL('**/dashboard');

  // What protects the account changes only with a code as well.
  await page.getByRole('button', { name: 'New recovery codes' }).click();
  await dialog(page).getByLabel('Password', { exact: true }).fill(testPassword);
  await dialog(page).getByRole('button', { name: 'Use a recovery code instead' }).click();
  await dialog(page).getByLabel('Recovery code').fill(secondCode!);
  await page.keyboard.press('Enter');
  await dialog(page).getByText('Save your recovery codes').waitFor();
  await dialog(page).getByRole('button', { name: "I've saved them" }).click();
  await page.getByRole('button', { name: 'Change email' }).click();
  await dialog(page).getByRole('textbox', { name: 'Code' }).waitFor();
  for (const window of [page, other, third]) await window.context().close();
});

test('settings are saved as they are changed, survive a reload and follow the seller', async () => {
  const { email } = await stack.seller();
  const page = await openWindow({ colorScheme: 'light' });
  await signIn(stack, page, email);
  await openProfile(stack, page, 'settings');
  await page.getByLabel('Theme', { exact: true }).selectOption('dark');
  await page.getByLabel('Image quality').selectOption('low');
  await page.getByRole('switch', { name: 'By email' }).click();
  await page.getByRole('switch', { name: 'Keep my draft' }).click();
  await expect.poll(() => page.getByText('Saved', { exact: true }).count()).toBe(4);
  const shown = async (window: Page) => ({
    theme: await window.evaluate('document.documentElement.dataset.theme'),
    quality: await window.getByLabel('Image quality').inputValue(),
    mail: await window.getByRole('switch', { name: 'By email' }).isChecked(),
    draft: await window.getByRole('switch', { name: 'Keep my draft' }).isChecked(),
  });
  const chosen = { theme: 'dark', quality: 'low', mail: true, draft: false };
  await page.reload();
  await page.getByText('Where you are signed in').waitFor();
  expect(await shown(page)).toEqual(chosen);

  const other = await openWindow({ colorScheme: 'light' });
  await signIn(stack, other, email);
  await openProfile(stack, other, 'settings');
  expect(await shown(other)).toEqual(chosen);
  await Promise.all([page.context().close(), other.context().close()]);
});

test('a draft survives a reload unless the seller has it dropped', async () => {
  const { email } = await stack.seller();
  const page = await openWindow();
  const scene = page.getByLabel('Scene description');
  await signIn(stack, page, email);
  await scene.fill('On oak, in the morning');
  await page.reload();
  await expect.poll(() => scene.inputValue()).toBe('On oak, in the morning');
  await openProfile(stack, page, 'settings');
  await page.getByRole('switch', { name: 'Keep my draft' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Studio' }).click();
  await scene.waitFor();
  expect(await scene.inputValue()).toBe('');
  await page.context().close();
});

test('the list of sessions ends another window; signing out everywhere ends this one too', async () => {
  const { email } = await stack.seller();
  const page = await openWindow();
  const other = await openWindow();
  await signIn(stack, page, email);
  await signIn(stack, other, email);
  await openProfile(stack, page, 'security');
  await page.getByText('This device').waitFor();
  await page.getByRole('button', { name: /^Sign out Chrome/ }).click();
  await other.waitForURL('**/login');
  await other.getByText('You were signed out.').waitFor();

  await signIn(stack, other, email);
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await dialog(page).getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByText('You are signed out.').waitFor();
  await other.waitForURL('**/login');
  await Promise.all([page.context().close(), other.context().close()]);
});

test('a new address is confirmed by its mail and the password; the old one takes the account back', async () => {
  const { email } = await stack.seller();
  const page = await openWindow();
  await signIn(stack, page, email);
  await openProfile(stack, page, 'account');
  const newEmail = newAddress();
  await page.getByRole('button', { name: 'Change email' }).click();
  await dialog(page).getByLabel('New email').fill(newEmail);
  await dialog(page).getByLabel('Current password', { exact: true }).fill(testPassword);
  await page.keyboard.press('Enter');
  await dialog(page).getByText(`We sent a link to ${newEmail}`).waitFor();
  const link = await linkTo('confirmEmail', newEmail, '');
  await page.goto(link);
  await password(page).fill('Wrong-Horse-7');
  await page.getByRole('button', { name: 'Confirm the address' }).click();
  await page.getByText('Incorrect password. Please try again.').waitFor();
  await password(page).fill(testPassword);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Open your profile' }).click();
  await page.getByText(newEmail).first().waitFor();
  await page.getByRole('button', { name: 'Delete account' }).click();
  await dialog(page).getByLabel('Password', { exact: true }).fill(testPassword);
  await page.keyboard.press('Enter');
  await dialog(page).getByText('Your email address was changed less than 7 days ago.').waitFor();

  const owner = await openWindow();
  await owner.goto(await linkTo('undoEmail', email, 'address was changed'));
  await password(owner, 'New password').fill('Better-Horse-8');
  await password(owner, 'Confirm new password').fill('Better-Horse-8');
  await owner.getByRole('button', { name: 'Undo the change' }).click();
  await owner.getByText('Your account is recovered.').waitFor();
  await page.waitForURL('**/login');
  await signIn(stack, owner, email, 'Better-Horse-8');
  await page.goto(link);
  await password(page).fill(testPassword);
  await page.keyboard.press('Enter');
  await heading(page, 'This link has expired');
  await Promise.all([page.context().close(), owner.context().close()]);
});

test('the account is deleted with the password', async () => {
  const { email } = await stack.seller();
  const page = await openWindow();
  await signIn(stack, page, email);
  await openProfile(stack, page, 'account');
  await page.getByRole('button', { name: 'Delete account' }).click();
  await dialog(page).getByLabel('Password', { exact: true }).fill('Wrong-Horse-7');
  await page.keyboard.press('Enter');
  await dialog(page).getByText('Incorrect password. Please try again.').waitFor();
  await dialog(page).getByLabel('Password', { exact: true }).fill(testPassword);
  await page.keyboard.press('Enter');
  await page.getByText('Your account is deleted.').waitFor();
  await trySignIn(stack, page, email);
  await page.getByText('Invalid email or password.').waitFor();
  await page.context().close();
});

test('a plan that is used up says when images come; the way on leads to the plans', async () => {
  const { id, email } = await stack.seller();
  const page = await openWindow();
  await stack.models.profiles.updateOne(
    { _id: id },
    { $set: { generations_left: 0, settled: 100 }, $inc: { revision: 1 } },
  );
  await signIn(stack, page, email);
  await page.getByText('You have no images left').waitFor();
  await page.getByText(/100 images when your plan renews on/).waitFor();
  expect(await page.getByRole('button', { name: 'Generate Image' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Upgrade Plan' }).click();
  await page.waitForURL('**/profile#plans');
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Available Plans');
  await page.context().close();
});

test('a setting that the server refuses goes back, and says why', async () => {
  const { email } = await stack.seller();
  const page = await openWindow();
  await signIn(stack, page, email);
  await openProfile(stack, page, 'settings');
  await page.route('**/api/me/settings', (route) => route.abort());
  const mail = page.getByRole('switch', { name: 'By email' });
  await mail.click();
  await page.getByText('We could not reach Packshot.').waitFor();
  expect(await mail.isChecked()).toBe(false);
  await page.unroute('**/api/me/settings');
  await mail.click();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect(await mail.isChecked()).toBe(true);
  await page.context().close();
});
