/** Account Settings: what is saved, the theme, how well the account is protected, and its data. */

import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { markUnreachable } from '#shared/data/profiles/unreachable.ts';
import { codeOf } from '#tests/support/account.ts';
import {
  dialog,
  fillInSignUp,
  heading,
  mailedLink,
  openAs,
  openDashboard,
  openProfile,
  password,
  signIn,
} from '#tests/support/account-steps.ts';
import { everyLook, layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { press } from '#tests/support/page-steps.ts';
import { testPassword } from '#tests/support/seller.ts';
import { storedDraft } from '#tests/support/studio-page.ts';
import { newAddress } from '#tests/support/visitor.ts';

const test = testWithStackAndBrowser({ workers: 1 });

test('a setting that could not be saved is rolled back with an error message', async ({ profilePage }) => {
  const { page } = await profilePage('preferences');
  await page.route('**/api/me/settings', (route) => route.abort());
  const mail = page.getByRole('switch', { name: 'By email' });
  await mail.click();
  await page.getByText("We couldn't reach Packshot.").waitFor();
  expect(await mail.isChecked()).toBe(false);
  await page.unroute('**/api/me/settings');
  await mail.click();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect(await mail.isChecked()).toBe(true);
});

test('the reply to an earlier change does not undo a later one on the screen', async ({ profilePage }) => {
  const { page } = await profilePage('preferences');
  const mail = page.getByRole('switch', { name: 'By email' });
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = [first, second];
  await page.route('**/api/me/settings', async (route) => {
    await held.shift()?.promise;
    await route.continue();
  });
  await mail.click();
  await mail.click();
  first.resolve();
  // The second request is sent once the first reply was taken in.
  await expect.poll(() => held.length, eventually).toBe(0);
  expect(await mail.isChecked()).toBe(false);
  second.resolve();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect(await mail.isChecked()).toBe(false);
});

test('a draft survives a reload unless the seller turned drafts off', async ({ stack, openWindow }) => {
  const { email } = await stack.seller();
  const { page } = await openWindow();
  const scene = page.getByLabel('Scene description');
  await openDashboard(stack, page, email);
  await scene.fill('On oak, in the morning');
  await expect.poll(() => storedDraft(page), eventually).toMatchObject({ prompt: 'On oak, in the morning' });
  await page.reload();
  await expect.poll(() => scene.inputValue()).toBe('On oak, in the morning');
  await openProfile(stack, page, 'preferences');
  await page.getByRole('switch', { name: 'Keep my draft' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Studio' }).click();
  await scene.waitFor();
  expect(await scene.inputValue()).toBe('');
});

const themeOf = (page: Page) => page.evaluate<string>('document.documentElement.dataset.theme');
const waitForTheme = (page: Page, theme: string) => expect.poll(() => themeOf(page), eventually).toBe(theme);

/** Chooses a theme in the account menu and waits until it is stored. */
async function choose(page: Page, theme: string): Promise<void> {
  const saved = page.waitForResponse((reply) => reply.url().endsWith('/api/me/settings'));
  await page.getByRole('button', { name: /account/i }).click();
  await page.getByRole('menuitemradio', { name: theme }).click();
  expect((await saved).status()).toBe(200);
  await page.keyboard.press('Escape');
}

/** Records every theme that the next pages of a window show, from the first paint on. */
async function recordThemes(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(`
    globalThis.themesShown = [];
    const record = () => {
      const { theme } = document.documentElement?.dataset ?? {};
      if (theme !== undefined && themesShown.at(-1) !== theme) themesShown.push(theme);
    };
    new MutationObserver(record).observe(document, { attributes: true, childList: true, subtree: true });
  `);
  return () => page.evaluate<string[]>('globalThis.themesShown');
}

test('the theme follows the system until the seller chooses one, which every device then shows', async ({
  stack,
  openWindow,
}) => {
  const seller = await stack.seller();
  const [{ page: laptop }, { page: phone }] = await Promise.all([
    openWindow({ colorScheme: 'light' }),
    openWindow({ colorScheme: 'dark' }),
  ]);
  await openAs(stack, laptop, seller, '/library');
  await openAs(stack, phone, seller, '/library');
  await heading(phone, 'Library');
  expect([await themeOf(laptop), await themeOf(phone)]).toEqual(['light', 'dark']);

  await choose(laptop, 'Dark');
  await waitForTheme(laptop, 'dark');
  await choose(laptop, 'Light');
  await waitForTheme(laptop, 'light');
  // An open page learns it when it asks for the account again, as when its tab is looked at.
  await phone.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  await waitForTheme(phone, 'light');

  // From then on it is known before the first paint, whatever the system says.
  const shown = await recordThemes(phone);
  await phone.reload();
  await heading(phone, 'Library');
  expect(await shown()).toEqual(['light']);

  // A page that was closed meanwhile shows what it knew, and then the new theme: one change.
  await phone.goto('about:blank');
  await choose(laptop, 'Dark');
  await phone.goto(`${stack.url}/library`);
  await waitForTheme(phone, 'dark');
  expect(await shown()).toEqual(['light', 'dark']);
  await phone.reload();
  await heading(phone, 'Library');
  expect(await shown()).toEqual(['dark']);

  await choose(phone, 'System');
  await laptop.reload();
  await heading(laptop, 'Library');
  await waitForTheme(laptop, 'light');
});

test('a theme chosen before signing in is the theme of a new account, and gives way to that of another one', async ({
  stack,
  openWindow,
}) => {
  const { page } = await openWindow({ colorScheme: 'light' });
  await page.goto(`${stack.url}/signup`);
  await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
  const email = newAddress();
  await fillInSignUp(stack, page, email);
  await heading(page, 'Check your email');
  const profile = await stack.models.profiles.findOne({ email }).lean();
  const stored = await stack.models.userSettings.findById(profile?._id).lean();
  expect(stored).toMatchObject({ dark_mode: true, preferences: { theme: 'dark' } });

  const other = await stack.seller();
  await signIn(stack, page, other.email);
  await waitForTheme(page, 'light');
});

test('the page says how well the account is protected, leads to what would raise it, and shows that it is raised', async ({
  stack,
  profilePage,
}) => {
  const { page, email } = await profilePage('security');
  const section = page.getByRole('region', { name: 'Account protection' });
  await section.getByText('Standard', { exact: true }).waitFor();
  await section.getByText(email).waitFor();
  const steps = () => section.getByRole('listitem').allInnerTexts();
  expect((await steps())[0]).toContain('Add a passkey or an authenticator app');
  await section.getByRole('link', { name: 'Add one' }).click();
  const focused = () => page.evaluate<string>('document.activeElement?.textContent');
  await expect.poll(focused, eventually).toBe('Sign-in');

  await press(page, 'Turn on');
  await dialog(page).getByLabel('Password', { exact: true }).fill(testPassword);
  await page.keyboard.press('Enter');
  const secret = (await dialog(page).getByTestId('two-factor-secret').textContent())!.replaceAll(' ', '');
  await dialog(page).getByRole('textbox', { name: 'Code' }).fill(codeOf(secret));
  await page.keyboard.press('Enter');
  await dialog(page).getByRole('button', { name: "I've saved them" }).click();
  await section.getByText('High', { exact: true }).waitFor();
  await section.getByText('Second factor: authenticator app').waitFor();
  await section.getByText('10 recovery codes left').waitFor();

  await stack.models.users.updateOne({ email }, { 'two_factor.recovery_codes': [] });
  await page.reload();
  await section.getByText('No recovery codes left').waitFor();
  expect((await steps())[0]).toContain("you're locked out");
  expect(await layoutProblems(page, 'account protection', '#protection', everyLook)).toEqual([]);
});

test('the export asks for the password, and its ZIP is saved by a link', async ({ stack, profilePage }) => {
  const { page, email } = await profilePage('data');
  await page.getByRole('button', { name: 'Export my data' }).click();
  await password(page).fill('Wrong-Horse-7');
  await page.keyboard.press('Enter');
  await dialog(page).getByText('Incorrect password').waitFor();
  await password(page).fill(testPassword);
  await page.keyboard.press('Enter');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog(page).getByRole('link', { name: 'Download ZIP' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^packshot-.*\.zip$/);
  expect(Object.keys(unzipSync(await readFile(await download.path())))).toContain('profile.json');
  await stack.mails.waitForMail({ to: email, subject: 'Your data was exported' });
  await dialog(page).getByRole('button', { name: 'Close', exact: true }).last().click();
  await dialog(page).waitFor({ state: 'hidden' });
});

test('a seller whose mail comes back reads so on every page, and shows with a link that it arrives again', async ({
  stack,
  openWindow,
  profilePage,
}) => {
  const { page, email } = await profilePage('usage');
  const banner = page.getByRole('complementary', { name: 'Email problem' });
  expect(await banner.count()).toBe(0);
  await markUnreachable(stack.db, email, { kind: 'bounce', reason: '550 5.1.1 No such user' });
  await page.reload();
  await banner.getByText("We can't reach").waitFor();
  expect(await banner.textContent()).toContain('550 5.1.1 No such user');
  await banner.getByRole('button', { name: 'It works again' }).click();
  await banner.getByText('We sent a link').waitFor();
  const link = await mailedLink(stack, 'confirmReachable', email, 'reaches you');
  const { page: other } = await openWindow();
  await other.goto(link);
  // Opening it does nothing: mail scanners do that.
  const confirm = other.getByRole('button', { name: 'Confirm my email' });
  await confirm.waitFor();
  const isMarked = async () =>
    (await stack.models.profiles.findOne({ email }).lean())!.unreachable !== undefined;
  expect(await isMarked()).toBe(true);
  await confirm.click();
  await other.getByRole('heading', { name: 'Thanks, that worked' }).waitFor();
  expect(await isMarked()).toBe(false);
  await page.reload();
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  expect(await banner.count()).toBe(0);
});
