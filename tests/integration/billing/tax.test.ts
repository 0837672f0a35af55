/** STRIPE_TAX, the business's name and tax ID, and what a downgrade keeps of a subscription. */
import { expect } from 'vitest';
import { checkoutUrl } from '#server/billing/checkout.ts';
import { limitMs } from '#tests/support/machine.ts';
import {
  cards,
  checkoutSessionId,
  expectClean,
  profileOf,
  requestPlan,
  stripe,
  subscriber,
  subscriptionOf,
} from '#tests/support/subscriber.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ workers: 0, settings: { STRIPE_TAX: 'true' } });
test.beforeEach(({ stack }) => stack.stripe.reset());

const business = { name: 'Müller Keramik GmbH', country: 'DE' };

test('checkout adds tax and asks for address and tax ID; the business keeps its name', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  const session = checkoutSessionId((await requestPlan(seller, 'freelance')).body);
  expect(await stripe(stack).checkout.sessions.retrieve(session)).toMatchObject({
    automatic_tax: { enabled: true },
    tax_id_collection: { enabled: true },
    billing_address_collection: 'required',
  });
  const { stripe_customer_id: customer } = await profileOf(stack, seller);
  const { full_name: fullName } = await profileOf(stack, seller);
  expect(await stripe(stack).customers.retrieve(customer!)).toMatchObject({ name: fullName });
  await stack.stripe.completeCheckout(session, cards.good, business);
  await stack.stripe.settled();
  const { subscription_id: id } = await profileOf(stack, seller);
  expect(await stripe(stack).subscriptions.retrieve(id!)).toMatchObject({ automatic_tax: { enabled: true } });

  // Each change of plan reads the customer; none may write our name over the business's.
  await requestPlan(seller, 'enterprise');
  await stack.models.profiles.updateOne({ _id: seller.id }, { $set: { full_name: 'Somebody Else' } });
  await requestPlan(seller, 'freelance');
  expect(await stripe(stack).customers.retrieve(customer!)).toMatchObject({
    name: business.name,
    address: { country: 'DE' },
    email: seller.email,
  });
  await expectClean(stack);
});

test('a checkout that was opened before tax was on is replaced', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  await requestPlan(seller, 'freelance');
  const { context } = stack.server;
  const config = { ...context.config, billing: { ...context.config.billing, tax: false } };
  const url = await checkoutUrl(
    { ...context, config },
    {
      sellerId: seller.id,
      customer: (await profileOf(stack, seller)).stripe_customer_id!,
      plan: 'freelance',
      returnTo: 'profile',
      deadline: new Date(Date.now() + limitMs(60_000)),
    },
  );
  const old = checkoutSessionId({ url });
  expect(await stripe(stack).checkout.sessions.retrieve(old)).toMatchObject({
    automatic_tax: { enabled: false },
  });
  const fresh = checkoutSessionId((await requestPlan(seller, 'freelance')).body);
  expect(fresh).not.toBe(old);
  expect((await stripe(stack).checkout.sessions.retrieve(old)).status).toBe('expired');
});

test('a downgrade keeps discount, tax, payment method and metadata, at once and after it', async ({
  stack,
}) => {
  const seller = await subscriber(stack, 'enterprise');
  const { subscription_id: id } = await profileOf(stack, seller);
  await stripe(stack).subscriptions.update(id!, {
    discounts: [{ coupon: 'HALF' }],
    metadata: { reference: 'order 7' },
  });
  const kept = async () => {
    const { discounts, automatic_tax, default_payment_method, metadata } = await stripe(
      stack,
    ).subscriptions.retrieve(id!);
    return { discounts, automatic_tax, default_payment_method, metadata };
  };
  const before = await kept();
  expect(before).toMatchObject({
    discounts: [expect.stringMatching(/^di_/)],
    automatic_tax: { enabled: true },
    default_payment_method: expect.stringMatching(/^pm_/),
    metadata: { profile: seller.id, reference: 'order 7' },
  });
  await requestPlan(seller, 'freelance');
  expect(await kept()).toEqual(before);
  await stack.stripe.advance({ months: 1 });
  expect(await subscriptionOf(seller)).toMatchObject({ plan: 'freelance', status: 'active' });
  expect(await kept()).toEqual(before);
  await expectClean(stack);
});

test('a downgrade within a trial keeps the trial', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  await requestPlan(seller, 'enterprise');
  const { stripe_customer_id: customer } = await profileOf(stack, seller);
  const card = await stripe(stack).paymentMethods.attach('pm_card_visa', { customer: customer! });
  await stripe(stack).subscriptions.create({
    customer: customer!,
    items: [{ price: (await stack.server.context.billing.catalogue()).enterprise.priceId }],
    default_payment_method: card.id,
    trial_period_days: 14,
  });
  await stack.stripe.settled();
  const { trialEnd } = await subscriptionOf(seller);
  await requestPlan(seller, 'freelance');
  expect(await subscriptionOf(seller)).toMatchObject({ status: 'trialing', trialEnd, plan: 'enterprise' });
  await stack.stripe.advance({ seconds: 15 * 86_400 });
  expect(await subscriptionOf(seller)).toMatchObject({ status: 'active', plan: 'freelance' });
  const charges = await stripe(stack).charges.list({ customer: customer! });
  expect(charges.data.map(({ amount }) => amount)).toEqual([5_000]);
  await expectClean(stack);
});

test('without an address that may be saved, Stripe refuses tax: the local one as well', async ({ stack }) => {
  const customer = await stripe(stack).customers.create({ email: 'eva@shop.example' });
  const { priceId } = (await stack.server.context.billing.catalogue()).freelance;
  const create = (more: object) =>
    stripe(stack).checkout.sessions.create({
      mode: 'subscription',
      customer: customer.id,
      line_items: [{ price: priceId, quantity: 1 }],
      success_url: 'https://shop.example/done',
      ...more,
    });
  const address = { customer_update: { address: 'auto' } };
  await expect(create({ automatic_tax: { enabled: true } })).rejects.toThrow('customer_update[address]');
  await expect(create({ tax_id_collection: { enabled: true }, ...address })).rejects.toThrow(
    'customer_update[name]',
  );
  await create({ automatic_tax: { enabled: true }, ...address });
});
