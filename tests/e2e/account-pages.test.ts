import { expect } from 'vitest';
import { dialog, heading, openProfile, signUp, startSession } from '#tests/support/account-steps.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { newAddress } from '#tests/support/visitor.ts';

const test = testWithStackAndBrowser({ workers: 1 });

test('every page of a link that was mailed is accessible and fits the window', async ({
  stack,
  openWindow,
}) => {
  const { page } = await openWindow();
  const problems: string[] = [];
  const headings = {
    '/forgot-password': 'Forgot your password?',
    '/reset-password?token=one': 'Set a new password',
    '/verify-email?token=one': 'This link has expired',
    '/unlock?token=one': 'This link has expired',
    '/confirm-email': 'This link has expired',
    '/confirm-email?token=one': 'Confirm your new address',
    '/undo-email?token=one': 'Recover your account',
  };
  for (const [path, name] of Object.entries(headings)) {
    await page.goto(stack.url + path);
    await heading(page, name);
    problems.push(...(await layoutProblems(page, path)));
  }
  await signUp(stack, page, newAddress());
  problems.push(...(await layoutProblems(page, 'check your mail')));
  expect(problems).toEqual([]);
});

for (const paid of [true, false]) {
  test(`the profile of a seller ${paid ? 'with' : 'without'} a plan and its dialogs are accessible and fit the window`, async ({
    stack,
    openWindow,
  }) => {
    const { page } = await openWindow();
    const { email } = await stack.seller({ paid });
    await startSession(stack, page, email);
    await openProfile(stack, page, 'account');
    await page.getByText('What happened in your account').waitFor();
    const problems = await layoutProblems(page, '/profile');
    const buttons = ['Change name', 'Change email', 'Change password', 'Turn on', 'Delete account'];
    for (const name of buttons) {
      const button = page.getByRole('button', { name, exact: true });
      await button.click();
      await dialog(page).waitFor();
      problems.push(...(await layoutProblems(page, name, '[role=dialog]')));
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'hidden' });
      // The focus returns to the button.
      await button.and(page.locator(':focus')).waitFor();
    }
    expect(problems).toEqual([]);
  });
}
