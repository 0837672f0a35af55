/** Refunds of an unlimited plan. */
import { expect } from 'vitest';
import { expectError } from '#tests/support/errors.ts';
import { chargesOf, stripe } from '#tests/support/refunds.ts';
import { expectCleanSoon, profileOf, requestPlan, subscriber } from '#tests/support/subscriber.ts';
import { test } from './refunds-steps.ts';

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
