import { expect } from 'vitest';
import { apiKeyPaths, type ErrorCode, errorDefinitions, paths, usagePaths } from '#contract';
import {
  dialog,
  heading,
  openProfile,
  type ProfilePage,
  signUp,
  startSession,
} from '#tests/support/account-steps.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { testPassword } from '#tests/support/seller.ts';
import { newAddress } from '#tests/support/visitor.ts';

/** The body of an error reply. */
const errorReply = (code: ErrorCode) => ({
  error: { code, message: errorDefinitions[code][1], requestId: 'test' },
});
const profilePages = ['profile', 'plan', 'usage', 'preferences', 'security', 'apiKeys', 'data'] as const;
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
    '/verify-email': 'This link has expired',
    '/verify-email?token=one': 'Confirm your email',
    '/unlock': 'This link has expired',
    '/unlock?token=one': 'Unlock your account',
    '/confirm-email': 'This link has expired',
    '/confirm-email?token=one': 'Confirm your new email',
    '/undo-email?token=one': 'Recover your account',
    '/confirm-reachable': 'This link has expired',
    '/confirm-reachable?token=one': 'Confirm that our email reaches you',
    '/goodbye': 'When an account is deleted',
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

/** The buttons of each sub-page that open a dialog. */
const dialogButtons: Readonly<Record<ProfilePage, readonly string[]>> = {
  profile: ['Change name', 'Change email'],
  plan: [],
  usage: [],
  preferences: [],
  security: ['Change password', 'Turn on', 'Sign out everywhere'],
  apiKeys: ['Make a key'],
  data: ['Export my data', 'Delete account'],
};

for (const paid of [true, false]) {
  test(`the account settings of a seller ${paid ? 'with' : 'without'} a plan are accessible and fit the window, with their dialogs`, async ({
    stack,
    openWindow,
  }) => {
    const { page } = await openWindow();
    const { email } = await stack.seller({ paid });
    await startSession(stack, page, email);
    const problems: string[] = [];
    for (const name of paid ? profilePages : (['plan', 'usage'] as const)) {
      await openProfile(stack, page, name);
      // Not before its data has arrived.
      await expect.poll(() => page.getByText('Loading…').count()).toBe(0);
      problems.push(...(await layoutProblems(page, name)));
      for (const label of dialogButtons[name]) {
        const button = page.getByRole('button', { name: label, exact: true });
        await button.click();
        await dialog(page).waitFor();
        problems.push(...(await layoutProblems(page, label, '[role=dialog]')));
        await page.keyboard.press('Escape');
        await dialog(page).waitFor({ state: 'hidden' });
        // The focus returns to the button.
        await button.and(page.locator(':focus')).waitFor();
      }
    }
    expect(problems).toEqual([]);
  });
}

test('the menu of the account settings leads to each page, names it, and each page requests only its own data', async ({
  stack,
  profilePage,
}) => {
  const { page } = await profilePage('profile');
  const dataOfPages: string[] = [
    paths.subscription,
    paths.creditEntries,
    usagePaths.usage,
    paths.sessions,
    paths.activity,
    apiKeyPaths.apiKeys,
  ];
  const requested: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (dataOfPages.includes(pathname)) requested.push(pathname);
  });
  const menu = page.getByRole('navigation', { name: 'Account Settings' });
  const visit = async (name: string) => {
    requested.length = 0;
    await menu.getByRole('link', { name }).click();
    // The heading has the focus, so that a screen reader says where the seller is.
    await page.getByRole('heading', { level: 1, name }).and(page.locator(':focus')).waitFor();
    expect(await page.title()).toBe(`${name} · Account Settings · Packshot`);
    expect(await menu.locator('[aria-current=page]').allTextContents()).toEqual([name]);
    await expect.poll(() => page.getByText('Loading…').count()).toBe(0);
    return requested.toSorted();
  };
  expect(await visit('Plan & billing')).toEqual([paths.subscription]);
  expect(await visit('Usage')).toEqual([paths.creditEntries, usagePaths.usage].toSorted());
  expect(await visit('Preferences')).toEqual([]);
  expect(await visit('Security')).toEqual([paths.activity, paths.sessions].toSorted());
  expect(await visit('API')).toEqual([apiKeyPaths.apiKeys]);
  expect(await visit('Data')).toEqual([]);

  // A link from before there were sub-pages, in a mail or a bookmark.
  await page.goto(`${stack.url}/profile#plans`);
  await page.waitForURL('**/profile/plan#plans');
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Available Plans');
});

