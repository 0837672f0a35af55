/** The export of all data, and what a seller reads whose mail comes back. */
import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import { expect } from 'vitest';
import { markUnreachable } from '#shared/data/profiles/unreachable.ts';
import { dialog, mailedLink, password } from '#tests/support/account-steps.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { testPassword } from '#tests/support/seller.ts';

const test = testWithStackAndBrowser({ workers: 1 });

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
