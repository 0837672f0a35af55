/** An operator who bans a seller decides what becomes of the billing; it is carried out, also when Stripe is away at first. */
import { expect } from 'vitest';
import {
  type OperatorActionList,
  type OperatorBilling,
  type OperatorSellerView,
  operatorPaths,
  paths,
} from '#contract';
import { accountAction } from '#scripts/account/account.ts';
import { dateLabel } from '#shared/mail/labels.ts';
import { call } from '#tests/support/account.ts';
import { atOnce, workerContext } from '#tests/support/credits.ts';
import { expectError } from '#tests/support/errors.ts';
import { operatorOf } from '#tests/support/operator.ts';
import { type Answer, type Seller, testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import {
  cards,
  checkoutSessionId,
  expectClean,
  profileOf,
  requestPlan,
  setCard,
  stripe,
  subscriber,
} from '#tests/support/subscriber.ts';
import { testWithStack } from '#tests/support/test.ts';
import { createVisitor } from '#tests/support/visitor.ts';
import { runBillingUpkeep } from '#worker/upkeep/billing.ts';

const test = testWithStack({ workers: 0 }).extend('operator', { scope: 'file' }, ({ stack }) =>
  operatorOf(stack),
);
test.afterEach(({ stack }) => stack.stripe.reset());

type Choice = 'end-now' | 'end-with-period' | 'renew' | 'leave';

const act = (
  operator: Seller,
  seller: Seller,
  action: 'disable' | 'enable',
  billing?: Choice,
): Promise<Answer<OperatorSellerView>> =>
  call<OperatorSellerView>(operator, 'POST', operatorPaths.sellerAction(seller.id, action), {
    reason: 'Sells what is not allowed',
    ...(billing && { billing }),
  });

const billingOf = async (operator: Seller, seller: Seller) =>
  (await operator.request<OperatorBilling>(operatorPaths.sellerBilling(seller.id))).body;

const signIn = (stack: TestStack, seller: Seller) =>
  createVisitor(stack.url).post(paths.session, { email: seller.email, password: testPassword });

/** The subscriptions of a seller's customer at Stripe that have not ended. */
async function running(stack: TestStack, seller: Seller) {
  const { stripe_customer_id: customer } = await profileOf(stack, seller);
  return (await stripe(stack).subscriptions.list({ customer: customer! })).data;
}

const disabledMails = async (stack: TestStack, seller: Seller) =>
  (await stack.models.mails.find({ to: seller.email, kind: 'accountDisabled' }).lean()).map(
    ({ text }) => text,
  );

test('the page says what each choice does, with dates and amounts, as Stripe has them now', async ({
  stack,
  operator,
}) => {
  const seller = await subscriber(stack, 'freelance');
  const { subscription_data: details } = await profileOf(stack, seller);
  const end = details!.current_period_end.toISOString();
  expect(await billingOf(operator, seller)).toEqual({
    source: 'stripe',
    subscription: {
      plan: 'freelance',
      status: 'active',
      periodEnd: end,
      ends: false,
      nextPlan: null,
      price: { cents: 5_000, currency: 'usd' },
    },
    others: 0,
    unpaid: [],
    lastPayment: { cents: 5_000, currency: 'usd', at: expect.any(String), refundedCents: 0 },
    choices: ['end-now', 'end-with-period', 'leave'],
  });
  const free = await stack.seller({ paid: false });
  expect(await billingOf(operator, free)).toMatchObject({ subscription: null, choices: [] });
  // Without Stripe the page says what is stored.
  await stack.stripe.set({ faults: Array(60).fill({ when: 'before', status: 500, match: 'GET /v1' }) });
  expect(await billingOf(operator, seller)).toMatchObject({
    source: 'stored',
    subscription: { plan: 'freelance', periodEnd: end, price: null },
    lastPayment: null,
    choices: ['end-now', 'end-with-period', 'leave'],
  });
});

test('at once: the subscription ends, the seller is told by mail and at sign-in, and nothing is charged again', async ({
  stack,
  operator,
}) => {
  const seller = await subscriber(stack, 'freelance');
  // A page to pay on that is open in another window.
  const { stripe_customer_id: customer } = await profileOf(stack, seller);
  const { body } = await act(operator, seller, 'disable', 'end-now');
  expect(body).toMatchObject({
    disabledAt: expect.any(String),
    plan: { status: 'canceled', subscriptionId: null },
    billingOrder: { kind: 'end-now', pending: false, problem: null, endsAt: expect.any(String) },
  });
  await stack.stripe.settled();
  expect(await running(stack, seller)).toEqual([]);
  const today = dateLabel(new Date(body.billingOrder!.endsAt!));
  const [mail, ...more] = await disabledMails(stack, seller);
  expect(more).toEqual([]);
  expect(mail).toContain('has been disabled');
  expect(mail).toContain(today);
  expect(mail).toContain('will not be charged again');
  // The other mail about the end would ask a seller who cannot sign in to subscribe again.
  expect(await stack.models.mails.countDocuments({ to: seller.email, kind: 'subscriptionEnded' })).toBe(0);
  expectError(await signIn(stack, seller), 'ACCOUNT_DISABLED', {
    message: `This account has been disabled. Please contact support. Your plan ended on ${today}, and you will not be charged again.`,
  });
  await stack.stripe.advance({ months: 2 });
  const charges = await stripe(stack).charges.list({ customer: customer! });
  expect(charges.data.map(({ amount, refunded }) => [amount, refunded])).toEqual([[5_000, false]]);
  await expectClean(stack);
  const log = await operator.request<OperatorActionList>(`${operatorPaths.actions}?target=${seller.id}`);
  expect(log.body.actions).toMatchObject([
    { action: 'disable-account', details: 'Billing ends at once', outcome: 'done' },
  ]);
});

for (const form of ['flexible', 'classic'] as const) {
  test(`${form}: at the end of the period, withdrawn when the account is enabled, or kept`, async ({
    stack,
    operator,
  }) => {
    await stack.stripe.set({ billingMode: form });
    const [withdrawn, kept] = [await subscriber(stack, 'freelance'), await subscriber(stack, 'freelance')];
    for (const seller of [withdrawn, kept]) {
      const { subscription_data: before } = await profileOf(stack, seller);
      const end = before!.current_period_end;
      const { body } = await act(operator, seller, 'disable', 'end-with-period');
      expect(body).toMatchObject({
        plan: { status: 'active', cancelAtPeriodEnd: true },
        billingOrder: { kind: 'end-with-period', pending: false, endsAt: end.toISOString() },
      });
      expect((await disabledMails(stack, seller))[0]).toContain(dateLabel(end));
      expectError(await signIn(stack, seller), 'ACCOUNT_DISABLED', {
        message: `This account has been disabled. Please contact support. Your plan ends on ${dateLabel(end)}, and you will not be charged again.`,
      });
      expect(await billingOf(operator, seller)).toMatchObject({ subscription: { ends: true } });
    }
    expect((await act(operator, withdrawn, 'enable', 'renew')).body).toMatchObject({
      disabledAt: null,
      plan: { status: 'active', cancelAtPeriodEnd: false },
      billingOrder: { kind: 'renew', pending: false },
    });
    const told = await stack.models.mails.findOne({ to: withdrawn.email, kind: 'accountEnabled' }).lean();
    expect(told!.text).toContain('renews');
    expect((await act(operator, kept, 'enable', 'leave')).body).toMatchObject({
      plan: { status: 'active', cancelAtPeriodEnd: true },
      billingOrder: null,
    });
    await stack.stripe.advance({ months: 1 });
    expect((await profileOf(stack, withdrawn)).subscription_status).toBe('active');
    expect((await profileOf(stack, kept)).subscription_status).toBe('canceled');
    await expectClean(stack);
  });
}

test('left as it is: the plan renews while nobody can sign in, and the page can end it later', async ({
  stack,
  operator,
}) => {
  const seller = await subscriber(stack, 'freelance');
  for (const choice of ['leave', undefined] as const) {
    expect((await act(operator, seller, 'disable', choice)).body).toMatchObject({
      plan: { status: 'active', cancelAtPeriodEnd: false },
      billingOrder: null,
    });
  }
  await stack.stripe.advance({ months: 1 });
  expect((await profileOf(stack, seller)).subscription_status).toBe('active');
  expectError(await signIn(stack, seller), 'ACCOUNT_DISABLED', {
    message: 'This account has been disabled. Please contact support.',
  });
  expect((await act(operator, seller, 'disable', 'end-with-period')).body.billingOrder?.kind).toBe(
    'end-with-period',
  );
  // At once replaces the end of the period; the other way round is refused.
  expect((await act(operator, seller, 'disable', 'end-now')).body.plan.status).toBe('canceled');
  expectError(await act(operator, seller, 'disable', 'end-with-period'), 'NOT_REPEATABLE', {
    message: 'Billing ends at once already: another operator may have decided that. Look at the page again.',
  });
});

test('a plan that is due to be lower, overdue, on trial or incomplete ends as well', async ({
  stack,
  operator,
}) => {
  const lower = await subscriber(stack, 'enterprise');
  await requestPlan(lower, 'freelance');
  expect(await billingOf(operator, lower)).toMatchObject({ subscription: { nextPlan: 'freelance' } });
  expect((await act(operator, lower, 'disable', 'end-with-period')).body).toMatchObject({
    plan: { plan: 'enterprise', cancelAtPeriodEnd: true, nextPlan: null },
  });
  const other = await subscriber(stack, 'enterprise');
  await requestPlan(other, 'freelance');
  expect((await act(operator, other, 'disable', 'end-now')).body).toMatchObject({
    plan: { status: 'canceled' },
  });

  const overdue = await subscriber(stack, 'freelance');
  await setCard(stack, overdue, cards.failing);
  await stack.stripe.advance({ months: 1 });
  const found = await billingOf(operator, overdue);
  // Waiting for the end of a period that is not paid would only mean more attempts to charge the card.
  expect(found).toMatchObject({
    subscription: { status: 'past_due' },
    unpaid: [{ cents: 5_000, currency: 'usd' }],
    choices: ['end-now'],
  });
  expect((await act(operator, overdue, 'disable', 'end-with-period')).body).toMatchObject({
    plan: { status: 'canceled' },
    billingOrder: { kind: 'end-with-period', pending: false },
  });
  const { stripe_customer_id: customer } = await profileOf(stack, overdue);
  const invoices = await stripe(stack).invoices.list({ customer: customer! });
  expect(invoices.data.map(({ status }) => status)).toEqual(['void', 'paid']);
  await setCard(stack, overdue, cards.good);
  await stack.stripe.advance({ months: 1 });
  expect(
    (await stripe(stack).charges.list({ customer: customer! })).data.filter(({ paid }) => paid),
  ).toHaveLength(1);

  const incomplete = await stack.seller({ paid: false });
  await requestPlan(incomplete, 'freelance');
  const unpaid = (await profileOf(stack, incomplete)).stripe_customer_id!;
  await stack.stripe.setCard(unpaid, cards.failing);
  const { priceId } = (await stack.server.context.billing.catalogue()).freelance;
  await stripe(stack).subscriptions.create({ customer: unpaid, items: [{ price: priceId }] });
  await stack.stripe.settled();
  expect(await billingOf(operator, incomplete)).toMatchObject({
    subscription: { status: 'incomplete' },
    choices: ['end-now'],
  });
  await act(operator, incomplete, 'disable', 'end-now');
  expect(await running(stack, incomplete)).toEqual([]);
  const open = await stripe(stack).invoices.list({ customer: unpaid, status: 'open' });
  expect(open.data).toEqual([]);

  const trial = await subscriber(stack, 'freelance');
  const own = (await profileOf(stack, trial)).stripe_customer_id!;
  for (const { id } of await running(stack, trial)) await stripe(stack).subscriptions.cancel(id);
  await stripe(stack).subscriptions.create({
    customer: own,
    items: [{ price: priceId }],
    trial_period_days: 7,
  });
  await stack.stripe.settled();
  expect(await billingOf(operator, trial)).toMatchObject({ subscription: { status: 'trialing' } });
  expect((await act(operator, trial, 'disable', 'end-with-period')).body).toMatchObject({
    plan: { status: 'trialing', cancelAtPeriodEnd: true },
  });
  await expectClean(stack);
});

test('an open page to pay on is closed, and a plan that is bought all the same ends', async ({
  stack,
  operator,
}) => {
  const seller = await stack.seller({ paid: false });
  const { body } = await requestPlan(seller, 'freelance');
  await act(operator, seller, 'disable', 'end-now');
  await expect(stack.stripe.completeCheckout(checkoutSessionId(body))).rejects.toThrow(/expired|complete/i);

  // The same without a page of ours: in the Dashboard, for instance.
  const { priceId } = (await stack.server.context.billing.catalogue()).freelance;
  const { stripe_customer_id: customer } = await profileOf(stack, seller);
  await stack.stripe.setCard(customer!, cards.good);
  await stripe(stack).subscriptions.create({ customer: customer!, items: [{ price: priceId }] });
  await stack.stripe.settled();
  await runBillingUpkeep(workerContext(stack), atOnce);
  expect(await running(stack, seller)).toEqual([]);
  // One mail for the ban.
  expect(await disabledMails(stack, seller)).toHaveLength(1);
});

test('while Stripe is away the ban holds at once, and upkeep ends the billing when it is back', async ({
  stack,
  operator,
}) => {
  const seller = await subscriber(stack, 'freelance');
  await stack.stripe.set({ faults: Array(200).fill({ when: 'before', status: 500, match: '/v1' }) });
  const { status, body } = await act(operator, seller, 'disable', 'end-now');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    disabledAt: expect.any(String),
    plan: { status: 'active' },
    billingOrder: { kind: 'end-now', pending: true, problem: expect.any(String), endsAt: null },
  });
  expectError(await seller.request(paths.me), 'UNAUTHENTICATED');
  expectError(await signIn(stack, seller), 'ACCOUNT_DISABLED', {
    message: 'This account has been disabled. Please contact support.',
  });
  expect(await disabledMails(stack, seller)).toEqual([]);
  // It is tried again with a growing delay, not in each round.
  const due = (await profileOf(stack, seller)).billing_order!.due_at!;
  expect(due.getTime()).toBeGreaterThan(Date.now() + 20_000);
  await stack.stripe.reset();
  const dueNow = { $set: { 'billing_order.due_at': new Date() } };
  await stack.models.profiles.updateOne({ _id: seller.id }, dueNow);
  expect(await runBillingUpkeep(workerContext(stack), atOnce)).toMatchObject({ billingOrdersDone: 1 });
  expect(await running(stack, seller)).toEqual([]);
  const view = await operator.request<OperatorSellerView>(operatorPaths.seller(seller.id));
  expect(view.body.billingOrder).toMatchObject({ pending: false, problem: null });
  expect(await disabledMails(stack, seller)).toHaveLength(1);
  expect(await runBillingUpkeep(workerContext(stack), atOnce)).toMatchObject({ billingOrdersDone: 0 });
});

