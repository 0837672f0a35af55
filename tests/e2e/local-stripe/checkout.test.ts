import { expect } from 'vitest';
import { fillCard, follow, press, see, testWithLocalStripe as test } from '#tests/support/local-stripe.ts';

test('a checkout is paid once, despite a double click, and returns to the shop', async ({
  localStripe,
  openCheckout,
}) => {
  const { page, session } = await openCheckout();
  await see(page, 'no money moves');
  await see(page, 'Subscribe to Freelance');
  await see(page, 'Total due today');
  await fillCard(page, 'good');
  await see(page, 'ana@shop.example');
  expect(await page.getByLabel('Card number').inputValue()).toBe('4242 4242 4242 4242');
  await page.getByRole('button', { name: 'Subscribe' }).dblclick();
  await page.waitForURL(`${localStripe.shopUrl}/paid?session=${session.id}`);

  const paid = await localStripe.client.checkout.sessions.retrieve(session.id);
  expect(paid).toMatchObject({ status: 'complete', payment_status: 'paid' });
  const { data: subscriptions } = await localStripe.client.subscriptions.list({
    customer: paid.customer as string,
  });
  expect(subscriptions.map(({ status }) => status)).toEqual(['active']);
  const { data: invoices } = await localStripe.client.invoices.list({ customer: paid.customer as string });
  expect(invoices.map(({ status, total }) => [status, total])).toEqual([['paid', 5000]]);

  await page.goto(session.url!);
  await see(page, 'This checkout has been paid');
  await follow(page, 'Return to Packshot');
  await page.waitForURL(`${localStripe.shopUrl}/paid?session=${session.id}`);
});

test('two windows that pay the same session are charged once', async ({ localStripe, openWindow }) => {
  const windows = await Promise.all([openWindow(), openWindow()]);
  const session = await localStripe.createCheckout();
  for (const { page } of windows) {
    await page.goto(session.url!);
    await fillCard(page, 'good');
  }
  await Promise.all(windows.map(({ page }) => press(page, 'Subscribe')));
  await Promise.all(
    windows.map(({ page }) => page.waitForURL(`${localStripe.shopUrl}/paid?session=${session.id}`)),
  );
  const { customer } = await localStripe.client.checkout.sessions.retrieve(session.id);
  expect((await localStripe.client.invoices.list({ customer: customer as string })).data).toHaveLength(1);
});

test('each invalid field has its own error; a declined card can be replaced', async ({
  localStripe,
  openCheckout,
}) => {
  const { page, session } = await openCheckout({ javaScriptEnabled: false });
  await page.getByLabel('Card number').fill('4242 4242');
  await page.getByLabel('Expiration (MM/YY)').fill('10/20');
  await page.getByLabel('Name on card').press('Enter');
  for (const [field, problem] of [
    ['Card number', 'Your card number is incomplete.'],
    ['Expiration (MM/YY)', "Your card's expiration date is in the past."],
    ['CVC', "Your card's security code is incomplete."],
  ] as const) {
    const input = page.getByLabel(field);
    expect(await input.getAttribute('aria-invalid')).toBe('true');
    const described = await input.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${described}"]`).textContent()).toBe(problem);
  }
  await fillCard(page, 'declined');
  await press(page, 'Subscribe');
  await see(page, 'Your card was declined.');
  expect((await localStripe.client.checkout.sessions.retrieve(session.id)).status).toBe('open');
  await fillCard(page, 'good');
  await press(page, 'Subscribe');
  await page.waitForURL(`${localStripe.shopUrl}/paid?**`);
});

test('a payment needs 3-D Secure: it fails, then succeeds', async ({ localStripe, openCheckout }) => {
  const { page, session } = await openCheckout();
  await fillCard(page, 'secure');
  await press(page, 'Subscribe');
  await see(page, 'Your bank asks you to confirm a payment of $50.00');
  const question = page.url();
  await press(page, 'Fail');
  await see(page, 'We are unable to authenticate your payment method.');
  expect((await localStripe.client.checkout.sessions.retrieve(session.id)).status).toBe('open');
  await page.goto(question);
  await see(page, 'This challenge has been answered');
  await follow(page, 'Go back');
  await fillCard(page, 'secure');
  await press(page, 'Subscribe');
  await press(page, 'Complete');
  await page.waitForURL(`${localStripe.shopUrl}/paid?session=${session.id}`);
  expect((await localStripe.client.checkout.sessions.retrieve(session.id)).payment_status).toBe('paid');
});

test('"Back" leads to the shop; expired and unknown sessions have their own pages', async ({
  localStripe,
  openCheckout,
}) => {
  const { page, session } = await openCheckout();
  expect(await page.locator('.total').textContent()).toContain('$50.00');
  await follow(page, 'Back');
  await page.waitForURL(`${localStripe.shopUrl}/plans`);
  await localStripe.client.checkout.sessions.expire(session.id);
  await page.goto(session.url!);
  await see(page, 'This checkout has expired');
  expect((await page.goto(`${localStripe.url}/c/pay/cs_test_none`))?.status()).toBe(404);
  await see(page, 'There is no such checkout');
});
