import { expect } from 'vitest';
import { type PortalReply, paths, type SubscriptionView } from '#contract';
import { auditBilling } from '#scripts/audit/audit-billing.ts';
import { expectError } from '#tests/support/errors.ts';
import type { Seller } from '#tests/support/seller.ts';
import { startTestStack, type TestStack } from '#tests/support/stack.ts';
import { askFor, payByCheckout, profileOf, sessionOf, subscriber } from '#tests/support/subscriber.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack();
test.beforeEach(({ stack }) => stack.stripe.reset());

const declined = '4000000000000002';
/** It can be attached, and every charge of it fails. */
const failing = '4000000000000341';

async function withCard(stack: TestStack, seller: Seller, card: string): Promise<Seller> {
  await stack.stripe.setCard((await profileOf(stack, seller)).stripe_customer_id!, card);
  return seller;
}

async function expectClean(stack: TestStack): Promise<void> {
  expect(await stack.audit()).toEqual([]);
  const { billing, config, db } = stack.server.context;
  expect(await auditBilling(db, billing, config.billing.graceMs)).toEqual([]);
}

const subscriptionOf = async (seller: Seller): Promise<SubscriptionView> => (await seller.me()).subscription;

test('a seller without a plan may not generate, pays, and has the month’s images', async ({ stack }) => {
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
  const told = new Promise<SubscriptionView>((resolve) => {
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
  expect(await told).toMatchObject({ generationsLeft: 100 });
  window.close();
  await seller.submit();
  await expectClean(stack);
});

test('the same page is opened again, another plan’s page closes it, and only one subscription can come of it', async ({
  stack,
}) => {
  const seller = await stack.seller({ paid: false });
  const [first, again] = [await askFor(seller, 'freelance'), await askFor(seller, 'freelance')];
  expect(again.body).toEqual(first.body);
  const other = await askFor(seller, 'enterprise');
  await expect(stack.stripe.completeCheckout(sessionOf(first.body))).rejects.toThrow();
  await stack.stripe.completeCheckout(sessionOf(other.body));
  await stack.stripe.settled();
  expect(await subscriptionOf(seller)).toMatchObject({ plan: 'enterprise', unlimited: true });
  await expectClean(stack);
});

test('of two windows that buy at the same moment one is asked to wait, and one customer is made', async ({
  stack,
}) => {
  const seller = await stack.seller({ paid: false });
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => askFor(seller, index % 2 ? 'freelance' : 'enterprise')),
  );
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1);
  for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, 'BILLING_BUSY');
  const { stripe } = stack.server.context.billing;
  const customers = await stripe.customers.list({ email: seller.email });
  expect(customers.data).toHaveLength(1);
  const open = await stripe.checkout.sessions.list({ customer: customers.data[0]!.id, status: 'open' });
  expect(open.data).toHaveLength(1);
});

test('a declined card buys nothing', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  const { body } = await askFor(seller, 'freelance');
  const outcome = await stack.stripe.completeCheckout(sessionOf(body), declined).catch(() => 'declined');
  expect(JSON.stringify(outcome)).toContain('declined');
  await stack.stripe.settled();
  expectError(await seller.send(), 'NO_SUBSCRIPTION');
});

test('an upgrade is charged and works at once; a downgrade waits for the period’s end and can be taken back', async ({
  stack,
}) => {
  const seller = await subscriber(stack, 'freelance');
  const upgraded = await askFor(seller, 'enterprise');
  expect(upgraded.body).toMatchObject({
    subscription: { plan: 'enterprise', unlimited: true, isActive: true },
  });
  const profile = await profileOf(stack, seller);
  const invoices = await stack.server.context.billing.stripe.invoices.list({
    customer: profile.stripe_customer_id!,
  });
  // The whole difference, since the month has just begun.
  const [difference] = invoices.data;
  expect(difference).toMatchObject({ status: 'paid', billing_reason: 'subscription_update' });
  expect(difference!.amount_paid).toBeGreaterThan(14_800);
  expect(difference!.amount_paid).toBeLessThanOrEqual(14_900);

  const lowered = await askFor(seller, 'freelance');
  const at = (await subscriptionOf(seller)).currentPeriodEnd;
  expect(lowered.body).toMatchObject({
    subscription: { plan: 'enterprise', nextPlan: { plan: 'freelance', at } },
  });
  expect((await askFor(seller, 'freelance')).body).toMatchObject({
    subscription: { nextPlan: { plan: 'freelance' } },
  });
  expect((await askFor(seller, 'enterprise')).body).toMatchObject({
    subscription: { plan: 'enterprise', nextPlan: null },
  });

  await askFor(seller, 'freelance');
  await stack.stripe.advance({ months: 1 });
  expect(await subscriptionOf(seller)).toMatchObject({
    plan: 'freelance',
    status: 'active',
    nextPlan: null,
    generationsLeft: 100,
  });
  // Nothing of the change is left at Stripe that would stand in the way of the next one.
  const { subscription_id: id } = await profileOf(stack, seller);
  expect(await stack.server.context.billing.stripe.subscriptions.retrieve(id!)).toMatchObject({
    schedule: null,
  });
  await expectClean(stack);
});

