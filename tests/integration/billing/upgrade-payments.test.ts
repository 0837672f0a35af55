/**
 * Upgrades that cannot be charged without the seller: a card that needs 3-D Secure or is declined, a bank debit, no payment
 * method. Each leads to a page of Stripe and back; the plan stays as it is until the difference is paid, once.
 */
import { expect } from 'vitest';
import { expectError } from '#tests/support/errors.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import {
  cards,
  expectClean,
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

const daySeconds = 86_400;

async function customerOf(stack: TestStack, seller: Seller): Promise<string> {
  return (await profileOf(stack, seller)).stripe_customer_id!;
}

/** Asks for Enterprise and expects a page of Stripe, with the plan as before. @returns the session of the portal */
async function expectPage(seller: Seller, plan: 'freelance' | 'enterprise' = 'freelance'): Promise<string> {
  const { status, body } = await requestPlan(seller, 'enterprise');
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { url: expect.stringContaining('/p/session/') },
  });
  expect(await subscriptionOf(seller)).toMatchObject({ plan, status: 'active' });
  return new URL((body as { url: string }).url).pathname.split('/').at(-1)!;
}

/** What was paid in the seller's life, in cents, newest first. */
async function payments(stack: TestStack, seller: Seller): Promise<number[]> {
  const { data } = await stripe(stack).charges.list({
    customer: await customerOf(stack, seller),
    limit: 100,
  });
  return data.filter(({ paid }) => paid).map(({ amount }) => amount);
}

/** Expects Enterprise, paid once. */
async function expectUpgraded(stack: TestStack, seller: Seller): Promise<void> {
  await stack.stripe.settled();
  expect(await subscriptionOf(seller)).toMatchObject({ plan: 'enterprise', status: 'active' });
  const [difference, month, ...others] = await payments(stack, seller);
  expect(difference).toBeGreaterThan(14_800);
  expect([month, others]).toEqual([5_000, []]);
  const open = await stripe(stack).invoices.list({
    customer: await customerOf(stack, seller),
    status: 'open',
  });
  expect(open.data).toEqual([]);
  await expectClean(stack);
}

/** Gives a seller what cannot be charged without the seller. */
const obstacles: Readonly<Record<string, (stack: TestStack, seller: Seller) => Promise<unknown>>> = {
  'a card that needs 3-D Secure': (stack, seller) => setCard(stack, seller, cards.secure),
  'a declined card': (stack, seller) => setCard(stack, seller, cards.failing),
  'a bank debit': async (stack, seller) => stack.stripe.setBankAccount(await customerOf(stack, seller)),
  'no payment method': async (stack, seller) => stack.stripe.removeCards(await customerOf(stack, seller)),
};

test.for(Object.keys(obstacles))(
  '%s: the seller gets a page of Stripe, and leaving it changes nothing',
  async (name, { stack }) => {
    const seller = await subscriber(stack, 'freelance');
    await obstacles[name]!(stack, seller);
    const session = await expectPage(seller);
    await expectPage(seller);
    expect(await payments(stack, seller)).toEqual([5_000]);
    const page = await (await fetch(new URL(`/p/session/${session}`, stack.settings.STRIPE_API_URL))).text();
    const { linkUrl } = stack.config;
    expect(page).toContain(`href="${linkUrl}/profile/plan?checkout=cancelled"`);
    expect(page).toMatch(name === 'no payment method' ? /Add a card/ : /Pay \$14\d\.\d\d and change/);
    await expectClean(stack);
  },
);

test('with 3-D Secure, the upgrade is paid on the page, which leads back; a refusal changes nothing', async ({
  stack,
}) => {
  const seller = await subscriber(stack, 'freelance');
  await setCard(stack, seller, cards.secure);
  const refused = await stack.stripe.completePortalFlow(await expectPage(seller), { authenticate: false });
  expect(refused).toEqual({ outcome: 'declined' });
  await stack.stripe.settled();
  expect(await subscriptionOf(seller)).toMatchObject({ plan: 'freelance' });
  expect(await stack.stripe.completePortalFlow(await expectPage(seller))).toEqual({
    outcome: 'done',
    redirectUrl: `${stack.config.linkUrl}/profile/plan?changed=enterprise`,
  });
  await expectUpgraded(stack, seller);
});

test('a declined card is replaced on the page', async ({ stack }) => {
  const seller = await subscriber(stack, 'freelance');
  await setCard(stack, seller, cards.failing);
  const paid = await stack.stripe.completePortalFlow(await expectPage(seller), { card: cards.good });
  expect(paid).toMatchObject({ outcome: 'done' });
  await expectUpgraded(stack, seller);
});

