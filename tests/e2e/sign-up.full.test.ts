/** Sign-up and sign-in, and what password managers find in the forms. */

import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { passwordRulesAttribute, paths } from '#contract';
import { disableAccount, enableAccount } from '#shared/data/accounts/users.ts';
import { call, twoFactorSeller } from '#tests/support/account.ts';
import {
  dialog,
  fillInSignUp,
  heading,
  mailedLink,
  openAs,
  openProfile,
  password,
  shareSession,
  signIn,
  signUp,
  startSession,
  trySignIn,
} from '#tests/support/account-steps.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { testPassword } from '#tests/support/seller.ts';
import { createVisitor, newAddress, signUpForm } from '#tests/support/visitor.ts';

const test = testWithStackAndBrowser({ workers: 1 });

test('the verification link requires the password in another browser, and works only once', async ({
  stack,
  openWindow,
}) => {
  const email = newAddress();
  const { page: first } = await openWindow();
  await signUp(stack, first, email);
  const { page: other } = await openWindow();
  await trySignIn(stack, other, email);
  await other.getByRole('button', { name: 'Resend link' }).waitFor();

  const link = await mailedLink(stack, 'verifyEmail', email, 'Confirm your email');
  await other.goto(link);
  await other.getByRole('button', { name: 'Confirm and open your studio' }).click();
  await password(other).fill('Wrong-Horse-7');
  await other.getByRole('button', { name: 'Confirm and open your studio' }).click();
  await other.getByText('Incorrect password. Please try again.').waitFor();
  await password(other).fill(testPassword);
  await other.keyboard.press('Enter');
  await other.waitForURL('**/dashboard');
  await first.goto(link);
  await first.getByRole('button', { name: 'Confirm and open your studio' }).click();
  await heading(first, 'This link has expired');
});

test('sign-up asks about a misspelled domain, shows the plan in a line, and what a password still needs', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  await page.goto(`${stack.url}/signup?plan=enterprise`);
  expect(await layoutProblems(page, 'sign-up')).toEqual([]);
  expect(await page.getByText('a month').first().isVisible()).toBe(false);
  await page.getByText('Plan: Enterprise').click();
  await page.getByRole('radio', { name: /^Freelance/ }).check();
  await page.getByText('Plan: Freelance').waitFor();
  await page.getByLabel('Email').fill('ana@gmial.com');
  await page.getByRole('button', { name: /ana@gmail\.com/ }).click();
  expect(await page.getByLabel('Email').inputValue()).toBe('ana@gmail.com');
  expect(await page.getByText('Did you mean').count()).toBe(0);
  await password(page).fill('PASSWORD');
  await page.getByText('Still needed: a number, a special character, a lowercase letter').waitFor();
  await password(page).fill(testPassword);
  expect(await page.getByText('Still needed').count()).toBe(0);
  expect(await page.getByText('Strong').count()).toBe(0);
  expect(await layoutProblems(page, 'sign-up, filled in')).toEqual([]);
  expect(problems).toEqual([]);
});

