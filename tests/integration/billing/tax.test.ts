/** STRIPE_TAX, the business's name and tax ID, and what a downgrade keeps of a subscription. */
import { expect } from 'vitest';
import { type PortalReply, paths } from '#contract';
import { checkoutUrl } from '#server/billing/checkout.ts';
import { call } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { limitMs } from '#tests/support/machine.ts';
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
  stripe,
  subscriber,
  subscriptionOf,
} from '#tests/support/subscriber.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ workers: 0, settings: { STRIPE_TAX: 'true', IMAGE_PACKS: '20:9' } });
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

/** Pays for Freelance as a business. @returns the seller, and the id of the customer */
async function buyAs(stack: TestStack, buyer: { name: string; country: string; vatId?: string }) {
  const seller = await stack.seller({ paid: false });
  const session = checkoutSessionId((await requestPlan(seller, 'freelance')).body);
  await stack.stripe.completeCheckout(session, cards.good, buyer);
  await stack.stripe.settled();
  return { seller, customer: (await profileOf(stack, seller)).stripe_customer_id! };
}

test('tax is charged from the checkout to the upgrade and the renewal, as it was shown', async ({
  stack,
}) => {
  const { seller, customer } = await buyAs(stack, business);
  expect(await charged(stack, customer)).toEqual({ sum: 5_950, payments: 1 });
  const { body: shown } = await previewPlan(seller, 'enterprise');
  const { amount, remaining, unused, tax } = shown.dueNow!;
  expect(amount).toBe(remaining - unused + tax);
  // Rounded for each line.
  expect(Math.abs(tax - (remaining - unused) * 0.19)).toBeLessThanOrEqual(1);
  expect(shown.next).toMatchObject({ amount: 23_681, tax: 3_781, taxIncluded: false });
  // Another country has another tax.
  await stripe(stack).customers.update(customer, { address: { country: 'HU' } });
  expectError(await agreeToPlan(seller, 'enterprise', agreementTo(shown)), 'AMOUNT_CHANGED', {
    message: expect.stringContaining('Nothing was charged') as string,
  });
  await stripe(stack).customers.update(customer, { address: { country: 'DE' } });
  // A bound without tax is not enough.
  expectError(await agreeToPlan(seller, 'enterprise', { amount: 14_900 }), 'AMOUNT_CHANGED', {
    message: expect.stringContaining(`$${(amount / 100).toFixed(2)}`) as string,
  });
  expect((await agreeToPlan(seller, 'enterprise', agreementTo(shown))).status).toBe(200);
  expect(await charged(stack, customer)).toEqual({ sum: 5_950 + amount, payments: 2 });
  const [invoice] = (await stripe(stack).invoices.list({ customer })).data;
  const page = await (await fetch(invoice!.hosted_invoice_url!)).text();
  expect(page).toContain('Tax 19%');
  expect(page).toContain(`$${(tax / 100).toFixed(2)}`);
  await stack.stripe.advance({ months: 1 });
  expect((await charged(stack, customer)).sum).toBe(5_950 + amount + 23_681);
  await expectClean(stack);
});

test('a business with a VAT ID pays no tax: reverse charge, from the checkout on', async ({ stack }) => {
  const { seller, customer } = await buyAs(stack, { ...business, vatId: 'DE123456789' });
  expect(await charged(stack, customer)).toEqual({ sum: 5_000, payments: 1 });
  const { body: shown } = await previewPlan(seller, 'enterprise');
  expect(shown).toMatchObject({ dueNow: { tax: 0 }, next: { amount: 19_900, tax: 0 } });
  await agreeToPlan(seller, 'enterprise', agreementTo(shown));
  expect((await charged(stack, customer)).sum).toBe(5_000 + shown.dueNow!.amount);
  const [invoice] = (await stripe(stack).invoices.list({ customer })).data;
  expect(invoice).toMatchObject({
    total_taxes: [{ amount: 0, taxability_reason: 'reverse_charge' }],
    customer_tax_ids: [{ type: 'eu_vat', value: 'DE123456789' }],
  });
  const page = await (await fetch(invoice!.hosted_invoice_url!)).text();
  expect(page).toContain('reverse charge');
  expect(page).toContain('VAT ID DE123456789');
  await expectClean(stack);
});

test('the page of the checkout shows the tax of the country before it charges it', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  const { url } = (await requestPlan(seller, 'freelance')).body as { url: string };
  const card = { cardNumber: cards.good, cardExpiry: '12 / 40', cardCvc: '123', billingName: 'Eva' };
  const post = async (fields: Record<string, string>) => {
    const once = /name="once" value="([^"]+)"/.exec(await (await fetch(url)).text())?.[1] ?? '';
    return fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: new URL(url).origin },
      body: new URLSearchParams({ once, country: 'DE', ...card, ...fields }),
    });
  };
  expect(await (await post({})).text()).toContain('$59.50');
  const { stripe_customer_id: customer } = await profileOf(stack, seller);
  expect(await charged(stack, customer!)).toEqual({ sum: 0, payments: 0 });
  expect((await post({ total: '5000' })).status).not.toBe(303);
  expect((await post({ total: '5950' })).status).toBe(303);
  expect(await charged(stack, customer!)).toEqual({ sum: 5_950, payments: 1 });
});

test('without an address, a plan with tax shows no amount and charges nothing', async ({ stack }) => {
  const seller = await subscriber(stack, 'freelance');
  const { stripe_customer_id: customer } = await profileOf(stack, seller);
  const without = { address: '' } as const;
  await stripe(stack).customers.update(customer!, without);
  const before = await charged(stack, customer!);
  expectError(await previewPlan(seller, 'enterprise'), 'SUBSCRIPTION_UNREADABLE');
  expectError(await agreeToPlan(seller, 'enterprise', { amount: 20_000 }), 'SUBSCRIBE_FAILED');
  expect(await charged(stack, customer!)).toEqual(before);
});

test('a pack is charged for its price and the tax on it, with an invoice; half of the money back takes half of the images', async ({
  stack,
}) => {
  const seller = await stack.seller({ paid: false });
  const body = { images: 20, agreed: { amount: 900 } };
  const session = checkoutSessionId((await call<PortalReply>(seller, 'POST', paths.imagePacks, body)).body);
  await stack.stripe.completeCheckout(session, cards.good, business);
  await stack.stripe.settled();
  const { stripe_customer_id: customer, pack_images: packs } = await profileOf(stack, seller);
  expect(packs).toMatchObject({ bought: 20, left: 20 });
  expect(await charged(stack, customer!)).toEqual({ sum: 1_071, payments: 1 });
  const { data } = await stripe(stack).invoices.list({ customer: customer! });
  expect(data).toMatchObject([
    { status: 'paid', subtotal: 900, total: 1_071, amount_paid: 1_071, customer_name: business.name },
  ]);
  const charge = (await stripe(stack).charges.list({ customer: customer! })).data[0]!.id;
  await stripe(stack).refunds.create({ charge, amount: 536 });
  await stack.stripe.settled();
  expect(await profileOf(stack, seller)).toMatchObject({ refunded: 10, pack_images: { left: 10 } });
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
      item: { priceId: (await context.billing.catalogue()).freelance.priceId },
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
  await stripe(stack).coupons.create({ id: 'HALF', percent_off: 50, duration: 'forever' });
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
  expect(await subscriptionOf(seller)).toMatchObject({ plan: 'freelance', status: 'active', last4: '4242' });
  // The customer's default method pays from then on: see scheduled-card.test.ts.
  expect(await kept()).toEqual({ ...before, default_payment_method: null });
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
