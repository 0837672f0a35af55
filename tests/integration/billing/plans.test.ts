/** A plan from month to month, and its changes. */
import { expect } from 'vitest';
import { type NotificationList, type PortalReply, paths } from '#contract';
import { expectError } from '#tests/support/errors.ts';
import {
  cards,
  expectClean,
  expectCleanSoon,
  payByCheckout,
  profileOf,
  requestPlan,
  setCard,
  subscriber,
  subscriptionOf,
} from '#tests/support/subscriber.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack();

test.beforeEach(({ stack }) => stack.stripe.reset());

test('a renewal grants 100 images and forfeits those that are left; the ledger has both', async ({
  stack,
}) => {
  const seller = await subscriber(stack, 'freelance');
  const window = await seller.openWindow();
  await window.untilEnded((await seller.submit()).id);
  window.close();
  await expect.poll(async () => (await subscriptionOf(seller)).generationsLeft).toBe(99);
  await stack.stripe.advance({ months: 1 });
  expect(await subscriptionOf(seller)).toMatchObject({ generationsLeft: 100, status: 'active' });
  const { body } = await seller.request<{ entries: { kind: string; count: number; period: unknown }[] }>(
    paths.creditEntries,
  );
  expect(body.entries.map(({ kind, count }) => [kind, count])).toEqual([
    ['grant', 100],
    ['forfeit', 99],
    ['settle', 1],
    ['grant', 100],
  ]);
  expect(body.entries[0]!.period).toMatchObject({ plan: 'freelance' });
  expect(body.entries[2]).toMatchObject({ generation: { state: 'succeeded' }, period: null });
  await expectCleanSoon(stack);
});

test('a failed payment: a mail and a grace period; the images are granted when it is paid late', async ({
  stack,
}) => {
  const seller = await subscriber(stack, 'freelance');
  await setCard(stack, seller, cards.failing);
  await stack.stripe.advance({ months: 1 });
  const overdue = await subscriptionOf(seller);
  expect(overdue).toMatchObject({
    status: 'past_due',
    isActive: false,
    canGenerate: true,
    generationsLeft: 100,
  });
  expect(overdue.graceUntil).not.toBeNull();
  const mail = await stack.mails.waitForMail({ to: seller.email, subject: 'payment' });
  expect(mail.text).toContain(paths.subscription.replace('/api/subscription', '/profile'));
  await seller.submit();
  expectError(await requestPlan(seller, 'enterprise'), 'PAYMENT_OVERDUE');

  // The grace period is over.
  await stack.models.profiles.updateOne({ _id: seller.id }, { $set: { grace_until: new Date(0) } });
  expectError(await seller.send(), 'PAYMENT_OVERDUE');

  await setCard(stack, seller, cards.good);
  await stack.stripe.advance({ seconds: 3 * 86_400 });
  expect(await subscriptionOf(seller)).toMatchObject({
    status: 'active',
    graceUntil: null,
    generationsLeft: 100,
  });
  const { body } = await seller.request<NotificationList>(paths.notifications);
  const aboutPayments = body.notifications.filter(({ kind }) => kind.startsWith('payment'));
  expect(aboutPayments.map(({ kind }) => kind)).toEqual([
    'payment-succeeded',
    'payment-failed',
    'payment-succeeded',
  ]);
  await expectCleanSoon(stack);
});

test('a trial grants the images of a month, and so does the first payment', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  await requestPlan(seller, 'freelance');
  const { stripe, catalogue } = stack.server.context.billing;
  const customer = (await profileOf(stack, seller)).stripe_customer_id!;
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  await stripe.subscriptions.create({
    customer,
    items: [{ price: (await catalogue()).freelance.priceId }],
    default_payment_method: card.id,
    trial_period_days: 14,
  });
  await stack.stripe.settled();
  const trial = await subscriptionOf(seller);
  expect(trial).toMatchObject({ status: 'trialing', isActive: false, canGenerate: true, isTrial: true });
  expect(trial).toMatchObject({ generationsLeft: 100, currentPeriodEnd: trial.trialEnd });
  await seller.submit();
  await stack.stripe.advance({ seconds: 15 * 86_400 });
  expect(await subscriptionOf(seller)).toMatchObject({
    status: 'active',
    isTrial: false,
    generationsLeft: 100,
  });
  await expectCleanSoon(stack);
});

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
