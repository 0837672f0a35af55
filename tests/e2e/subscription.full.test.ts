/** One seller from sign-up to the end of the subscription. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { auditBilling } from '#scripts/audit/audit-billing.ts';
import { mailedLink, signUp, startSession } from '#tests/support/account-steps.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { eventually } from '#tests/support/harness.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { cup, description, generate, picker } from '#tests/support/studio-page.ts';
import { newAddress } from '#tests/support/visitor.ts';

const test = testWithStackAndBrowser();

const see = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
const follow = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first().click();

/** Pays in the checkout. @param card the name of a test card's button */
async function pay(page: Page, card: string): Promise<void> {
  await page.waitForURL('**/c/pay/**');
  await press(page, card);
  await press(page, 'Subscribe');
}

async function generateImage(stack: TestStack, page: Page): Promise<void> {
  await page.goto(`${stack.url}/dashboard`);
  await picker(page).setInputFiles(cup);
  await description(page).fill('On a wooden table, morning light');
  await generate(page);
  await page.getByRole('link', { name: 'Download' }).waitFor();
}

test('a seller signs up, generates for free, pays, generates, downgrades in the portal, renews and cancels', {
  timeout: 180_000,
}, async ({ stack, openWindow }) => {
  const { page, problems } = await openWindow();
  const email = newAddress();

  await signUp(stack, page, email, 'enterprise');
  await page.goto(await mailedLink(stack, 'verifyEmail', email, 'Confirm your email'));
  await page.waitForURL('**/dashboard');
  await see(page, '3 of 3 free images left');
  await generateImage(stack, page);
  await see(page, '2 of 3 free images left');

  await page.goto(`${stack.url}/profile/plan`);
  await press(page, 'Select Plan: Enterprise');
  await pay(page, 'Is declined');
  await see(page, 'Your card was declined.');
  await pay(page, 'Succeeds');
  await page.waitForURL('**/profile/plan**');
  await see(page, 'Enterprise, $199 a month');
  await see(page, 'Unlimited');

  await generateImage(stack, page);

  await page.goto(`${stack.url}/profile/plan`);
  await press(page, 'Manage Billing');
  await page.waitForURL('**/p/session/**');
  await follow(page, 'Change plan');
  await follow(page, /^Select .*Freelance/);
  await see(page, 'Nothing changes today.');
  await press(page, 'Confirm the change');
  await see(page, /^Changes to .*Freelance/);
  await follow(page, 'Return to Packshot');
  await page.waitForURL('**/profile/plan**');
  await see(page, 'Keep Enterprise');

  // The open window is updated by an event when the month passes.
  await stack.stripe.advance({ months: 1 });
  await see(page, 'Freelance, $50 a month');
  await see(page, '100 of 100 left');
  await generateImage(stack, page);
  await page.goto(`${stack.url}/profile/plan`);
  await see(page, '99 of 100 left');

  await press(page, 'Manage Billing');
  await page.waitForURL('**/p/session/**');
  await follow(page, 'Cancel plan');
  await press(page, 'Cancel plan');
  await see(page, 'Cancels on');
  await follow(page, 'Return to Packshot');
  await page.waitForURL('**/profile/plan**');
  await see(page, 'Resume Freelance');

  await stack.stripe.advance({ months: 1 });
  await see(page, 'No active subscription found');
  await see(page, 'You have 2 of 3 free images left.');
  await page.goto(`${stack.url}/dashboard`);
  await see(page, '2 of 3 free images left');
  await stack.mails.waitForMail({ to: email, subject: 'ended' });

  // Expected: 400 for the declined card, 429 for more than ten refreshes of the subscription in a minute.
  expect(problems.filter((problem) => !/status of (400|429)/.test(problem))).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
  const { billing, config, db } = stack.server.context;
  expect(await auditBilling(db, billing, config.billing.graceMs)).toEqual([]);
});

test('after the last free image the studio shows the plans, and a checkout returns to it', async ({
  stack,
  openWindow,
}) => {
  const { id, email } = await stack.seller({ paid: false });
  const welcome = { due: false, granted: 3, left: 1 };
  await stack.models.profiles.updateOne({ _id: id }, { welcome, granted: 3, settled: 2 });
  const { page, problems } = await openWindow();
  await startSession(stack, page, email);
  await page.goto(`${stack.url}/dashboard`);
  await see(page, '1 of 3 free images left');
  await generateImage(stack, page);
  await see(page, "You've used your 3 free images");
  await see(page, 'Choose a plan to create more.');
  await page.getByRole('listitem').filter({ hasText: 'Freelance$50 a month' }).waitFor();
  expect(await layoutProblems(page, 'the plans in the studio')).toEqual([]);
  await press(page, 'Choose Enterprise');
  await pay(page, 'Succeeds');
  await page.waitForURL('**/dashboard**');
  await see(page, 'Unlimited images');
  expect(problems).toEqual([]);
});
