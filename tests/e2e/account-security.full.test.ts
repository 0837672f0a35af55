/** Two-factor sign-in, passkeys, sessions, address and deletion, on the pages. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { codeOf } from '#tests/support/account.ts';
import {
  dialog,
  heading,
  mailedLink,
  openDashboard,
  openProfile,
  password,
  shareSession,
  signIn,
  startSession,
  trySignIn,
} from '#tests/support/account-steps.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { newAddress, resetSignInLimit } from '#tests/support/visitor.ts';

const test = testWithStackAndBrowser({ workers: 1 });

test('two-factor sign-in is turned on, then required at sign-in and for account changes; a recovery code replaces the app', async ({
  stack,
  openWindow,
  profilePage,
}) => {
  const { page, email } = await profilePage('security');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await dialog(page).getByLabel('Password', { exact: true }).fill(testPassword);
  await page.keyboard.press('Enter');
  await dialog(page)
    .getByRole('img', { name: /QR code/ })
    .waitFor();
  const shownSecret = dialog(page).getByTestId('two-factor-secret');
  expect(await shownSecret.getAttribute('translate')).toBe('no');
  const secret = (await shownSecret.textContent())!.replaceAll(' ', '');
  await dialog(page).getByRole('textbox', { name: 'Code' }).fill(codeOf(secret));
  await page.keyboard.press('Enter');
  await dialog(page).getByText('Save your recovery codes').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog(page).getByRole('link', { name: 'Download' }).click(),
  ]);
  // Until the seller says that they are saved, neither a key, a click beside them, Back, nor closing the tab removes them.
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await page.evaluate('history.back()');
  const [warning] = await Promise.all([page.waitForEvent('dialog'), page.close({ runBeforeUnload: true })]);
  expect(warning.type()).toBe('beforeunload');
  await warning.dismiss();
  const codeList = dialog(page).getByRole('list', { name: 'Recovery codes' });
  expect(await codeList.getAttribute('translate')).toBe('no');
  const [recoveryCode, secondCode] = (await readFile(await download.path(), 'utf8'))
    .trim()
    .split('\n')
    .slice(2);
  await dialog(page).getByRole('button', { name: "I've saved them" }).click();
  await page.getByRole('button', { name: 'Turn off' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/profile/security');

  const { page: other } = await openWindow();
  await trySignIn(stack, other, email);
  const code = other.getByRole('textbox', { name: 'Code' });
  // The password that was entered is kept.
  await code.waitFor();
  expect(await password(other).inputValue()).toBe(testPassword);
  // The code of the current time step was used to turn it on: use the next one.
  await code.fill(codeOf(secret, 1));
  await other.keyboard.press('Enter');
  await other.waitForURL('**/dashboard');

  await resetSignInLimit(stack.db);
  const { page: third } = await openWindow();
  await trySignIn(stack, third, email);
  await third.getByRole('button', { name: 'Use a recovery code instead' }).click();
  await third.getByLabel('Recovery code').fill(recoveryCode!);
  await third.keyboard.press('Enter');
  await third.waitForURL('**/dashboard');

  // Security settings and the email change only with a code, too.
  await page.getByRole('button', { name: 'New recovery codes' }).click();
  await dialog(page).getByLabel('Password', { exact: true }).fill(testPassword);
  await dialog(page).getByRole('button', { name: 'Use a recovery code instead' }).click();
  await dialog(page).getByLabel('Recovery code').fill(secondCode!);
  await page.keyboard.press('Enter');
  await dialog(page).getByText('Save your recovery codes').waitFor();
  await dialog(page).getByRole('button', { name: "I've saved them" }).click();
  await openProfile(stack, page, 'profile');
  await page.getByRole('button', { name: 'Change email' }).click();
  await dialog(page).getByRole('textbox', { name: 'Code' }).waitFor();
});

test('turning off what warns of thieves asks for the password', async ({ profilePage }) => {
  const { page } = await profilePage('security');
  for (const name of ['Security emails', 'Activity log']) {
    // An open dialog hides the page from assistive technology.
    const setting = page.getByRole('switch', { name, includeHidden: true });
    await setting.click();
    await dialog(page).getByLabel('Password', { exact: true }).fill('Wrong-Horse-7');
    await dialog(page).getByRole('button', { name: 'Turn off' }).click();
    await dialog(page).getByText('Incorrect password. Please try again.').waitFor();
    expect(await setting.getAttribute('aria-checked')).toBe('true');
    await dialog(page).getByLabel('Password', { exact: true }).fill(testPassword);
    await dialog(page).getByRole('button', { name: 'Turn off' }).click();
    await dialog(page).waitFor({ state: 'hidden' });
    expect(await setting.getAttribute('aria-checked')).toBe('false');
  }
});

test('the session list signs out another window; "Sign out everywhere" also signs out this one', async ({
  stack,
  openWindow,
}) => {
  const { email } = await stack.seller();
  const { page } = await openWindow();
  const { page: other } = await openWindow();
  await startSession(stack, page, email);
  await openDashboard(stack, other, email);
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
});

