/** Customers that were deleted at Stripe: refunds and concurrent checkouts. */
import { expect } from 'vitest';
import { expectCleanSoon, profileOf, requestPlan, subscriber } from '#tests/support/subscriber.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack();
test.beforeEach(({ stack }) => stack.stripe.reset());

test('a payment of a deleted customer can still be refunded', async ({ stack }) => {
  const seller = await subscriber(stack, 'freelance');
  const { stripe } = stack.server.context.billing;
  const { stripe_customer_id: customer } = await profileOf(stack, seller);
  const [charge] = (await stripe.charges.list({ customer: customer! })).data;
  await stripe.customers.del(customer!);
  await requestPlan(seller, 'freelance');
  await stripe.refunds.create({ charge: charge!.id });
  await stack.stripe.settled();
  expect(await profileOf(stack, seller)).toMatchObject({ generations_left: 0, refunded: 100 });
  await expectCleanSoon(stack);
});

test('concurrent checkouts for a deleted customer create one new customer', async ({ stack }) => {
  const seller = await subscriber(stack, 'freelance');
  const { stripe } = stack.server.context.billing;
  await stripe.customers.del((await profileOf(stack, seller)).stripe_customer_id!);
  await stack.stripe.settled();
  await Promise.all(Array.from({ length: 4 }, () => requestPlan(seller, 'freelance')));
  expect((await stripe.customers.list({ email: seller.email })).data).toHaveLength(1);
});
