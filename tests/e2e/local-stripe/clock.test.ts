import { expect } from 'vitest';
import { fillCard, follow, press, see, testWithLocalStripe as test } from '#tests/support/local-stripe.ts';

test('the clock advances a month: the renewal fails, the portal session expires, and another card pays', async ({
  localStripe,
  portalPage,
}) => {
  const { page, url, customer, subscription } = await portalPage();
  await follow(page, 'Add a card');
  await fillCard(page, 'later');
  await press(page, 'Add card');
  await see(page, 'The card has been added.');
  await page.goto(localStripe.url);
  await see(page, customer);
  await press(page, 'Advance a month');
  await see(page, 'The clock has been moved.');
  await press(page, 'Advance a day');
  await see(page, 'Past due');
  await see(page, 'invoice.payment_failed');
  expect((await localStripe.client.subscriptions.retrieve(subscription)).status).toBe('past_due');

  await page.goto(url);
  await see(page, 'This session has expired');
  await localStripe.openPortal(page, customer);
  await see(page, 'The payment of $50.00 has failed.');
  await press(page, 'Pay $50.00 now');
  await see(page, 'Your card was declined.');
  await follow(page, 'Add another card');
  await fillCard(page, 'good');
  await press(page, 'Add card');
  await see(page, 'The card has been added.');
  await press(page, 'Pay $50.00 now');
  await see(page, 'The payment went through.');
  expect((await localStripe.client.subscriptions.retrieve(subscription)).status).toBe('active');
});

test('a dashboard form that is submitted twice advances the clock once', async ({
  localStripe,
  openWindow,
}) => {
  const { page } = await openWindow();
  await page.goto(localStripe.url);
  const shownAt = async () =>
    new Date((await page.locator('time').first().getAttribute('datetime'))!).getTime();
  const before = await shownAt();
  const once = await page.locator('input[name=once]').first().inputValue();
  const send = () => page.request.post(`${localStripe.url}/clock`, { form: { once, step: 'week' } });
  await Promise.all([send(), send()]);
  await page.reload();
  const days = ((await shownAt()) - before) / 86_400_000;
  expect(days).toBeGreaterThanOrEqual(7);
  expect(days).toBeLessThan(8);
});
