import { expect } from 'vitest';
import { type NotificationList, paths } from '#contract';
import { expectError } from '#tests/support/errors.ts';
import { expectCleanSoon, profileOf, requestPlan, subscriber } from '#tests/support/subscriber.ts';
import { testWithStack } from '#tests/support/test.ts';
import { cards, setCard, subscriptionOf } from './harness.ts';

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
