/** What a seller has in the form is there before, during and after the way to a plan. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openAs } from '#tests/support/account-steps.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { pay, press, see } from '#tests/support/page-steps.ts';
import {
  chooseShape,
  description,
  expectRestored,
  fillInStudio,
  generate,
  studioForm,
} from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser();
test.beforeEach(({ stack }) => stack.images.reset());

const scene = 'On slate, evening light';

/** Waits until the form has its photo, words and options. */
async function expectForm(page: Page): Promise<void> {
  await expectRestored(page, scene);
  await page.getByRole('radio', { name: '2:3' }).and(page.locator(':checked')).waitFor({ state: 'attached' });
}

test('after the last free image, photo, scene and options stay: in the form, after a reload, and after a checkout that was left or paid', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  const seller = await stack.seller({ paid: false });
  await stack.models.profiles.updateOne(
    { _id: seller.id },
    { $set: { 'free_images.granted': 3, 'free_images.left': 1 }, $inc: { revision: 1 } },
  );
  await openAs(stack, page, seller, '/dashboard');
  await description(page).waitFor();
  await fillInStudio(page, scene);
  await chooseShape(page, '2:3');
  await see(page, 'Makes 1 image, leaves 0');
  await generate(page);
  await page.getByRole('link', { name: 'Download', exact: true }).waitFor();
  await see(page, "You've used your 3 free images");
  await studioForm(page).getByRole('link', { name: 'See plans' }).waitFor();
  expect(await page.getByRole('button', { name: 'Generate Image' }).count()).toBe(0);
  expect(await layoutProblems(page, 'no images left')).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('button', { name: 'Clear' }).click();
  await expectForm(page);
  await see(page, 'One thing missing: a plan');
  expect(await page.getByText('Ready to Generate').count()).toBe(0);

  await page.reload();
  await expectForm(page);
  expect(await layoutProblems(page, 'no images left, with the form')).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await press(page, 'Choose Freelance');
  await page.waitForURL('**/c/pay/**');
  await page.getByRole('link', { name: 'Back' }).click();
  await see(page, 'Checkout cancelled. Nothing was charged.');
  await expectForm(page);

  await press(page, 'Choose Freelance');
  await pay(page, 'Succeeds');
  await see(page, 'Your Freelance plan is active.');
  await expectForm(page);
  await generate(page);
  await page.getByRole('link', { name: 'Download', exact: true }).waitFor();
  expect(problems).toEqual([]);
});
