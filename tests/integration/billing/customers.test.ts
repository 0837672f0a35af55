import { expect } from 'vitest';
import { paths } from '#contract';
import { syncBilling } from '#shared/billing/sync.ts';
import { expectError } from '#tests/support/errors.ts';
import {
  expectCleanSoon,
  payByCheckout,
  profileOf,
  requestPlan,
  subscriber,
} from '#tests/support/subscriber.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack();
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
  const post = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const answers = [
    await seller.request(paths.subscription),
    await seller.request(paths.subscribe, { ...post, body: '{"planId":"enterprise"}' }),
    await seller.request(paths.portalSession, { method: 'POST' }),
  ];
  for (const answer of answers) {
    expectError(answer, 'PROFILE_NOT_FOUND', { message: 'User profile not found' });
  }
});
