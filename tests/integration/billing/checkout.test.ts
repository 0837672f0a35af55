import { expect } from 'vitest';
import { paths, type SubscriptionView } from '#contract';
import { expectError } from '#tests/support/errors.ts';
import {
  checkoutSessionId,
  expectCleanSoon,
  payByCheckout,
  requestPlan,
  subscriber,
} from '#tests/support/subscriber.ts';
import { testWithStack } from '#tests/support/test.ts';
import { cards, subscriptionOf } from './harness.ts';

const test = testWithStack();
test.beforeEach(({ stack }) => stack.stripe.reset());

test('a seller without a plan cannot generate; after checkout the plan works', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  expect(await subscriptionOf(seller)).toMatchObject({
    status: 'inactive',
    isActive: false,
    canGenerate: false,
    generationsLeft: 0,
    hasBilling: false,
  });
  expectError(await seller.send(), 'NO_SUBSCRIPTION');

  const window = await seller.openWindow();
  const pushed = new Promise<SubscriptionView>((resolve) => {
    window.socket.on('subscription', (view) => view.isActive && resolve(view));
  });
  const view = await payByCheckout(stack, seller, 'freelance');
  expect(view).toMatchObject({
    plan: 'freelance',
    status: 'active',
    isActive: true,
    canGenerate: true,
    generationsLeft: 100,
    totalGenerations: 100,
    cancelAtPeriodEnd: false,
    paymentMethod: 'card',
    cardBrand: 'visa',
    last4: '4242',
    nextPlan: null,
    graceUntil: null,
    hasBilling: true,
  });
  expect(await pushed).toMatchObject({ generationsLeft: 100 });
  window.close();
  await seller.submit();
  await expectCleanSoon(stack);
});

test('an open checkout is reused for the same plan and closed for another plan', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  const [first, again] = [await requestPlan(seller, 'freelance'), await requestPlan(seller, 'freelance')];
  expect(again.body).toEqual(first.body);
  const other = await requestPlan(seller, 'enterprise');
  await expect(stack.stripe.completeCheckout(checkoutSessionId(first.body))).rejects.toThrow();
  await stack.stripe.completeCheckout(checkoutSessionId(other.body));
  await stack.stripe.settled();
  expect(await subscriptionOf(seller)).toMatchObject({ plan: 'enterprise', unlimited: true });
  await expectCleanSoon(stack);
});

test('a checkout returns to the page that it was started from, and to no other address', async ({
  stack,
}) => {
  const seller = await stack.seller({ paid: false });
  const request = (returnTo: unknown) =>
    seller.request<{ url: string }>(paths.subscribe, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ planId: 'freelance', returnTo }),
    });
  const { checkout } = stack.server.context.billing.stripe;
  const fromStudio = checkoutSessionId((await request('studio')).body);
  const { linkUrl } = stack.config;
  expect(await checkout.sessions.retrieve(fromStudio)).toMatchObject({
    success_url: `${linkUrl}/dashboard?checkout=success`,
    cancel_url: `${linkUrl}/dashboard?checkout=cancelled`,
  });
  // The open page would return to the studio, so another one replaces it.
  const fromProfile = checkoutSessionId((await request('profile')).body);
  expect(await checkout.sessions.retrieve(fromProfile)).toMatchObject({
    success_url: `${linkUrl}/profile/plan?checkout=success`,
  });
  expect((await checkout.sessions.retrieve(fromStudio)).status).toBe('expired');
  for (const returnTo of ['https://evil.example/', '//evil.example', '/dashboard', null]) {
    const refused = await request(returnTo);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ error: { code: 'VALIDATION', field: 'returnTo' } });
  }
});

test('of concurrent checkouts one succeeds, others get BILLING_BUSY, and one customer is created', async ({
  stack,
}) => {
  const seller = await stack.seller({ paid: false });
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => requestPlan(seller, index % 2 ? 'freelance' : 'enterprise')),
  );
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1);
  for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, 'BILLING_BUSY');
  const { stripe } = stack.server.context.billing;
  const customers = await stripe.customers.list({ email: seller.email });
  expect(customers.data).toHaveLength(1);
  const open = await stripe.checkout.sessions.list({ customer: customers.data[0]!.id, status: 'open' });
  expect(open.data).toHaveLength(1);
});

test('with a declined card no plan begins', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  const { body } = await requestPlan(seller, 'freelance');
  const outcome = await stack.stripe
    .completeCheckout(checkoutSessionId(body), cards.declined)
    .catch(() => 'declined');
  expect(JSON.stringify(outcome)).toContain('declined');
  await stack.stripe.settled();
  expectError(await seller.send(), 'NO_SUBSCRIPTION');
});

test('invalid input names the field; without a customer there is no portal; reads are rate-limited', async ({
  stack,
}) => {
  const seller = await stack.seller({ paid: false });
  const message = 'Invalid subscription plan';
  for (const plan of ['gold', '', null, { $gt: '' }]) {
    expectError(await requestPlan(seller, plan), 'VALIDATION', { field: 'planId', message });
  }
  expectError(await seller.request(paths.portalSession, { method: 'POST' }), 'NO_BILLING');
  const answers = [];
  for (let read = 0; read < 11; read += 1) answers.push(await seller.request(paths.subscription));
  expect(answers.slice(0, 10).map(({ status }) => status)).toEqual(Array(10).fill(200));
  expectError(answers[10]!, 'RATE_LIMITED');
});

test('while Stripe is unreachable, requests that need it fail with their own codes, and generating works', async ({
  stack,
}) => {
  const seller = await subscriber(stack, 'freelance');
  await stack.stripe.set({ faults: Array(100).fill({ when: 'before', status: 500 }) });
  expectError(await requestPlan(seller, 'enterprise'), 'SUBSCRIBE_FAILED');
  expectError(await seller.request(paths.portalSession, { method: 'POST' }), 'PORTAL_FAILED');
  expectError(await seller.request(paths.subscription), 'SUBSCRIPTION_UNREADABLE');
  await seller.submit();
});
