/** Checkout, and customers at Stripe that were deleted or are unknown there. */
import { expect } from 'vitest';
import { type ErrorReply, paths, type SubscriptionView } from '#contract';
import { syncBilling } from '#shared/billing/sync.ts';
import { call } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import {
  cards,
  checkoutSessionId,
  expectCleanSoon,
  leaseBilling,
  payByCheckout,
  profileOf,
  requestPlan,
  subscriber,
  subscriptionOf,
} from '#tests/support/subscriber.ts';
import { testWithStack } from '#tests/support/test.ts';

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
    call<{ url: string } & ErrorReply>(seller, 'POST', paths.subscribe, { planId: 'freelance', returnTo });
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
    const refused = { status: 400, body: { error: { code: 'VALIDATION', field: 'returnTo' } } };
    expect(await request(returnTo)).toMatchObject(refused);
  }
});

test('while a plan is being changed, a checkout gets BILLING_BUSY', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  await leaseBilling(stack, seller, new Date(Date.now() + 60_000));
  expectError(await requestPlan(seller, 'freelance'), 'BILLING_BUSY');
  await leaseBilling(stack, seller, null);
  expect((await requestPlan(seller, 'freelance')).status).toBe(200);
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

test.beforeEach(({ stack }) => stack.stripe.reset());

test('deleting a customer at Stripe ends the plan; its images stay in the ledger, and a new plan can be bought', async ({
  stack,
}) => {
  const seller = await subscriber(stack, 'freelance');
  const { stripe } = stack.server.context.billing;
  const { stripe_customer_id: first } = await profileOf(stack, seller);
  await stripe.customers.del(first!);
  await stack.stripe.settled();
  expect(await profileOf(stack, seller)).toMatchObject({
    subscription_status: 'canceled',
    granted: 100,
    generations_left: 100,
  });
  expectError(await seller.send(), 'NO_SUBSCRIPTION');
  await expectCleanSoon(stack);

  expect(await payByCheckout(stack, seller, 'freelance')).toMatchObject({
    status: 'active',
    generationsLeft: 100,
  });
  const again = await profileOf(stack, seller);
  expect(again.stripe_customer_id).not.toBe(first);
  expect(again).toMatchObject({ former_customers: [first], granted: 200, forfeited: 100 });
  await seller.submit();
  await expectCleanSoon(stack);

  // A second time, within the day in which Stripe would replay the answer to the same idempotency key.
  await stripe.customers.del(again.stripe_customer_id!);
  await stack.stripe.settled();
  expect(await payByCheckout(stack, seller, 'enterprise')).toMatchObject({ status: 'active' });
  expect((await profileOf(stack, seller)).former_customers).toEqual([first, again.stripe_customer_id]);
  await expectCleanSoon(stack);
});

test('a customer that Stripe never had, as in data of another mode, is replaced', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  await stack.models.profiles.updateOne(
    { _id: seller.id },
    { $set: { stripe_customer_id: 'cus_of_another_mode' } },
  );
  expect(await payByCheckout(stack, seller, 'freelance')).toMatchObject({ status: 'active' });
  await expectCleanSoon(stack);
});

test('with the key of another Stripe account, paid plans do not end and cannot be bought again', async ({
  stack,
}) => {
  const seller = await subscriber(stack, 'freelance');
  const { stripe_customer_id: customer } = await profileOf(stack, seller);
  const unknown = { $set: { stripe_customer_id: 'cus_of_another_account' } };
  await stack.models.profiles.updateOne({ _id: seller.id }, unknown);
  await syncBilling(stack.server.context, seller.id);
  expect(await profileOf(stack, seller)).toMatchObject({
    subscription_status: 'active',
    generations_left: 100,
  });
  expectError(await requestPlan(seller, 'enterprise'), 'SUBSCRIBE_FAILED');
  await seller.submit();

  // When the period is over, the plan ends.
  await stack.models.profiles.updateOne(
    { _id: seller.id },
    { $set: { 'subscription_data.current_period_end': new Date(Date.now() - 1) } },
  );
  await syncBilling(stack.server.context, seller.id);
  expect(await profileOf(stack, seller)).toMatchObject({ subscription_status: 'canceled', granted: 100 });

  // With the right key it is active again.
  await stack.models.profiles.updateOne({ _id: seller.id }, { $set: { stripe_customer_id: customer } });
  await syncBilling(stack.server.context, seller.id);
  expect(await profileOf(stack, seller)).toMatchObject({ subscription_status: 'active', granted: 100 });
});

test('without a profile, reading, subscribing and the portal say that it was not found', async ({
  stack,
}) => {
  const seller = await subscriber(stack, 'freelance');
  await stack.models.profiles.deleteOne({ _id: seller.id });
  const answers = [
    await seller.request(paths.subscription),
    await requestPlan(seller, 'enterprise'),
    await seller.request(paths.portalSession, { method: 'POST' }),
  ];
  for (const answer of answers) {
    expectError(answer, 'PROFILE_NOT_FOUND', { message: 'User profile not found' });
  }
});
