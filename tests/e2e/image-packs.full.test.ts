/** Packs of images: bought at the paywall and on the page of the plan, and said wherever a seller looks. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openAs } from '#tests/support/account-steps.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { filledButtons, follow, press, see } from '#tests/support/page-steps.ts';
import { description, expectRestored, fillInStudio, generate } from '#tests/support/studio-page.ts';
import { expectCleanSoon, subscriber } from '#tests/support/subscriber.ts';

const test = testWithStackAndBrowser({ settings: { IMAGE_PACKS: '2:1.50,20:9' } });
test.beforeEach(({ stack }) => stack.images.reset());

/** Pays on Stripe's page. */
async function payOnce(page: Page, total: string): Promise<void> {
  await page.waitForURL('**/c/pay/**');
  await see(page, total);
  await press(page, 'Succeeds');
  await press(page, 'Pay');
}

test('a seller without a plan buys a pack at the paywall, and comes back to photo and scene', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  const seller = await stack.seller({ paid: false });
  await openAs(stack, page, seller, '/dashboard');
  await description(page).waitFor();
  await see(page, 'Or pay once');
  // The next step is a plan, and not a photo.
  expect(await filledButtons(page)).toEqual(['Subscribe Now']);
  await fillInStudio(page, 'On slate, evening light');
  expect(await filledButtons(page)).toEqual(['Subscribe Now']);
  await see(page, '$1.50, once');
  expect(await layoutProblems(page, 'packs at the paywall')).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await press(page, 'Buy 2 images for $1.50');
  await page.waitForURL('**/c/pay/**');
  await follow(page, 'Back');
  await see(page, 'Checkout cancelled. Nothing was charged.');
  await press(page, 'Buy 2 images for $1.50');
  await payOnce(page, '$1.50');
  await see(page, 'Thank you! 2 images were added to your balance.');
  await see(page, '2 images from packs');
  await expectRestored(page, 'On slate, evening light');
  await generate(page);
  await page.getByRole('link', { name: 'Download', exact: true }).waitFor();
  await see(page, '1 image from packs');
  expect(await filledButtons(page)).toEqual(['Download']);
  expect(problems).toEqual([]);
  await expectCleanSoon(stack);
});

test('a subscriber buys a pack beside the plan; balance, usage and invoices say so', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  const seller = await subscriber(stack, 'freelance');
  await openAs(stack, page, seller, '/profile/plan');
  await see(page, "They don't expire");
  expect(await layoutProblems(page, 'packs on the page of the plan')).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await press(page, 'Buy 20 images for $9');
  await payOnce(page, '$9.00');
  await page.waitForURL('**/profile/plan**');
  await see(page, 'Thank you! 20 images were added to your balance.');
  await see(page, '100 this month + 20 from packs');
  await see(page, 'Plus 20 images from packs, used last.');
  await page.goto(`${stack.url}/profile/usage`);
  await see(page, 'Image pack');
  expect(await layoutProblems(page, 'a pack in the usage')).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await see(page, '120 images left');
  await page.goto(`${stack.url}/profile/plan`);
  await press(page, 'Manage Billing');
  await page.waitForURL('**/p/session/**');
  await see(page, '20 images');
  await see(page, '$9.00');
  // Expected: 429 for more than ten refreshes of the subscription in a minute.
  expect(problems.filter((problem) => !problem.includes('429'))).toEqual([]);
  await expectCleanSoon(stack);
});

const testWithoutPacks = testWithStackAndBrowser();
testWithoutPacks('without the setting, nothing is said of packs', async ({ stack, openWindow }) => {
  const { page } = await openWindow();
  const seller = await stack.seller({ paid: false });
  await openAs(stack, page, seller, '/profile/plan');
  await see(page, 'Available Plans');
  expect(await page.getByText(/pack/i).count()).toBe(await page.getByText('Packshot').count());
  await page.goto(`${stack.url}/dashboard`);
  await description(page).waitFor();
  await see(page, 'Subscribe Now');
  expect(await page.getByText('Or pay once').count()).toBe(0);
});
