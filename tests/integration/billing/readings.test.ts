import type Stripe from 'stripe';
import { expect } from 'vitest';
import { syncBilling } from '#shared/billing/sync.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { profileOf, subscriber } from '#tests/support/subscriber.ts';
import { expectOneMail, mailsTo, test } from './readings-steps.ts';

/** The server's context with a Stripe client that counts lists of subscriptions and delays them until `release`. */
function slowContext(stack: TestStack) {
  const { context } = stack.server;
  const requests = { count: 0 };
  const released = Promise.withResolvers<void>();
  const listed = Promise.withResolvers<void>();
  const { stripe } = context.billing;
  const subscriptions: Stripe['subscriptions'] = Object.create(stripe.subscriptions);
  subscriptions.list = ((...given: Parameters<typeof subscriptions.list>) => {
    requests.count += 1;
    return stripe.subscriptions.list(...given).then(async (list) => {
      listed.resolve();
      await released.promise;
      return list;
    });
  }) as typeof subscriptions.list;
  const slow: Stripe = Object.create(stripe, { subscriptions: { value: subscriptions } });
  return {
    context: { ...context, billing: { ...context.billing, stripe: slow } },
    requests,
    release: released.resolve,
    /** Settles when Stripe has replied for the first time. */
    listed: listed.promise,
  };
}

test('an old reading is never applied after a newer one, even if the newer one changed nothing', async ({
  stack,
}) => {
  const seller = await subscriber(stack, 'freelance');
  const { stripe } = stack.server.context.billing;
  await stack.stripe.set({ webhooks: { hold: true } });
  const { subscription_id: subscription } = await profileOf(stack, seller);

  // The first reading sees a cancellation, which is withdrawn before the reading is applied.
  await stack.stripe.cancelAtPeriodEnd(subscription!);
  const slow = slowContext(stack);
  const first = syncBilling(slow.context, seller.id);
  await slow.listed;
  await stripe.subscriptions.update(subscription!, { cancel_at: '' });
  // The second reading agrees with the profile.
  await syncBilling(stack.server.context, seller.id);
  slow.release();
  const { profile } = (await first)!;
  expect(profile.subscription_data).toMatchObject({ cancel_at_period_end: false });
  expect((await profileOf(stack, seller)).subscription_data).toMatchObject({ cancel_at_period_end: false });
});

test('20 concurrent readings send 20 requests to Stripe, and none is repeated', async ({ stack }) => {
  const seller = await subscriber(stack, 'freelance');
  await stack.stripe.set({ webhooks: { hold: true } });
  const all = Array.from({ length: 20 }, () => slowContext(stack));
  await stack.stripe.cancelAtPeriodEnd((await profileOf(stack, seller)).subscription_id!);
  const readings = all.map(({ context }) => syncBilling(context, seller.id));
  await Promise.all(all.map(({ listed }) => listed));
  for (const { release } of all) release();
  await Promise.all(readings);
  expect(all.reduce((sum, { requests }) => sum + requests.count, 0)).toBe(20);
});

test('a reading whose answer was lost loses no mail and sends none twice', async ({ stack, crashableDb }) => {
  expect(await expectOneMail(stack, crashableDb, { kind: 'answer-lost', at: 1 })).toBe(true);
});

test('two sellers whose plan began and ended before the first reading both get a mail', async ({ stack }) => {
  await stack.stripe.set({ webhooks: { hold: true } });
  for (let count = 0; count < 2; count += 1) {
    const seller = await stack.seller({ paid: false });
    const { stripe, catalogue } = stack.server.context.billing;
    const customer = await stripe.customers.create({ email: seller.email });
    await stack.models.profiles.updateOne({ _id: seller.id }, { $set: { stripe_customer_id: customer.id } });
    const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
    const subscription = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: (await catalogue()).freelance.priceId }],
      default_payment_method: card.id,
    });
    await stripe.subscriptions.cancel(subscription.id);
    await syncBilling(stack.server.context, seller.id);
    expect(await mailsTo(stack, seller.email)).toHaveLength(1);
  }
});