test('a reply of Stripe that is lost, double clicks and two operators at once end it once', async ({
  stack,
  operator,
}) => {
  const second = await operatorOf(stack);
  const lost = await subscriber(stack, 'freelance');
  // Stripe cancels, and its event arrives, but none of the replies does.
  await stack.stripe.set({
    faults: Array(3).fill({ when: 'after', status: 500, match: 'DELETE /v1/subscriptions' }),
  });
  await act(operator, lost, 'disable', 'end-now');
  await stack.stripe.settled();
  await stack.stripe.reset();
  await stack.models.profiles.updateOne(
    { _id: lost.id, 'billing_order.done_at': null },
    { $set: { 'billing_order.due_at': new Date() } },
  );
  await runBillingUpkeep(workerContext(stack), atOnce);
  expect((await profileOf(stack, lost)).billing_order).toMatchObject({ done_at: expect.any(Date) });
  expect(await disabledMails(stack, lost)).toHaveLength(1);

  const seller = await subscriber(stack, 'freelance');
  const answers = await Promise.all([
    act(operator, seller, 'disable', 'end-now'),
    act(operator, seller, 'disable', 'end-now'),
    act(second, seller, 'disable', 'end-now'),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  await runBillingUpkeep(workerContext(stack), atOnce);
  expect(await running(stack, seller)).toEqual([]);
  expect(await disabledMails(stack, seller)).toHaveLength(1);
  const different = await subscriber(stack, 'freelance');
  const both = await Promise.all([
    act(operator, different, 'disable', 'end-with-period'),
    act(second, different, 'disable', 'end-now'),
  ]);
  // Whoever decides first: the end at once holds.
  expect(both.map(({ status }) => status).filter((status) => ![200, 409].includes(status))).toEqual([]);
  await stack.models.profiles.updateOne(
    { _id: different.id, 'billing_order.done_at': null },
    { $set: { 'billing_order.due_at': new Date() } },
  );
  await runBillingUpkeep(workerContext(stack), atOnce);
  expect(await running(stack, different)).toEqual([]);
  await expectClean(stack);
});

test('choices that do not fit are refused, and nobody can subscribe with an account that is disabled', async ({
  stack,
  operator,
}) => {
  const seller = await subscriber(stack, 'freelance');
  for (const [action, billing] of [
    ['disable', 'renew'],
    ['enable', 'end-now'],
  ] as const) {
    expectError(await act(operator, seller, action, billing), 'VALIDATION', {
      message: 'This choice does not fit the action.',
      field: 'billing',
    });
  }
  expect((await profileOf(stack, seller)).disabled_at).toBeUndefined();
  // A server that has not noticed the end of the session yet.
  await stack.models.profiles.updateOne({ _id: seller.id }, { $set: { disabled_at: new Date() } });
  expectError(await requestPlan(seller, 'enterprise'), 'ACCOUNT_DISABLED');
  expectError(await seller.request(paths.portalSession, { method: 'POST' }), 'ACCOUNT_DISABLED');
});

test('the command asks the same question by an option', async ({ stack }) => {
  const seller = await subscriber(stack, 'freelance');
  const run = (words: string[], billing?: Choice) =>
    accountAction(words, billing ? { billing } : {})(stack.db);
  await expect(run(['disable', seller.email])).rejects.toThrow(
    /has the Freelance plan, which renews on .+: say what becomes of it with --billing end-now, end-with-period or leave/,
  );
  expect((await profileOf(stack, seller)).disabled_at).toBeUndefined();
  expect(await run(['disable', seller.email], 'end-with-period')).toMatch(/A worker tells Stripe within/);
  expect(await runBillingUpkeep(workerContext(stack), atOnce)).toMatchObject({ billingOrdersDone: 1 });
  expect((await profileOf(stack, seller)).subscription_data?.cancel_at_period_end).toBe(true);
  expect(await run(['enable', seller.email], 'renew')).toContain('can sign in again');
  await runBillingUpkeep(workerContext(stack), atOnce);
  expect((await profileOf(stack, seller)).subscription_data?.cancel_at_period_end).toBe(false);
  const free = await stack.seller({ paid: false });
  expect(await run(['disable', free.email])).toContain('is disabled');
});
