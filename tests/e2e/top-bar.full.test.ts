/** What pages say of an image that is being made, or waits for the image service. */
import { expect } from 'vitest';
import { openProfile, startSession } from '#tests/support/account-steps.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { generate } from '#tests/support/studio-page.ts';

const test = testWithStackAndBrowser();
test.beforeEach(({ stack }) => stack.images.reset());

test('the account page shows an image that is being made and opens it when it is ready; its notification is read', async ({
  stack,
  openWindow,
}) => {
  const { page, problems } = await openWindow();
  const seller = await stack.seller();
  await stack.images.set({ behaviours: [{ kind: 'hold' }] });
  const { id } = await seller.submit({ productName: 'Walnut bowl' });
  await stack.images.waitFor({ waiting: 1 });
  await startSession(stack, page, seller.email);
  await openProfile(stack, page, 'profile');

  await page.getByRole('button', { name: '1 in progress' }).click();
  const tray = page.getByRole('dialog');
  const item = tray.getByRole('button', { name: 'Walnut bowl' });
  await item.getByText('Creating your image').or(item.getByText('Sending')).waitFor();
  expect(await layoutProblems(page, 'tray', '[role=dialog]')).toEqual([]);
  await stack.images.release();
  await item.getByText('Ready').waitFor();
  await item.click();
  await page.waitForURL(`**/dashboard?generation=${id}`);
  await page.getByRole('link', { name: 'Download', exact: true }).waitFor();

  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click();
  const notification = page.getByRole('dialog').getByRole('button', { name: 'Your image is ready (unread)' });
  await notification.waitFor();
  expect(await layoutProblems(page, 'notifications', '[role=dialog]')).toEqual([]);
  await notification.click();
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();

  await page.getByRole('button', { name: 'Help' }).click();
  expect(await layoutProblems(page, 'help', '[role=dialog]')).toEqual([]);
  await page.getByRole('dialog').getByRole('link', { name: 'API documentation' }).click();
  await page.waitForURL('**/documentation/api');
  expect(problems).toEqual([]);
});

test('while the image service is busy, the studio says that the image is still in line, and cancelling uses no image', async ({
  stack,
  filledStudio,
}) => {
  await stack.images.set({
    default: {
      kind: 'error',
      status: 429,
      code: 'rate_limit_exceeded',
      type: 'requests',
      headers: { 'retry-after': '60' },
    },
  });
  const { page } = await filledStudio('warm morning light');
  await generate(page);
  await page.getByText('The image provider is busy; your image is still in line').first().waitFor();
  expect(await layoutProblems(page, 'the studio')).toEqual([]);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('100 of 100 left').first().waitFor();
});
