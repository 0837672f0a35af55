/** More of plans: fair use, and refunds and checkouts of unlimited plans and deleted customers. */

import { expect } from 'vitest';
import { expectError } from '#tests/support/errors.ts';
import {
  chargesOf,
  expectCleanSoon,
  profileOf,
  requestPlan,
  stripe,
  subscriber,
} from '#tests/support/subscriber.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ settings: { FAIR_USE_MONTHLY: '2' } });
test.beforeEach(({ stack }) => stack.stripe.reset());

test('an unlimited plan refuses submits above its monthly fair use', async ({ stack }) => {
  const seller = await subscriber(stack, 'enterprise');
  const window = await seller.openWindow();
  for (let image = 0; image < 2; image += 1) await window.untilEnded((await seller.submit()).id);
  expectError(await seller.send(), 'FAIR_USE');
  window.close();
  await stack.stripe.advance({ months: 1 });
  await seller.submit();
});

test('a payment of a deleted customer can still be refunded', async ({ stack }) => {
  const seller = await subscriber(stack, 'freelance');
  const { stripe_customer_id: customer } = await profileOf(stack, seller);
  const [charge] = (await stripe(stack).charges.list({ customer: customer! })).data;
  await stripe(stack).customers.del(customer!);
  await requestPlan(seller, 'freelance');
  await stripe(stack).refunds.create({ charge: charge!.id });
  await stack.stripe.settled();
  expect(await profileOf(stack, seller)).toMatchObject({ generations_left: 0, refunded: 100 });
  await expectCleanSoon(stack);
});

test('concurrent checkouts for a deleted customer create one new customer', async ({ stack }) => {
  const seller = await subscriber(stack, 'freelance');
  await stripe(stack).customers.del((await profileOf(stack, seller)).stripe_customer_id!);
  await stack.stripe.settled();
  await Promise.all(Array.from({ length: 4 }, () => requestPlan(seller, 'freelance')));
  expect((await stripe(stack).customers.list({ email: seller.email })).data).toHaveLength(1);
});

test('a refund of an unlimited plan, or of the upgrade to it, stops generating', async ({ stack }) => {
  const seller = await subscriber(stack, 'enterprise');
  await stripe(stack).refunds.create({ charge: (await chargesOf(stack, seller))[0]! });
  await stack.stripe.settled();
  expectError(await seller.send(), 'PAYMENT_RETURNED');
  await stack.stripe.advance({ months: 1 });
  await seller.submit();

  const upgraded = await subscriber(stack, 'freelance');
  await requestPlan(upgraded, 'enterprise');
  const [difference, month] = await chargesOf(stack, upgraded);
  await stripe(stack).refunds.create({ charge: month! });
  await stack.stripe.settled();
  // The metered images are taken back, but the upgrade to the unlimited plan is still paid.
  expect(await profileOf(stack, upgraded)).toMatchObject({ generations_left: 0, refunded: 100 });
  await seller.submit();
  await stripe(stack).refunds.create({ charge: difference! });
  await stack.stripe.settled();
  expectError(await upgraded.send(), 'PAYMENT_RETURNED');
  await expectCleanSoon(stack);
});
