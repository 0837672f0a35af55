import { expect } from 'vitest';
import { paths } from '#contract';
import { disableAccount, enableAccount } from '#shared/data/accounts/users.ts';
import {
  fillInSignUp,
  heading,
  mailedLink,
  openProfile,
  password,
  signIn,
  signUp,
  startSession,
  trySignIn,
} from '#tests/support/account-steps.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { testPassword } from '#tests/support/seller.ts';
import { newAddress } from '#tests/support/visitor.ts';

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
