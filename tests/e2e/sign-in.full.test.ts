/** "Stay signed in", and the reminder of an old password. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { limits } from '#contract';
import { openAs, openProfile, password, signIn, trySignIn } from '#tests/support/account-steps.ts';
import { everyLook, layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';

const test = testWithStackAndBrowser({ workers: 0 });

const stay = (page: Page) => page.getByRole('checkbox', { name: 'Stay signed in' });
const reminder = (page: Page) => page.getByRole('complementary', { name: 'Your password' });
const sessionCookie = async (page: Page) =>
  (await page.context().cookies()).find(({ name }) => name === 'packshot')!;

/** Makes a session as if it had not been used for some minutes. */
async function idle({ models }: TestStack, sellerId: string, minutes: number): Promise<void> {
  for (const { _id, idle_minutes: idleMinutes } of await models.sessions.find({ user_id: sellerId }).lean()) {
    const lastSeen = Date.now() - minutes * 60_000;
    await models.sessions.updateOne(
      { _id },
      { last_seen_at: new Date(lastSeen), expires_at: new Date(lastSeen + idleMinutes * 60_000) },
    );
  }
}

test('a browser that was ticked stays signed in over days, and the list of sessions says so', async ({
  stack,
  openWindow,
}) => {
  const seller = await stack.seller();
  await stack.models.sessions.deleteMany({ user_id: seller.id });
  const [kept, usual] = [await openWindow(), await openWindow()];
  await kept.page.goto(`${stack.url}/login`);
  expect(await stay(kept.page).isChecked()).toBe(false);
  expect(await layoutProblems(kept.page, 'sign-in', undefined, everyLook)).toEqual([]);
  await kept.page.getByLabel('Email').fill(seller.email);
  await password(kept.page).fill(testPassword);
  await stay(kept.page).check();
  await kept.page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await kept.page.waitForURL('**/dashboard');
  await signIn(stack, usual.page, seller.email);
  const daysLeft = async (page: Page) => ((await sessionCookie(page)).expires - Date.now() / 1_000) / 86_400;
  expect(await daysLeft(kept.page)).toBeGreaterThan(limits.staySignedInDays - 0.1);
  expect(await daysLeft(usual.page)).toBeLessThan(0.1);
  await openProfile(stack, usual.page, 'security');
  await usual.page.getByText('stays signed in').waitFor();

  // After a day, the one is still in and the other is asked again.
  await idle(stack, seller.id, 1_440);
  const { url } = await stack.startServer();
  for (const { page } of [kept, usual]) {
    const cookies = await page.context().cookies();
    await page
      .context()
      .addCookies(cookies.map(({ domain: _, path: __, ...cookie }) => ({ ...cookie, url })));
    await page.goto(`${url}/dashboard`);
  }
  await kept.page.getByLabel('Scene description').waitFor();
  await usual.page.waitForURL('**/login');
  await usual.page.getByRole('button', { name: 'Sign In', exact: true }).waitFor();
});

test('an old password is reminded of on every page; kept, it is quiet for as long again; changed where that was chosen', async ({
  stack,
  openWindow,
}) => {
  const seller = await stack.seller();
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  await stack.models.users.updateOne({ _id: seller.id }, { password_changed_at: daysAgo(91) });
  const { page, problems } = await openWindow();
  await openAs(stack, page, seller, '/library');
  await reminder(page).getByText("You've had your password for more than 90 days.").waitFor();
  expect(await layoutProblems(page, 'the reminder', undefined, everyLook)).toEqual([]);
  await reminder(page).getByRole('link', { name: 'Change it' }).click();
  await page.getByRole('dialog', { name: 'Change your password' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await reminder(page).getByRole('button', { name: 'Keep my password' }).click();
  await reminder(page).waitFor({ state: 'detached' });
  await openProfile(stack, page, 'security');
  expect(await reminder(page).count()).toBe(0);

  await page.getByRole('switch', { name: 'Make me change my password every 90 days' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect(problems).toEqual([]);
  const again = await openWindow();
  await trySignIn(stack, again.page, seller.email);
  await again.page.getByText('Your password has expired. Please choose a new one to sign in.').waitFor();
  await again.page.getByLabel('New password', { exact: true }).fill('Newer-Horse-8');
  await again.page.getByLabel('Confirm new password', { exact: true }).fill('Newer-Horse-8');
  await again.page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await again.page.waitForURL('**/dashboard');
});