test('a forgotten password is reset; a common password is rejected', async ({ stack, openWindow }) => {
  const { email } = await stack.seller();
  const { page } = await openWindow();
  await page.goto(`${stack.url}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  expect(await page.getByLabel('Email').inputValue()).toBe(email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await heading(page, 'Check your email');

  await page.goto(await mailedLink(stack, 'resetPassword', email, 'password'));
  const fill = async (given: string) => {
    await password(page, 'New password').fill(given);
    await password(page, 'Confirm new password').fill(given);
    await page.getByRole('button', { name: 'Set password' }).click();
  };
  await fill('P@ssword1!');
  await page.getByText('This password is too easy to guess').waitFor();
  await fill('Better-Horse-8');
  await page.getByText('Your new password is set.').waitFor();
  await trySignIn(stack, page, email);
  await page.getByText('Invalid email or password.').waitFor();
  await signIn(stack, page, email, 'Better-Horse-8');
});

test('a disabled account, and replies without an error code, have texts of their own; a failed sign-out says that one is still signed in', async ({
  stack,
  openWindow,
}) => {
  const { page } = await openWindow();
  const { id, email } = await stack.seller();
  await disableAccount(stack.db, id);
  await trySignIn(stack, page, email);
  await page.getByText('This account has been disabled. Please contact support.').waitFor();
  expect(await page.getByRole('link', { name: 'Contact support' }).getAttribute('href')).toBe('/contact');
  await enableAccount(stack.db, id);

  const errorPage = { status: 403, contentType: 'text/html', body: '<h1>Forbidden</h1>' };
  await page.route(`**${paths.session}`, (route) => route.fulfill(errorPage));
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByText('Failed to sign in. Please check your credentials.').waitFor();
  await page.unroute(`**${paths.session}`);
  await page.route(`**${paths.accounts}`, (route) => route.fulfill(errorPage));
  await fillInSignUp(stack, page, newAddress());
  await page.getByText('Failed to create account. Please try again.').waitFor();

  await startSession(stack, page, email);
  await openProfile(stack, page, 'profile');
  await page.route(`**${paths.session}`, (route) => route.fulfill(errorPage));
  await page.getByRole('button', { name: /account of/i }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await page.getByText('An error occurred during sign out').waitFor();
  await page.getByText('You are still signed in.').waitFor();
});

interface PasswordForm {
  usernames: string[];
  passwords: string[];
  rules: string[];
}

/** In the page: the forms that have a password, with the user names in them and what their passwords are for. */
const forms = `[...document.querySelectorAll('form')].flatMap((form) => {
  const fields = [...form.querySelectorAll('input')];
  const passwords = fields.filter(({ type }) => type === 'password');
  if (passwords.length === 0) return [];
  const usernames = fields.filter(({ autocomplete }) => autocomplete === 'username');
  return [{
    usernames: usernames.map(({ value }) => value),
    passwords: passwords.map(({ autocomplete }) => autocomplete),
    rules: passwords.flatMap((field) => field.getAttribute('passwordrules') ?? []),
  }];
})`;
const passwordForms = (page: Page) => page.evaluate<PasswordForm[]>(forms);

/** Expects that a page has one form with passwords, and in it the address. */
async function expectForm(page: Page, email: string, passwords: string[]): Promise<void> {
  const rules = passwords.filter((each) => each === 'new-password').map(() => passwordRulesAttribute);
  await expect
    .poll(() => passwordForms(page), eventually)
    .toEqual([{ usernames: [email], passwords, rules }]);
}

const current = 'current-password';
const renewed = ['new-password', 'new-password'];

test('each page with a password has one user name: that which is typed there, or the address of the mailbox', async ({
  stack,
  openWindow,
}) => {
  const { page } = await openWindow();
  await page.goto(`${stack.url}/login`);
  await expectForm(page, '', [current]);
  await page.goto(`${stack.url}/signup`);
  await expectForm(page, '', renewed);

  const seller = await stack.seller({ paid: false });
  const [unverified, newEmail] = [newAddress(), newAddress()];
  const visitor = createVisitor(stack.url);
  await visitor.post(paths.accounts, signUpForm({ email: unverified }));
  await visitor.post(paths.passwordReset, { email: seller.email });
  await call(seller, 'POST', paths.email, { email: newEmail, password: testPassword });
  await page.goto(await mailedLink(stack, 'resetPassword', seller.email, 'Choose a new password'));
  await expectForm(page, seller.email, renewed);
  await page.goto(await mailedLink(stack, 'undoEmail', seller.email, 'about to change'));
  await expectForm(page, seller.email, renewed);
  await page.goto(await mailedLink(stack, 'confirmEmail', newEmail, 'Confirm your new email'));
  await expectForm(page, newEmail, [current]);
  // In a browser that did not sign up.
  await page.goto(await mailedLink(stack, 'verifyEmail', unverified, 'Confirm your email'));
  await page.getByRole('button', { name: 'Confirm and open your studio' }).click();
  await expectForm(page, unverified, [current]);
});

test('each dialog with a password has the address of the account', async ({ stack, openWindow }) => {
  const { seller } = await twoFactorSeller(stack);
  const one = await stack.seller({ paid: false });
  const dialogs: [seller: typeof one, path: string, button: string, passwords: string[]][] = [
    [one, '/profile', 'Change email', [current]],
    [one, '/profile/security', 'Change password', [current, ...renewed]],
    [one, '/profile/security', 'Turn on', [current]],
    [one, '/profile/data', 'Delete account', [current]],
    [seller, '/profile/security', 'New recovery codes', [current]],
    [seller, '/profile/security', 'Turn off', [current]],
  ];
  const { page } = await openWindow();
  for (const [account, path, button, passwords] of dialogs) {
    await openAs(stack, page, account, path);
    await page.getByRole('button', { name: button, exact: true }).click();
    await dialog(page).waitFor();
    await expectForm(page, account.email, passwords);
    // People do not meet it.
    expect(await dialog(page).locator('[autocomplete=username]').getAttribute('tabindex')).toBe('-1');
  }
});

test('the well-known address of a new password opens its dialog, also after signing in', async ({
  stack,
  openWindow,
}) => {
  const seller = await stack.seller({ paid: false });
  const { page } = await openWindow();
  await shareSession(stack, page, seller);
  await page.goto(`${stack.url}/.well-known/change-password`);
  await dialog(page).getByRole('heading', { name: 'Change your password' }).waitFor();

  const { page: other } = await openWindow();
  await other.goto(`${stack.url}/.well-known/change-password`);
  await other.getByLabel('Email').fill(seller.email);
  await other.getByLabel('Password', { exact: true }).fill(testPassword);
  await other.keyboard.press('Enter');
  await dialog(other).getByRole('heading', { name: 'Change your password' }).waitFor();
});
