import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dialog, heading, openProfile, signIn, signUp } from '#tests/support/account-steps.ts';
import {
  accessibilityProblems,
  launchBrowser,
  looks,
  openBrowserWindow,
  overflow,
} from '#tests/support/browser.ts';
import { startTestStack, type TestStack } from '#tests/support/stack.ts';
import { newAddress } from '#tests/support/visitor.ts';

let stack: TestStack;
let browser: Browser;
beforeAll(async () => {
  [stack, browser] = await Promise.all([startTestStack({ workers: 1 }), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

for (const { colorScheme, width } of looks) {
  test(`every page of the account is accessible and fits: ${colorScheme}, ${width} px`, async () => {
    const { page } = await openBrowserWindow(browser, {
      colorScheme,
      viewport: { width, height: 844 },
    });
    const problems: string[] = [];
    const look = async (name: string, part?: string) => {
      problems.push(...(await accessibilityProblems(page, part)).map((problem) => `${name}: ${problem}`));
      const wider = await overflow(page);
      if (wider > 0) problems.push(`${name}: ${wider} px wider than the window`);
    };
    const publicPages = {
      '/forgot-password': 'Forgot your password?',
      '/reset-password?token=one': 'Set a new password',
      '/verify-email?token=one': 'This link has expired',
      '/unlock?token=one': 'This link has expired',
      '/confirm-email': 'This link has expired',
      '/confirm-email?token=one': 'Confirm your new address',
      '/undo-email?token=one': 'Recover your account',
    };
    for (const [path, name] of Object.entries(publicPages)) {
      await page.goto(stack.url + path);
      await heading(page, name);
      await look(path);
    }
    await signUp(stack, page, newAddress());
    await look('check your mail');
    const { email } = await stack.seller({ paid: colorScheme === 'light' });
    await signIn(stack, page, email);
    await openProfile(stack, page, 'account');
    await page.getByText('What happened in your account').waitFor();
    await look('/profile');
    const buttons = ['Change name', 'Change email', 'Change password', 'Turn on', 'Delete account'];
    for (const name of buttons) {
      const button = page.getByRole('button', { name, exact: true });
      await button.click();
      await dialog(page).waitFor();
      await look(name, '[role=dialog]');
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'hidden' });
      // The focus is where it was.
      await button.and(page.locator(':focus')).waitFor();
    }
    expect(problems).toEqual([]);
    await page.context().close();
  });
}
