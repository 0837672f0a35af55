import type Stripe from 'stripe';
import { expect } from 'vitest';
import { fillCard, follow, press, see, testWithLocalStripe as test } from '#tests/support/local-stripe.ts';

test('an upgrade is charged immediately, with the amount that was shown before', async ({
  localStripe,
  portalPage,
}) => {
  const { page, subscription } = await portalPage();
  await see(page, 'Renews on');
  await follow(page, 'Change plan');
  await follow(page, 'Select Enterprise');
  const button = page.getByRole('button', { name: /^Pay .* and change$/ });
  const due = Math.round(Number(/\$([\d.]+)/.exec((await button.textContent())!)![1]) * 100);
  await button.dblclick();
  await see(page, 'Your plan has been changed.');
  await see(page, '$199.00');
  const changed = await localStripe.client.subscriptions.retrieve(subscription, {
    expand: ['latest_invoice'],
  });
  expect(changed.items.data[0]!.price.id).toBe(localStripe.prices.large);
  expect(changed.latest_invoice).toMatchObject({ status: 'paid', total: due });
});

test('a downgrade takes effect at the end of the period and can be reversed before', async ({
  localStripe,
  portalPage,
}) => {
  const { page, subscription } = await portalPage({ price: localStripe.prices.large });
  await follow(page, 'Change plan');
  await follow(page, 'Select Freelance');
  await see(page, 'Nothing changes today.');
  await press(page, 'Confirm the change');
  await see(page, /^Changes to Freelance \(\$50\.00 per month\) on/);
  expect((await localStripe.client.subscriptions.retrieve(subscription)).schedule).not.toBeNull();
  await press(page, 'Keep the current plan');
  await see(page, 'You keep your plan.');
  await see(page, 'Renews on');
  expect((await localStripe.client.subscriptions.retrieve(subscription)).schedule).toBeNull();
});

test('a plan is cancelled at the end of the period and can be resumed before', async ({
  localStripe,
  portalPage,
}) => {
  const { page, subscription } = await portalPage();
  await follow(page, 'Cancel plan');
  await press(page, 'Cancel plan');
  await see(page, 'Cancels on');
  expect(await localStripe.client.subscriptions.retrieve(subscription)).toMatchObject({
    status: 'active',
    cancel_at_period_end: false,
    cancel_at: expect.any(Number),
    cancellation_details: { reason: 'cancellation_requested' },
  });
  await press(page, 'Don’t cancel');
  await see(page, 'Your plan continues.');
  expect((await localStripe.client.subscriptions.retrieve(subscription)).cancel_at).toBeNull();
  await follow(page, 'Return to Packshot');
  await page.waitForURL(`${localStripe.shopUrl}/profile`);
});

test('cards are added, declined, confirmed with 3-D Secure, made the default and removed', async ({
  localStripe,
  portalPage,
}) => {
  const { page, customer } = await portalPage();
  const first = (await localStripe.client.paymentMethods.list({ customer })).data[0]!.id;
  const charged = async () =>
    ((await localStripe.client.customers.retrieve(customer)) as Stripe.Customer).invoice_settings
      .default_payment_method;
  await follow(page, 'Add a card');
  await press(page, 'Add card');
  await see(page, 'Your card number is incomplete.');
  await fillCard(page, 'declined');
  await press(page, 'Add card');
  await see(page, 'Your card was declined.');
  await fillCard(page, 'secure');
  await press(page, 'Add card');
  await see(page, 'may save this card');
  await press(page, 'Complete');
  await see(page, 'The card has been added.');
  await see(page, 'Visa •••• 3155');
  expect(await charged()).not.toBe(first);
  await press(page, 'Make default Visa •••• 4242');
  await see(page, 'The next invoice is charged to this card.');
  expect(await charged()).toBe(first);
  await press(page, 'Remove Visa •••• 3155');
  await see(page, 'The card has been removed.');
  expect((await localStripe.client.paymentMethods.list({ customer })).data.map(({ id }) => id)).toEqual([
    first,
  ]);
});

test('an invoice can be opened', async ({ portalPage }) => {
  const { page } = await portalPage();
  await follow(page, /, invoice /);
  await page.waitForURL('**/i/in_*');
  await see(page, '$50.00');
});

test('pages that the configuration does not allow are hidden, and redirect when opened by URL', async ({
  localStripe,
  portalPage,
}) => {
  const bare = await localStripe.client.billingPortal.configurations.create({
    features: { invoice_history: { enabled: false } },
  });
  const { page, url, subscription } = await portalPage({ configuration: bare.id });
  await see(page, 'Renews on');
  expect(await page.getByRole('button').count()).toBe(0);
  expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['Current plan']);
  for (const path of ['change', `change/${localStripe.prices.large}`, 'cancel', 'cards/new']) {
    await page.goto(`${url}/${path}`);
    expect(page.url()).toBe(url);
  }
  for (const path of ['cancel', `change/${localStripe.prices.large}`]) {
    await page.request.post(`${url}/${path}`, { form: {} });
  }
  const untouched = await localStripe.client.subscriptions.retrieve(subscription);
  expect(untouched.cancel_at_period_end).toBe(false);
  expect(untouched.items.data[0]!.price.id).toBe(localStripe.prices.small);
});
