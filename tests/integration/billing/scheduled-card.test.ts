/** A card that is replaced while a downgrade waits for the end of the period: the new one pays from then on. */
import { expect } from 'vitest';
import { idOf } from '#shared/billing/catalogue.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import {
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
const otherCard = '5555555555554444';

interface Downgrade {
  seller: Seller;
  customer: string;
  subscription: string;
  /** The payment method of the checkout. */
  card: string;
}

/** A seller who has Enterprise until the period ends, and Freelance then. */
async function downgrade(stack: TestStack): Promise<Downgrade> {
  const seller = await subscriber(stack, 'enterprise');
  const { stripe_customer_id: customer, subscription_id: subscription } = await profileOf(stack, seller);
  const { default_payment_method: card } = await stripe(stack).subscriptions.retrieve(subscription!);
  await requestPlan(seller, 'freelance');
  return { seller, customer: customer!, subscription: subscription!, card: idOf(card!) };
}

/** The same, but the schedule was made at Stripe, and its phases name the card. */
async function downgradeAtStripe(stack: TestStack): Promise<Downgrade> {
  const seller = await subscriber(stack, 'enterprise');
  const { stripe_customer_id: customer, subscription_id: subscription } = await profileOf(stack, seller);
  const { subscriptionSchedules, subscriptions } = stripe(stack);
  const card = idOf((await subscriptions.retrieve(subscription!)).default_payment_method!);
  const schedule = await subscriptionSchedules.create({ from_subscription: subscription! });
  const { enterprise, freelance } = await stack.server.context.billing.catalogue();
  const { start_date, end_date } = schedule.phases[0]!;
  const kept = { default_payment_method: card, metadata: { profile: seller.id } };
  await subscriptionSchedules.update(schedule.id, {
    end_behavior: 'release',
    proration_behavior: 'none',
    phases: [
      { ...kept, items: [{ price: enterprise.priceId }], start_date, end_date },
      {
        ...kept,
        items: [{ price: freelance.priceId }],
        duration: { interval: 'month', interval_count: 1 },
      },
    ],
  });
  await stack.stripe.settled();
  return { seller, customer: customer!, subscription: subscription!, card };
}

/** What may happen to the card, and the last digits of the one that pays then. */
const changes: Readonly<Record<string, [(stack: TestStack, made: Downgrade) => Promise<unknown>, string]>> = {
  'the card is the same': [async () => {}, '4242'],
  'the card was replaced': [(stack, { seller }) => setCard(stack, seller, otherCard), '4444'],
  'the card was replaced and removed': [
    async (stack, { seller, card }) => {
      await setCard(stack, seller, otherCard);
      await stripe(stack).paymentMethods.detach(card);
    },
    '4444',
  ],
  'the card was replaced before another change of mind': [
    async (stack, { seller }) => {
      await setCard(stack, seller, otherCard);
      await requestPlan(seller, 'enterprise');
      await requestPlan(seller, 'freelance');
    },
    '4444',
  ],
};

const makers = { 'by us': downgrade, 'at Stripe': downgradeAtStripe } as const;
const cases = Object.keys(changes).flatMap((name) =>
  (['by us', 'at Stripe'] as const).map((maker) => ({ name, maker })),
);

test.for(cases)('planned $maker, $name: the renewal is charged to the current one', async (of, { stack }) => {
  const made = await makers[of.maker](stack);
  const [change, last4] = changes[of.name]!;
  await change(stack, made);
  await stack.stripe.settled();
  expect(await subscriptionOf(made.seller)).toMatchObject({ plan: 'enterprise', last4 });
  await stack.stripe.advance({ months: 1 });
  expect(await subscriptionOf(made.seller)).toMatchObject({ plan: 'freelance', status: 'active', last4 });
  const { data } = await stripe(stack).charges.list({ customer: made.customer });
  expect(data[0]).toMatchObject({
    paid: true,
    amount: 5_000,
    payment_method_details: { card: { last4 } },
  });
  await expectClean(stack);
});
