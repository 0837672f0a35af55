/** From the first visit to the last invoice, as one seller lives it. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditBilling } from '#scripts/audit/audit-billing.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { launchBrowser, openBrowserWindow } from '#tests/support/browser.ts';
import { testPassword } from '#tests/support/seller.ts';
import { startTestStack, type TestStack } from '#tests/support/stack.ts';

const cup = join(rootFolder, 'scripts', 'sample', 'coffee-cup.png');

let stack: TestStack;
let browser: Browser;
beforeAll(async () => {
  [stack, browser] = await Promise.all([startTestStack(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

const see = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
const follow = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first().click();

/** Stripe's page, by clicking. @param card the name of a test card's button */
async function pay(page: Page, card: string): Promise<void> {
  await page.waitForURL('**/c/pay/**');
  await press(page, card);
  await press(page, 'Subscribe');
}

async function generate(page: Page): Promise<void> {
  await page.goto(`${stack.url}/dashboard`);
  await page.locator('input[type=file]').first().setInputFiles(cup);
  await page.getByLabel('Scene description').fill('On a wooden table, morning light');
  await press(page, 'Generate Image');
  await page.getByRole('link', { name: 'Download' }).waitFor();
}

test('sign up, verify, pay, generate, portal, downgrade, a month passes, cancel', {
  timeout: 180_000,
}, async () => {
  const { page, problems } = await openBrowserWindow(browser);
  const email = `ana-${randomUUID()}@shop.example`;

  await page.goto(`${stack.url}/signup?plan=enterprise`);
  await page.getByLabel('Full name').fill('Ana Müller');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(testPassword);
  await page.getByLabel('Confirm password', { exact: true }).fill(testPassword);
  await page.getByRole('checkbox').check();
  await press(page, 'Create Secure Account');
  await see(page, email);

  const mail = await stack.mails.waitForMail({ to: email });
  await page.goto(stack.mails.linkIn(mail, '/verify-email'));
  await page.waitForURL('**/dashboard');
  await see(page, 'No active subscription found');

  await page.goto(`${stack.url}/profile`);
  await press(page, 'Select Plan: Enterprise');
  await pay(page, 'Is declined');
  await see(page, 'Your card was declined.');
  await pay(page, 'Succeeds');
  await page.waitForURL('**/profile**');
  await see(page, 'Enterprise, $199 a month');
  await see(page, 'Unlimited');

  await generate(page);

  await page.goto(`${stack.url}/profile`);
  await press(page, 'Manage Billing');
  await page.waitForURL('**/p/session/**');
  await follow(page, 'Change plan');
  await follow(page, /^Select .*Freelance/);
  await see(page, 'Nothing changes today.');
  await press(page, 'Confirm the change');
  await see(page, /^Changes to .*Freelance/);
  await follow(page, 'Return to Packshot');
  await page.waitForURL('**/profile**');
  await see(page, 'Keep Enterprise');

  // The window stays open while the month passes: an event tells it.
  await stack.stripe.advance({ months: 1 });
  await see(page, 'Freelance, $50 a month');
  await see(page, '100 of 100 left');
  await generate(page);
  await page.goto(`${stack.url}/profile`);
  await see(page, '99 of 100 left');

  await press(page, 'Manage Billing');
  await page.waitForURL('**/p/session/**');
  await follow(page, 'Cancel plan');
  await press(page, 'Cancel plan');
  await see(page, 'Cancels on');
  await follow(page, 'Return to Packshot');
  await page.waitForURL('**/profile**');
  await see(page, 'Resume Freelance');

  await stack.stripe.advance({ months: 1 });
  await see(page, 'No active subscription found');
  await page.goto(`${stack.url}/dashboard`);
  await see(page, 'No active subscription found');
  await stack.mails.waitForMail({ to: email, subject: 'ended' });

  // The declined card, and a profile that was opened more often in a minute than Stripe is asked.
  expect(problems.filter((problem) => !/status of (400|429)/.test(problem))).toEqual([]);
  expect(await stack.audit()).toEqual([]);
  const { billing, config, db } = stack.server.context;
  expect(await auditBilling(db, billing, config.billing.graceMs)).toEqual([]);
  await page.context().close();
});