test('every refusal shows, also the same one again: in a form, and when the subscription cannot be read or the portal does not open', async ({
  stack,
  profilePage,
}) => {
  const { page, email } = await profilePage('profile');
  const alert = page.getByRole('alert');
  // Each alert has to be a new element, or a screen reader would not announce it.
  const refusals = async (repeat: () => Promise<void>, text: string) => {
    await alert.getByText(text).waitFor();
    const first = await alert.elementHandle();
    await repeat();
    await expect
      .poll(() => first!.evaluate((element: { isConnected: boolean }) => element.isConnected))
      .toBe(false);
    await alert.getByText(text).waitFor();
  };
  await page.getByRole('button', { name: 'Change name' }).click();
  await dialog(page).getByLabel('Full name').fill('4');
  await page.keyboard.press('Enter');
  await refusals(() => page.keyboard.press('Enter'), 'Please enter a valid name');
  await page.keyboard.press('Escape');

  let answers = 0;
  await page.route(`**${paths.subscription}`, (route) => {
    answers += 1;
    return route.fulfill({
      status: 503,
      json: errorReply(answers < 3 ? 'SUBSCRIPTION_UNREADABLE' : 'RATE_LIMITED'),
    });
  });
  await page.getByRole('link', { name: 'Plan & billing' }).click();
  const retry = page.getByRole('button', { name: 'Try again' });
  await refusals(() => retry.click(), 'Failed to load subscription data.');
  await retry.click();
  await alert.getByText('Too many requests. Please try again later').waitFor();
  await page.unroute(`**${paths.subscription}`);
  await retry.click();
  await retry.waitFor({ state: 'hidden' });

  await page.route(`**${paths.portalSession}`, (route) =>
    route.fulfill({ status: 500, json: errorReply('INTERNAL') }),
  );
  await stack.models.profiles.updateOne(
    { email },
    {
      $set: { subscription_status: 'past_due', stripe_customer_id: `cus_of_${email}` },
      $inc: { revision: 1 },
    },
  );
  // On the page of the plan, and elsewhere.
  await openProfile(stack, page, 'plan');
  await page.getByRole('button', { name: 'Manage Billing' }).click();
  await page.getByText('Failed to manage subscription').waitFor();
  await page.getByRole('button', { name: 'Update your payment method' }).click();
  await page.getByText('Failed to open billing portal').waitFor();
});

test("a network's sign-in page in the place of a reply is no success: nobody is told that they are signed out or deleted", async ({
  profilePage,
}) => {
  const { page } = await profilePage('data');
  for (const path of [paths.session, paths.deletion]) {
    await page.route(`**${path}`, (route) =>
      route.request().method() === 'GET'
        ? route.continue()
        : route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Sign in to this network</h1>' }),
    );
  }
  await page.getByRole('button', { name: /account of/i }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await page
    .getByText(/^We can't tell whether that worked\. Reload this page: if it shows your account/)
    .waitFor();
  await page.getByRole('button', { name: 'Delete account' }).click();
  await dialog(page).getByLabel('Password', { exact: true }).fill(testPassword);
  await page.keyboard.press('Enter');
  await dialog(page)
    .getByText(/^We can't tell whether that worked\./)
    .waitFor();
  expect(new URL(page.url()).pathname).toBe('/profile/data');
});

test('where the browser keeps no cookie, signing in says so', async ({ stack, openWindow }) => {
  const { email } = await stack.seller();
  const { page } = await openWindow();
  await page.route(`**${paths.session}`, async (route) => {
    const reply = await route.fetch();
    const headers = Object.fromEntries(
      Object.entries(reply.headers()).filter(([name]) => name !== 'set-cookie'),
    );
    await page.context().clearCookies();
    await route.fulfill({ response: reply, headers });
  });
  await page.goto(`${stack.url}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(testPassword);
  await page.keyboard.press('Enter');
  await page.getByText(/^Your browser blocks cookies, so you can't be signed in\./).waitFor();
  expect(new URL(page.url()).pathname).toBe('/login');
});
