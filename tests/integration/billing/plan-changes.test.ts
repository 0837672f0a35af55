import { expect } from 'vitest';
import { type PortalReply, paths } from '#contract';
import { expectError } from '#tests/support/errors.ts';
import { expectClean, payByCheckout, profileOf, requestPlan, subscriber } from '#tests/support/subscriber.ts';
import { testWithStack } from '#tests/support/test.ts';
import { cards, setCard, subscriptionOf } from './harness.ts';

const test = testWithStack();
test.beforeEach(({ stack }) => stack.stripe.reset());

test('an upgrade is charged and applied at once; a downgrade is scheduled and can be withdrawn', async ({
  stack,
}) => {
  const seller = await subscriber(stack, 'freelance');
  const upgraded = await requestPlan(seller, 'enterprise');
  expect(upgraded.body).toMatchObject({
    subscription: { plan: 'enterprise', unlimited: true, isActive: true },
  });
  const profile = await profileOf(stack, seller);
  const invoices = await stack.server.context.billing.stripe.invoices.list({
    customer: profile.stripe_customer_id!,
  });
  // Nearly the whole difference, because the month has just begun.
  const [difference] = invoices.data;
  expect(difference).toMatchObject({ status: 'paid', billing_reason: 'subscription_update' });
  expect(difference!.amount_paid).toBeGreaterThan(14_800);
  expect(difference!.amount_paid).toBeLessThanOrEqual(14_900);

  const downgraded = await requestPlan(seller, 'freelance');
  const at = (await subscriptionOf(seller)).currentPeriodEnd;
  expect(downgraded.body).toMatchObject({
    subscription: { plan: 'enterprise', nextPlan: { plan: 'freelance', at } },
  });
  expect((await requestPlan(seller, 'freelance')).body).toMatchObject({
    subscription: { nextPlan: { plan: 'freelance' } },
  });
  expect((await requestPlan(seller, 'enterprise')).body).toMatchObject({
    subscription: { plan: 'enterprise', nextPlan: null },
  });

  await requestPlan(seller, 'freelance');
  await stack.stripe.advance({ months: 1 });
  expect(await subscriptionOf(seller)).toMatchObject({
    plan: 'freelance',
    status: 'active',
    nextPlan: null,
    generationsLeft: 100,
  });
  // The schedule is released; otherwise Stripe would refuse to cancel the subscription.
  const { subscription_id: id } = await profileOf(stack, seller);
  expect(await stack.server.context.billing.stripe.subscriptions.retrieve(id!)).toMatchObject({
    schedule: null,
  });
  await expectClean(stack);
});

test('an upgrade that cannot be charged changes nothing', async ({ stack }) => {
  const seller = await subscriber(stack, 'freelance');
  await setCard(stack, seller, cards.failing);
  expectError(await requestPlan(seller, 'enterprise'), 'CARD_DECLINED');
  expect(await subscriptionOf(seller)).toMatchObject({ plan: 'freelance', status: 'active' });
  await expectClean(stack);
});

test('a cancelled plan works until the period ends; afterwards the seller can subscribe again', async ({
  stack,
}) => {
  const seller = await subscriber(stack, 'enterprise');
  const portal = await seller.request<PortalReply>(paths.portalSession, { method: 'POST' });
  expect(portal).toMatchObject({ status: 200 });
  expect(await fetch(portal.body.url)).toMatchObject({ status: 200 });

  await stack.stripe.cancelAtPeriodEnd((await profileOf(stack, seller)).subscription_id!);
  await stack.stripe.settled();
  expect(await subscriptionOf(seller)).toMatchObject({
    status: 'active',
    cancelAtPeriodEnd: true,
    isCancelled: true,
    canGenerate: true,
  });
  // Asking for the current plan withdraws the cancellation.
  expect((await requestPlan(seller, 'enterprise')).body).toMatchObject({
    subscription: { cancelAtPeriodEnd: false },
  });
  await stack.stripe.cancelAtPeriodEnd((await profileOf(stack, seller)).subscription_id!);
  await stack.stripe.advance({ months: 1 });
  expect(await subscriptionOf(seller)).toMatchObject({
    status: 'canceled',
    canGenerate: false,
    isCancelled: true,
    currentPeriodEnd: null,
  });
  expectError(await seller.send(), 'NO_SUBSCRIPTION');
  await stack.mails.waitForMail({ to: seller.email, subject: 'ended' });
  expect(await payByCheckout(stack, seller, 'freelance')).toMatchObject({
    status: 'active',
    generationsLeft: 100,
  });
  await expectClean(stack);
});
