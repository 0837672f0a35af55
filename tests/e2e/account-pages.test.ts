import { expect } from 'vitest';
import { dialog, heading, openProfile, signIn, signUp } from '#tests/support/account-steps.ts';
import { layoutProblems, looks } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { newAddress } from '#tests/support/visitor.ts';

const test = testWithStackAndBrowser({ workers: 1 });

for (const { look, window } of looks) {
  test(`every account page is accessible and fits the window: ${look}`, async ({ stack, openWindow }) => {
    const { page } = await openWindow(window);
    const problems: string[] = [];
    const check = async (name: string, part?: string) => {
      problems.push(...(await layoutProblems(page, name, part)));
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
      await check(path);
    }
    await signUp(stack, page, newAddress());
    await check('check your mail');
    const { email } = await stack.seller({ paid: window.colorScheme === 'light' });
    await signIn(stack, page, email);
    await openProfile(stack, page, 'account');
    await page.getByText('What happened in your account').waitFor();
    await check('/profile');
    const buttons = ['Change name', 'Change email', 'Change password', 'Turn on', 'Delete account'];
    for (const name of buttons) {
      const button = page.getByRole('button', { name, exact: true });
      await button.click();
      await dialog(page).waitFor();
      await check(name, '[role=dialog]');
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'hidden' });
      // The focus returns to the button.
      await button.and(page.locator(':focus')).waitFor();
    }
    expect(problems).toEqual([]);
  });
}
