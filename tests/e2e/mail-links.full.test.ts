/** The links of mails: opening one changes nothing, and its token does not stay in the address. */
import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { pages, paths } from '#contract';
import { type AccountTokenKind, findToken, issueToken } from '#shared/data/accounts/account-tokens.ts';
import { unsubscribeLink } from '#shared/mail/unsubscribe.ts';
import { heading, shareSession } from '#tests/support/account-steps.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { mailSamples } from '#tests/support/mail-samples.ts';

const test = testWithStackAndBrowser({ workers: 0 });

/** What each link of each mail leads to; the samples have their own origin and tokens. */
const mailedPaths = [
  ...new Set(
    mailSamples.flatMap(([, make]) =>
      [...make('Ada').html.matchAll(/href="https:\/\/packshot\.example([^"]*)"/g)].map(([, path]) =>
        path!.replaceAll('&amp;', '&'),
      ),
    ),
  ),
];

/** The pages that use a token, with the heading that each has before its button is pressed. */
const tokenPages = [
  ['verify-email', pages.verifyEmail, 'Confirm your email'],
  ['reset-password', pages.resetPassword, 'Set a new password'],
  ['change-email', pages.confirmEmail, 'Confirm your new email'],
  ['undo-email', pages.undoEmail, 'Recover your account'],
  ['unlock', pages.unlock, 'Unlock your account'],
  ['confirm-reachable', pages.confirmReachable, 'Confirm that our email reaches you'],
  ['keep-two-factor', pages.keepTwoFactor, 'Keep two-factor sign-in'],
] as const satisfies [kind: AccountTokenKind, path: string, title: string][];

/**
 * Requests that are no GET and change nothing: the address to which a link was sent is asked for by POST to keep the token out of
 * logs, and the studio has the process of its photo checks start.
 */
const harmless: readonly string[] = [paths.linkAddress, paths.startPhotoChecks];

/** Whether a request may change something. */
function mayChange(request: Request): boolean {
  const { pathname } = new URL(request.url());
  return !['GET', 'HEAD'].includes(request.method()) && !harmless.includes(pathname);
}

/** Collects the requests of a page that may change something. */
function changesOf(page: Page): string[] {
  const changes: string[] = [];
  page.on('request', (request) => {
    if (mayChange(request)) changes.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  return changes;
}

for (const session of ['without a session', 'in a session']) {
  test(`opening a link of any mail ${session} sends no request that changes something`, async ({
    stack,
    openWindow,
  }) => {
    // Each page with a token is in a mail.
    const mailed = mailedPaths.map((path) => new URL(path, stack.url).pathname);
    expect(mailed).toEqual(expect.arrayContaining(tokenPages.map(([, path]) => path)));
    const { page } = await openWindow();
    if (session === 'in a session') await shareSession(stack, page, await stack.seller());
    const changes = changesOf(page);
    for (const path of mailedPaths) {
      await page.goto(stack.url + path, { waitUntil: 'networkidle' });
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      expect(changes, path).toEqual([]);
    }
  });
}

test('the link that turns mails off does so when its button is pressed', async ({ stack, openWindow }) => {
  const seller = await stack.seller();
  await stack.models.userSettings.updateOne({ _id: seller.id }, { 'preferences.notifications.email': true });
  const link = await unsubscribeLink(
    { db: stack.db, config: { linkUrl: stack.url } },
    {
      kind: 'generationEnded',
      sellerId: seller.id,
    },
  );
  const { page } = await openWindow();
  await page.goto(link);
  await heading(page, 'Turn off these emails');
  expect((await seller.me()).settings).toMatchObject({ emailNotifications: true });
  await page.getByRole('button', { name: 'Turn off these emails' }).click();
  await heading(page, 'These emails are off');
  expect((await seller.me()).settings).toMatchObject({ emailNotifications: false });
  await page.goto(`${link}x`);
  await page.getByRole('button', { name: 'Turn off these emails' }).click();
  await page.getByRole('link', { name: 'Open your settings' }).waitFor();
});

for (const [kind, path, title] of tokenPages) {
  test(`opening ${path} leaves its token unused and takes it out of the address, also when the page is loaded again`, async ({
    stack,
    openWindow,
  }) => {
    const seller = await stack.seller({ paid: false });
    const { page } = await openWindow();
    const token = await issueToken(stack.db, { kind, sellerId: seller.id, lifeMs: 3_600_000 });
    await page.goto(`${stack.url}${path}?token=${token}&next=studio`);
    await heading(page, title);
    const shown = `${stack.url}${path}?next=studio`;
    await page.waitForURL(shown);
    await page.reload({ waitUntil: 'networkidle' });
    await heading(page, title);
    expect(page.url()).toBe(shown);
    expect(await findToken(stack.db, kind, token)).not.toBeNull();
    // The page has it all the same: it sends it when its button is pressed.
    const sent = page.waitForRequest(mayChange);
    for (const field of await page.locator('input[type=password]').all())
      await field.fill('Quiet-Harbour-31');
    await page.locator('main').getByRole('button').last().click();
    expect((await sent).postDataJSON()).toMatchObject({ token });
  });
}

test('the unlock link works once its button is pressed', async ({ stack, openWindow }) => {
  const seller = await stack.seller({ paid: false });
  const { page } = await openWindow();
  const token = await issueToken(stack.db, { kind: 'unlock', sellerId: seller.id, lifeMs: 3_600_000 });
  await page.goto(`${stack.url}${pages.unlock}?token=${token}`);
  await page.getByRole('button', { name: 'Unlock my account' }).click();
  await heading(page, 'Your account is unlocked');
  expect(await stack.models.knownDevices.countDocuments({ user_id: seller.id })).toBe(1);
});
