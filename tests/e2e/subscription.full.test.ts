/** A subscription from the first payment to its end, and the plans in the studio. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openAs, openProfile, startSession } from '#tests/support/account-steps.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { cancelPlan, filledButtons, follow, pay, press, see } from '#tests/support/page-steps.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { cup, description, generate, picker } from '#tests/support/studio-page.ts';
import { cards, expectCleanSoon, setCard, subscriber } from '#tests/support/subscriber.ts';
import { createVisitor, signUpAndVerify, signUpForm } from '#tests/support/visitor.ts';

const test = testWithStackAndBrowser();

async function generateImage(stack: TestStack, page: Page): Promise<void> {
  await page.goto(`${stack.url}/dashboard`);
  await picker(page).setInputFiles(cup);
  await description(page).fill('On a wooden table, morning light');
  await generate(page);
  await page.getByRole('link', { name: 'Download' }).waitFor();
}

test('a seller pays for Enterprise, downgrades in the portal, renews and cancels; the free images come back', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  const form = signUpForm();
  await signUpAndVerify(stack, createVisitor(stack.url), form);
  await startSession(stack, page, form.email);
  await openProfile(stack, page, 'plan');
  await see(page, 'No active subscription found');
  expect(await filledButtons(page)).toEqual(['Subscribe Now']);
  await press(page, 'Select Plan: Enterprise');
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
  expect(await filledButtons(page)).toEqual(['Keep Enterprise']);

  // The open window is updated by an event when the month passes.
  await stack.stripe.advance({ months: 1 });
  await see(page, 'Freelance, $50 a month');
  await see(page, '100 of 100 left');
  await generateImage(stack, page);
  await page.goto(`${stack.url}/profile/plan`);
  await see(page, '99 of 100 left');
  expect(await filledButtons(page)).toEqual(['Upgrade Plan']);

  await cancelPlan(page, 'Freelance');

  await stack.stripe.advance({ months: 1 });
  await see(page, 'No active subscription found');
  await see(page, 'You have 3 of 3 free images left.');
  await page.goto(`${stack.url}/dashboard`);
  await see(page, '3 of 3 free images left');

  // Expected: 429 for more than ten refreshes of the subscription in a minute.
  expect(problems.filter((problem) => !problem.includes('429'))).toEqual([]);
  await expectCleanSoon(stack);
});

test('after the last free image the studio shows the plans, and a checkout returns to it', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  const seller = await stack.seller({ paid: false });
  const free_images = { due: false, granted: 3, left: 1 };
  await stack.models.profiles.updateOne({ _id: seller.id }, { free_images, granted: 3, settled: 2 });
  await openAs(stack, page, seller, '/dashboard');
  await see(page, '1 of 3 free images left');
  await generateImage(stack, page);
  await see(page, "You've used your 3 free images");
  await see(page, 'Choose a plan to create more.');
  // The plans do not cover the image that was just made: they open with the form.
  await press(page, 'Words and options');
  await page.getByRole('listitem').filter({ hasText: 'Freelance$50 a month' }).waitFor();
  expect(await layoutProblems(page, 'the plans in the studio')).toEqual([]);
  await press(page, 'Choose Enterprise');
  await pay(page, 'Succeeds');
  await page.waitForURL('**/dashboard**');
  await see(page, 'Unlimited images');
  expect(problems).toEqual([]);
});

test('an upgrade with a card that needs 3-D Secure is paid on a page of Stripe, which leads back', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  const seller = await subscriber(stack, 'freelance');
  await setCard(stack, seller, cards.secure);
  await openAs(stack, page, seller, '/profile/plan');
  await press(page, 'Upgrade Plan');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Charged now').waitFor();
  await dialog
    .getByText(/^\$14[89]\.\d\d$/)
    .last()
    .waitFor();
  await dialog.getByRole('button', { name: 'Upgrade Plan' }).click();
  await page.waitForURL('**/p/session/**');
  await press(page, /^Pay .* and change$/);
  await see(page, 'asks you to confirm');
  await press(page, 'Complete');
  await page.waitForURL('**/profile/plan**');
  await see(page, 'Your Enterprise plan is active.');
  await see(page, 'Enterprise, $199 a month');
  expect(problems.filter((problem) => !problem.includes('429'))).toEqual([]);
});