test('an upgrade that cannot be charged changes nothing and says where to mend the card', async ({
  stack,
}) => {
  const seller = await withCard(stack, await subscriber(stack, 'freelance'), failing);
  expectError(await askFor(seller, 'enterprise'), 'CARD_DECLINED');
  expect(await subscriptionOf(seller)).toMatchObject({ plan: 'freelance', status: 'active' });
  await expectClean(stack);
});

test('a renewal refills 100 and forfeits what was left; the ledger says both', async ({ stack }) => {
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
  await expectClean(stack);
});

test('a failed payment: overdue, with a mail and a grace period; paid late, the images come', async ({
  stack,
}) => {
  const seller = await withCard(stack, await subscriber(stack, 'freelance'), failing);
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
  expectError(await askFor(seller, 'enterprise'), 'PAYMENT_OVERDUE');

  // The grace period is over.
  await stack.models.profiles.updateOne({ _id: seller.id }, { $set: { grace_until: new Date(0) } });
  expectError(await seller.send(), 'PAYMENT_OVERDUE');

  await stack.stripe.setCard((await profileOf(stack, seller)).stripe_customer_id!, '4242424242424242');
  await stack.stripe.advance({ seconds: 3 * 86_400 });
  expect(await subscriptionOf(seller)).toMatchObject({
    status: 'active',
    graceUntil: null,
    generationsLeft: 100,
  });
  await expectClean(stack);
});

test('cancelled in the portal it works to the period’s end, then no more; who comes back pays anew', async ({
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
  // The current plan once more takes the end back.
  expect((await askFor(seller, 'enterprise')).body).toMatchObject({
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

test('an unlimited plan ends at its fair use for the month', async () => {
  const fair = await startTestStack({ settings: { FAIR_USE_MONTHLY: '2' } });
  try {
    const seller = await subscriber(fair, 'enterprise');
    const window = await seller.openWindow();
    for (let image = 0; image < 2; image += 1) await window.untilEnded((await seller.submit()).id);
    expectError(await seller.send(), 'FAIR_USE');
    window.close();
    await fair.stripe.advance({ months: 1 });
    await seller.submit();
  } finally {
    await fair.close();
  }
});

test('a trial has the month’s images, and the first payment brings the next ones', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  await askFor(seller, 'freelance');
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
  await expectClean(stack);
});

test('wrong input is named; without a plan there is no portal; reads are limited', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  const message = 'Invalid subscription plan';
  for (const plan of ['gold', '', null, { $gt: '' }]) {
    expectError(await askFor(seller, plan), 'VALIDATION', { field: 'planId', message });
  }
  expectError(await seller.request(paths.portalSession, { method: 'POST' }), 'NO_BILLING');
  const answers = [];
  for (let read = 0; read < 11; read += 1) answers.push(await seller.request(paths.subscription));
  expect(answers.slice(0, 10).map(({ status }) => status)).toEqual(Array(10).fill(200));
  expectError(answers[10]!, 'RATE_LIMITED');
});

test('while Stripe does not answer, requests that need it fail with a readable message and images are still made', async ({
  stack,
}) => {
  const seller = await subscriber(stack, 'freelance');
  await stack.stripe.set({ faults: Array(100).fill({ when: 'before', status: 500 }) });
  expectError(await askFor(seller, 'enterprise'), 'SUBSCRIBE_FAILED');
  expectError(await seller.request(paths.portalSession, { method: 'POST' }), 'PORTAL_FAILED');
  expectError(await seller.request(paths.subscription), 'SUBSCRIPTION_UNREADABLE');
  await seller.submit();
});
