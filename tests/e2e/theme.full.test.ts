/** The theme of a seller, on two browsers (docs/decisions/0092-one-theme-on-every-device.md). */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { fillInSignUp, heading, openAs, signIn } from '#tests/support/account-steps.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import { newAddress } from '#tests/support/visitor.ts';

const test = testWithStackAndBrowser({ workers: 1 });

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
