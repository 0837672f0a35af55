/** Passkeys in a browser, with Chromium's virtual authenticator. Only a name can have them, so pages are opened on localhost. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { dialog, openProfile, password, shareSession, trySignIn } from '#tests/support/account-steps.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';

const test = testWithStackAndBrowser({ workers: 1 });

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
