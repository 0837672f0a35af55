/** What a change of plan costs is shown before, is what is charged, and is never passed. */
import { expect } from 'vitest';
import { type PlanChangePreview, plans } from '#contract';
import { expectError } from '#tests/support/errors.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import {
  agreementTo,
  agreeToPlan,
  cards,
  charged,
  checkoutSessionId,
  expectClean,
  previewPlan,
  profileOf,
  requestPlan,
  setCard,
  stripe,
  subscriber,
  subscriptionOf,
} from '#tests/support/subscriber.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ workers: 0 });
test.beforeEach(({ stack }) => stack.stripe.reset());

const difference = plans.enterprise.monthlyPriceCents - plans.freelance.monthlyPriceCents;
const day = 86_400;

interface Paying {
  seller: Seller;
  customer: string;
  subscription: string;
}

async function paying(stack: TestStack, plan: 'freelance' | 'enterprise' = 'freelance'): Promise<Paying> {
  const seller = await subscriber(stack, plan);
  const { stripe_customer_id: customer, subscription_id: subscription } = await profileOf(stack, seller);
  return { seller, customer: customer!, subscription: subscription! };
}

async function shownTo(seller: Seller): Promise<PlanChangePreview> {
  const { status, body } = await previewPlan(seller, 'enterprise');
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

test('the preview knows a plan whose checkout has just been paid, although its event is still to come', async ({
  stack,
}) => {
  await stack.stripe.set({ webhooks: { hold: true } });
  const seller = await stack.seller({ paid: false });
  const { body } = await requestPlan(seller, 'freelance');
  await stack.stripe.completeCheckout(checkoutSessionId(body));
  expect(await profileOf(stack, seller)).toMatchObject({ subscription_id: null });
  const shown = await shownTo(seller);
  expect(shown.dueNow?.amount).toBe(difference);
  expect(await agreeToPlan(seller, 'enterprise', agreementTo(shown))).toMatchObject({
    status: 200,
    body: { subscription: { plan: 'enterprise', status: 'active' } },
  });
});

/** Expects that a change is refused with an amount, and that nothing was charged or changed. */
async function expectRefused(
  stack: TestStack,
  { seller, customer }: Paying,
  request: ReturnType<typeof agreeToPlan>,
  amount: number,
): Promise<void> {
  const before = await charged(stack, customer);
  expectError(await request, 'AMOUNT_CHANGED', {
    message: expect.stringContaining(`$${(amount / 100).toFixed(2)}`) as string,
  });
  expect(await charged(stack, customer)).toEqual(before);
  expect(await subscriptionOf(seller)).toMatchObject({ plan: 'freelance', status: 'active' });
}

test('the preview says what is charged now and next; the change charges exactly that', async ({ stack }) => {
  const { seller, customer, subscription } = await paying(stack);
  const { items } = await stripe(stack).subscriptions.retrieve(subscription);
  await stack.stripe.advance({ to: items.data[0]!.current_period_end - 10 * day });
  const shown = await shownTo(seller);
  const { currentPeriodEnd } = await subscriptionOf(seller);
  expect(shown).toMatchObject({
    planId: 'enterprise',
    currency: 'usd',
    dueNow: { discount: 0, tax: 0, balance: 0 },
    next: { at: currentPeriodEnd, amount: plans.enterprise.monthlyPriceCents, tax: 0 },
  });
  const { amount, remaining, unused } = shown.dueNow!;
  expect(amount).toBe(remaining - unused);
  expect(amount).toBeGreaterThan(4_000);
  expect(amount).toBeLessThan(6_000);
  // The seller reads for an hour: the time of the preview counts.
  await stack.stripe.advance({ seconds: 3_600 });
  expect((await agreeToPlan(seller, 'enterprise', agreementTo(shown))).body).toMatchObject({
    subscription: { plan: 'enterprise' },
  });
  expect(await charged(stack, customer)).toEqual({ sum: 5_000 + amount, payments: 2 });
  await stack.stripe.advance({ seconds: 10 * day });
  expect(await charged(stack, customer)).toEqual({ sum: 5_000 + amount + shown.next!.amount, payments: 3 });
  await expectClean(stack);
});

test('nothing is charged to whom agreed to nothing, or to less', async ({ stack }) => {
  const account = await paying(stack);
  const { amount, prorationDate } = (await shownTo(account.seller)).dueNow!;
  const ask = (agreed?: { amount: number; prorationDate?: string }) =>
    agreeToPlan(account.seller, 'enterprise', agreed);
  await expectRefused(stack, account, ask(), amount);
  await expectRefused(stack, account, ask({ amount: amount - 1, prorationDate }), amount);
  await expectRefused(stack, account, ask({ amount: amount - 100 }), amount);
  await expectClean(stack);
});

test('a time of the seller’s choice does not make it cheaper', async ({ stack }) => {
  const account = await paying(stack);
  const { amount } = (await shownTo(account.seller)).dueNow!;
  const { currentPeriodEnd } = await subscriptionOf(account.seller);
  for (const prorationDate of [currentPeriodEnd!, '2020-01-01T00:00:00.000Z', '2100-01-01T00:00:00.000Z']) {
    const request = agreeToPlan(account.seller, 'enterprise', { amount: 20_000, prorationDate });
    await expectRefused(stack, account, request, amount);
  }
});

/** What may happen while the dialog is open, after which the amount is larger. */
const surprises: Readonly<Record<string, (stack: TestStack, account: Paying) => Promise<unknown>>> = {
  'the coupon has ended': (stack, { subscription }) =>
    stripe(stack).subscriptions.update(subscription, { discounts: '' }),
  'the credit is used': (stack, { customer }) => stripe(stack).customers.update(customer, { balance: 0 }),
  'the customer owes something': (stack, { customer }) =>
    stripe(stack).customers.update(customer, { balance: 700 }),
  'a new period has begun': (stack) => stack.stripe.advance({ months: 1 }),
};

test.for(Object.keys(surprises))('refused with the new amount: %s', async (name, { stack }) => {
  const account = await paying(stack);
  const { seller, customer, subscription } = account;
  const coupon = await stripe(stack).coupons.create({ percent_off: 50, duration: 'forever' });
  await stripe(stack).subscriptions.update(subscription, { discounts: [{ coupon: coupon.id }] });
  await stripe(stack).customers.update(customer, { balance: -500 });
  const shown = await shownTo(seller);
  await surprises[name]!(stack, account);
  const now = await shownTo(seller);
  expect(now).not.toEqual(shown);
  await expectRefused(
    stack,
    account,
    agreeToPlan(seller, 'enterprise', agreementTo(shown)),
    now.dueNow!.amount,
  );
  const before = await charged(stack, customer);
  expect((await agreeToPlan(seller, 'enterprise', agreementTo(now))).status).toBe(200);
  expect((await charged(stack, customer)).sum).toBe(before.sum + now.dueNow!.amount);
});

test('a change in another window: the second one pays nothing', async ({ stack }) => {
  const { seller, customer } = await paying(stack);
  const shown = await shownTo(seller);
  await requestPlan(seller, 'enterprise');
  const before = await charged(stack, customer);
  expect((await agreeToPlan(seller, 'enterprise', agreementTo(shown))).status).toBe(200);
  expect(await charged(stack, customer)).toEqual(before);
});

test('without a preview, a bound is agreed to, and the change checks it; Stripe away charges nothing', async ({
  stack,
}) => {
  const account = await paying(stack);
  const { seller, customer } = account;
  const away = (times: number) =>
    stack.stripe.set({
      faults: Array(times).fill({ when: 'before', status: 500, match: 'create_preview' }),
    });
  await away(2);
  expectError(await previewPlan(seller, 'enterprise'), 'SUBSCRIPTION_UNREADABLE');
  await stack.stripe.reset();
  await away(2);
  const before = await charged(stack, customer);
  expectError(await agreeToPlan(seller, 'enterprise', { amount: difference }), 'SUBSCRIBE_FAILED');
  expect(await charged(stack, customer)).toEqual(before);
  await stack.stripe.reset();
  const bound = { amount: difference };
  expect((await agreeToPlan(seller, 'enterprise', bound)).body).toMatchObject({
    subscription: { plan: 'enterprise' },
  });
  const { sum } = await charged(stack, customer);
  expect(sum - before.sum).toBeGreaterThan(14_800);
  expect(sum - before.sum).toBeLessThanOrEqual(difference);
});

test('a preview of a downgrade, in a trial, and of a cancelled plan says what comes next', async ({
  stack,
}) => {
  const down = await paying(stack, 'enterprise');
  expect((await previewPlan(down.seller, 'freelance')).body).toMatchObject({
    dueNow: null,
    next: { amount: 5_000, at: (await subscriptionOf(down.seller)).currentPeriodEnd },
  });
  const cancelled = await paying(stack);
  await stack.stripe.cancelAtPeriodEnd(cancelled.subscription);
  expect((await shownTo(cancelled.seller)).next).toMatchObject({ amount: 19_900 });

  const trial = await stack.seller({ paid: false });
  await requestPlan(trial, 'freelance');
  const { stripe_customer_id: customer } = await profileOf(stack, trial);
  const card = await stripe(stack).paymentMethods.attach('pm_card_visa', { customer: customer! });
  await stripe(stack).subscriptions.create({
    customer: customer!,
    items: [{ price: (await stack.server.context.billing.catalogue()).freelance.priceId }],
    default_payment_method: card.id,
    trial_period_days: 14,
  });
  await stack.stripe.settled();
  const { trialEnd } = await subscriptionOf(trial);
  expect(await shownTo(trial)).toMatchObject({ dueNow: null, next: { amount: 19_900, at: trialEnd } });
  expect((await agreeToPlan(trial, 'enterprise')).body).toMatchObject({
    subscription: { plan: 'enterprise', status: 'trialing' },
  });
  expect(await charged(stack, customer!)).toEqual({ sum: 0, payments: 0 });
});

test('no preview without a plan, or with an overdue one', async ({ stack }) => {
  expectError(await previewPlan(await stack.seller({ paid: false }), 'enterprise'), 'NO_SUBSCRIPTION');
  const { seller } = await paying(stack);
  await setCard(stack, seller, cards.failing);
  await stack.stripe.advance({ months: 1 });
  expectError(await previewPlan(seller, 'enterprise'), 'PAYMENT_OVERDUE');
});

test('the next payment is without what only this one has: credit, and a coupon for one invoice', async ({
  stack,
}) => {
  const { seller, customer, subscription } = await paying(stack);
  const coupon = await stripe(stack).coupons.create({ percent_off: 50, duration: 'once' });
  await stripe(stack).subscriptions.update(subscription, { discounts: [{ coupon: coupon.id }] });
  await stripe(stack).customers.update(customer, { balance: -300 });
  const shown = await shownTo(seller);
  expect(shown).toMatchObject({ dueNow: { balance: -300 }, next: { amount: 19_900 } });
  await agreeToPlan(seller, 'enterprise', agreementTo(shown));
  const { sum } = await charged(stack, customer);
  expect(sum).toBe(5_000 + shown.dueNow!.amount);
  await stack.stripe.advance({ months: 1 });
  expect((await charged(stack, customer)).sum).toBe(sum + 19_900);
});
