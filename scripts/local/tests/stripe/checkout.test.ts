/** Checkout: sessions, test cards, 3-D Secure and the results of a payment. */
import type Stripe from 'stripe';
import { expect } from 'vitest';
import { requestWithHost } from '../harness.ts';
import { idOf, testWithServer } from './harness.ts';

const test = testWithServer.extend('openSession', ({ stripe, plans }) => async () => {
  const customer = await stripe.customers.create({ email: 'buyer@example.com' });
  return stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: customer.id,
    line_items: [{ price: plans.pro.id, quantity: 1 }],
    success_url: 'https://app.example/ok?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'https://app.example/back',
    client_reference_id: 'user_1',
    metadata: { userId: 'user_1' },
    subscription_data: { metadata: { userId: 'user_1' } },
  });
});

test('a paid session has a subscription, its first invoice and the card', async ({
  server,
  stripe,
  control,
  openSession,
}) => {
  const session = await openSession();
  expect(session).toMatchObject({ status: 'open', payment_status: 'unpaid', amount_total: 3000 });
  expect(session.url).toBe(`${server.url}/c/pay/${session.id}`);
  const result = await control.completeCheckout(session.id);
  expect(result).toMatchObject({
    outcome: 'paid',
    redirectUrl: `https://app.example/ok?session_id=${session.id}`,
  });
  const paid = await stripe.checkout.sessions.retrieve(session.id, {
    expand: ['subscription.latest_invoice'],
  });
  expect(paid).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    url: null,
    client_reference_id: 'user_1',
    customer_details: { email: 'buyer@example.com' },
  });
  const subscription = paid.subscription as Stripe.Subscription;
  expect(subscription).toMatchObject({ status: 'active', metadata: { userId: 'user_1' } });
  expect(subscription.latest_invoice).toMatchObject({
    status: 'paid',
    billing_reason: 'subscription_create',
    amount_paid: 3000,
    parent: { subscription_details: { subscription: subscription.id, metadata: { userId: 'user_1' } } },
  });
  const read = await stripe.subscriptions.retrieve(subscription.id, {
    expand: ['default_payment_method', 'customer'],
  });
  expect(read.default_payment_method).toMatchObject({ card: { last4: '4242' } });
  expect(read.customer).toMatchObject({ email: 'buyer@example.com', currency: 'usd' });
  const listed = await stripe.checkout.sessions.list({ customer: idOf(paid.customer), status: 'complete' });
  expect(listed.data.map(({ id }) => id)).toEqual([session.id]);
  await expect(control.completeCheckout(session.id)).rejects.toThrow('complete');
});

test.for([
  ['4000000000000002', 'card_declined'],
  ['4000000000009995', 'card_declined'],
  ['4000000000000341', 'card_declined'],
  ['4000000000000069', 'expired_card'],
  ['4242424242424241', 'card_declined'],
])(
  'the card %s is declined and leaves the session open',
  async ([card, code], { stripe, control, openSession }) => {
    const session = await openSession();
    const { data: before } = await stripe.events.list({ limit: 1 });
    expect(await control.completeCheckout(session.id, card)).toMatchObject({
      outcome: 'declined',
      code,
    });
    expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
    const customer = idOf(session.customer);
    expect((await stripe.subscriptions.list({ customer, status: 'all' })).data).toEqual([]);
    expect((await stripe.invoices.list({ customer })).data).toEqual([]);
    expect((await stripe.events.list({ limit: 1 })).data).toEqual(before);
    expect(await control.completeCheckout(session.id)).toMatchObject({ outcome: 'paid' });
  },
);

test('a 3-D Secure card is charged after authentication, and renewals need none', async ({
  stripe,
  control,
  openSession,
}) => {
  const session = await openSession();
  const result = await control.completeCheckout(session.id, '4000002500003155');
  expect(result.outcome).toBe('paid');
  await control.advance({ months: 1 });
  const paid = await stripe.checkout.sessions.retrieve(session.id);
  const { data } = await stripe.invoices.list({ subscription: idOf(paid.subscription) });
  expect(data.map(({ status }) => status)).toEqual(['paid', 'paid']);
});

test('an unpaid session expires after 24 hours or on request', async ({ stripe, control, openSession }) => {
  const waiting = await openSession();
  const closed = await openSession();
  expect((await stripe.checkout.sessions.expire(closed.id)).status).toBe('expired');
  await control.advance({ seconds: 86_400 });
  expect(await stripe.checkout.sessions.retrieve(waiting.id)).toMatchObject({ status: 'expired', url: null });
  const events = await stripe.events.list({ type: 'checkout.session.expired', limit: 2 });
  expect(events.data.map(({ data }) => (data.object as Stripe.Checkout.Session).id)).toEqual([
    waiting.id,
    closed.id,
  ]);
  await expect(stripe.checkout.sessions.expire(closed.id)).rejects.toThrow('expired');
});

test('rejects DNS rebinding', async ({ server }) => {
  const { url } = server;
  expect(await requestWithHost(url, '/healthz', 'evil.example')).toBe(421);
  expect(await requestWithHost(url, '/healthz', 'stripe:12111')).toBe(200);
});