test('without a payment method, one is added first, and asking again upgrades', async ({ stack }) => {
  const seller = await subscriber(stack, 'freelance');
  await stack.stripe.removeCards(await customerOf(stack, seller));
  expect(await stack.stripe.completePortalFlow(await expectPage(seller), { card: cards.good })).toEqual({
    outcome: 'done',
    redirectUrl: `${stack.config.linkUrl}/profile/plan?payment=added`,
  });
  await stack.stripe.settled();
  expect(await subscriptionOf(seller)).toMatchObject({ plan: 'freelance', last4: '4242' });
  expect((await requestPlan(seller, 'enterprise')).body).toMatchObject({
    subscription: { plan: 'enterprise' },
  });
  await expectUpgraded(stack, seller);
});

test('a bank debit is under way for days: the plan waits for the money, and nothing is charged twice', async ({
  stack,
}) => {
  const seller = await subscriber(stack, 'freelance');
  await stack.stripe.setBankAccount(await customerOf(stack, seller));
  await stack.stripe.completePortalFlow(await expectPage(seller));
  await stack.stripe.settled();
  expect(await subscriptionOf(seller)).toMatchObject({ plan: 'freelance', paymentMethod: 'us_bank_account' });
  expectError(await requestPlan(seller, 'enterprise'), 'PAYMENT_PROCESSING');
  await stack.stripe.advance({ seconds: 5 * daySeconds });
  await expectUpgraded(stack, seller);
});

test('an upgrade that was begun at Stripe and left cannot be paid as well as the next one', async ({
  stack,
}) => {
  const seller = await subscriber(stack, 'freelance');
  await setCard(stack, seller, cards.secure);
  const session = await expectPage(seller);
  const { priceId } = (await stack.server.context.billing.catalogue()).enterprise;
  const page = new URL(`/p/session/${session}/change/${priceId}`, stack.settings.STRIPE_API_URL);
  const token = /name="once" value="([^"]+)"/.exec(await (await fetch(page)).text())?.[1];
  await fetch(page, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: page.origin },
    body: new URLSearchParams({ once: token ?? '' }),
  });
  await stack.stripe.settled();
  const { subscription_id: id } = await profileOf(stack, seller);
  expect(await stripe(stack).subscriptions.retrieve(id!)).toMatchObject({
    pending_update: { subscription_items: [{ price: { id: priceId } }] },
  });
  expect(await subscriptionOf(seller)).toMatchObject({ plan: 'freelance' });
  await setCard(stack, seller, cards.good);
  expect((await requestPlan(seller, 'enterprise')).body).toMatchObject({
    subscription: { plan: 'enterprise' },
  });
  await expectUpgraded(stack, seller);
});

test.for(['flexible', 'classic'] as const)(
  '%s: a cancelled plan stays cancelled until the upgrade is paid on the page, and renews then',
  async (billingMode, { stack }) => {
    await stack.stripe.set({ billingMode });
    const seller = await subscriber(stack, 'freelance');
    const { subscription_id: id } = await profileOf(stack, seller);
    await stack.stripe.cancelAtPeriodEnd(id!);
    await setCard(stack, seller, cards.secure);
    const session = await expectPage(seller);
    await stack.stripe.settled();
    expect(await subscriptionOf(seller)).toMatchObject({ cancelAtPeriodEnd: true });
    await stack.stripe.completePortalFlow(session);
    await stack.stripe.settled();
    expect(await subscriptionOf(seller)).toMatchObject({ plan: 'enterprise', cancelAtPeriodEnd: false });
    // A later cancellation is not withdrawn by the upgrade of before.
    await stack.stripe.advance({ seconds: 60 });
    await stack.stripe.cancelAtPeriodEnd(id!);
    await stack.stripe.settled();
    expect(await subscriptionOf(seller)).toMatchObject({ cancelAtPeriodEnd: true });
    await expectClean(stack);
  },
);

test('where the portal offers no change, the error names the way', async ({ stack }) => {
  const seller = await subscriber(stack, 'freelance');
  await setCard(stack, seller, cards.failing);
  await stack.stripe.set({
    faults: Array(3).fill({ when: 'before', status: 400, match: 'POST /v1/billing_portal/sessions' }),
  });
  expectError(await requestPlan(seller, 'enterprise'), 'CARD_DECLINED');
  expect(await subscriptionOf(seller)).toMatchObject({ plan: 'freelance', status: 'active' });
});