test('a new email is confirmed with the password; the link sent to the old address undoes the change', async ({
  stack,
  openWindow,
  profilePage,
}) => {
  const { page, email } = await profilePage('profile');
  const newEmail = newAddress();
  await page.getByRole('button', { name: 'Change email' }).click();
  await dialog(page).getByLabel('New email').fill(newEmail);
  await dialog(page).getByLabel('Current password', { exact: true }).fill(testPassword);
  await page.keyboard.press('Enter');
  await dialog(page).getByText(`We sent a link to ${newEmail}`).waitFor();
  const link = await mailedLink(stack, 'confirmEmail', newEmail, '');
  await page.goto(link);
  await password(page).fill('Wrong-Horse-7');
  await page.getByRole('button', { name: 'Confirm email' }).click();
  await page.getByText('Incorrect password. Please try again.').waitFor();
  await password(page).fill(testPassword);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Open your account settings' }).click();
  await page.getByText(newEmail).first().waitFor();
  await openProfile(stack, page, 'data');
  await page.getByRole('button', { name: 'Delete account' }).click();
  await dialog(page).getByLabel('Password', { exact: true }).fill(testPassword);
  await page.keyboard.press('Enter');
  await dialog(page).getByText('Your email address was changed less than 7 days ago.').waitFor();

  const { page: owner } = await openWindow();
  await owner.goto(await mailedLink(stack, 'undoEmail', email, 'address was changed'));
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
});

test('deleting the account requires the password and ends on a page that says what was deleted', async ({
  stack,
  openWindow,
  profilePage,
}) => {
  const { page, email } = await profilePage('data');
  await page.getByRole('button', { name: 'Delete account' }).click();
  await dialog(page).getByLabel('Password', { exact: true }).fill('Wrong-Horse-7');
  await page.keyboard.press('Enter');
  await dialog(page).getByText('Incorrect password. Please try again.').waitFor();
  await dialog(page).getByLabel('Password', { exact: true }).fill(testPassword);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/goodbye');
  await heading(page, 'Your account is deleted');
  await page.getByText('What is kept').waitFor();
  expect(await page.locator('meta[name=robots]').getAttribute('content')).toBe('noindex');
  const { page: visitor } = await openWindow();
  await visitor.goto(`${stack.url}/goodbye`);
  await heading(visitor, 'When an account is deleted');
  await trySignIn(stack, page, email);
  await page.getByText('Invalid email or password.').waitFor();
});

const onLocalhost = (stack: TestStack): TestStack => ({
  ...stack,
  url: stack.url.replace('127.0.0.1', 'localhost'),
});

/** Gives the browser a built-in authenticator whose owner always shows who they are. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

const signOut = async (stack: TestStack, page: Page) => {
  await page.context().clearCookies();
  await page.goto(`${stack.url}/login`);
};

test('a passkey is added, signs in without a password and after one, and is removed', async ({
  stack: ipStack,
  openWindow,
}) => {
  const stack = onLocalhost(ipStack);
  const seller = await stack.seller();
  const { page } = await openWindow();
  await addAuthenticator(page);
  await shareSession(stack, page, seller);
  await openProfile(stack, page, 'security');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await password(page).fill(testPassword);
  await dialog(page).getByRole('button', { name: 'Continue' }).click();
  await dialog(page).getByLabel('Name (optional)').fill('Work laptop');
  await dialog(page).getByRole('button', { name: 'Create passkey' }).click();
  await dialog(page).getByText('Save your recovery codes').waitFor();
  await dialog(page).getByRole('button', { name: "I've saved them" }).click();
  const list = page.getByRole('list', { name: 'Passkeys' });
  await list.getByText('Work laptop').waitFor();
  await list.getByText('not used yet').waitFor();
  await page.getByText('Asks for your passkey or a recovery code').waitFor();

  // Takes no code, so no passkey either.
  await page.getByRole('switch', { name: 'Activity log' }).click();
  await password(page).waitFor();
  expect(await dialog(page).getByRole('button', { name: 'Use a passkey instead of a code' }).count()).toBe(0);
  await dialog(page).getByRole('button', { name: 'Keep it on' }).click();

  await signOut(stack, page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForURL('**/dashboard');

  await signOut(stack, page);
  await trySignIn(stack, page, seller.email);
  await page.getByText('Please use your passkey, or enter a recovery code.').waitFor();
  await page.getByLabel('Recovery code').waitFor();
  await page.getByRole('button', { name: 'Use your passkey' }).click();
  await page.waitForURL('**/dashboard');

  await openProfile(stack, page, 'security');
  await page.getByRole('button', { name: 'Rename Work laptop' }).click();
  await dialog(page).getByLabel('Name').fill('Old laptop');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Remove Old laptop' }).click();
  await dialog(page).getByText('It is your only second factor.').waitFor();
  // The password is asked for first: the passkey does not stand for it here.
  await dialog(page).getByRole('button', { name: 'Use a passkey instead of a code' }).click();
  await dialog(page).getByText('Email and password are required').waitFor();
  await password(page).fill(testPassword);
  await dialog(page).getByRole('button', { name: 'Use a passkey instead of a code' }).click();
  await page.getByText('The passkey was removed.').waitFor();
  await list.waitFor({ state: 'detached' });
  expect((await seller.me()).user.twoFactorEnabled).toBe(false);

  await signOut(stack, page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('This passkey did not work.').waitFor();
});

test('where passkeys cannot work they are not offered', async ({ stack, openWindow }) => {
  const { page } = await openWindow();
  await page.goto(`${stack.url}/login`);
  await page.getByRole('button', { name: 'Sign In' }).waitFor();
  expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0);
});
