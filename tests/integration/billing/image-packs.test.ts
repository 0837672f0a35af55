/** Packs of images: what is paid once counts once, and what is returned is taken back as far as it is unused. */
import { expect } from 'vitest';
import { type CreditEntryList, type ErrorReply, type PortalReply, paths } from '#contract';
import { buyPack } from '#server/billing/buy-pack.ts';
import { deleteStripeCustomers } from '#shared/billing/delete-customers.ts';
import { syncBilling } from '#shared/billing/sync.ts';
import { call } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { makeImage } from '#tests/support/finished-images.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import {
  charged,
  checkoutSessionId,
  expectCleanSoon,
  leaseBilling,
  payByCheckout,
  profileOf,
  requestPlan,
  stripe,
  subscriptionOf,
} from '#tests/support/subscriber.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ settings: { IMAGE_PACKS: '4:2,20:9' } });
test.beforeEach(async ({ stack }) => {
  await stack.stripe.reset();
  await stack.images.set({ default: { kind: 'ok' } });
});

const wanted = { images: 4, agreed: { amount: 200 }, returnTo: 'profile' } as const;

const bankAccount = '000123456789';
const emptyBankAccount = '000222222227';

const ask = (seller: Seller, images: number, amount: number) =>
  call<PortalReply & ErrorReply>(seller, 'POST', paths.imagePacks, { images, agreed: { amount } });

async function openPack(seller: Seller, images = 4, amount = 200): Promise<string> {
  const { status, body } = await ask(seller, images, amount);
  expect(status).toBe(200);
  return checkoutSessionId(body);
}

async function buy(stack: TestStack, seller: Seller, images = 4, amount = 200, card?: string): Promise<void> {
  await stack.stripe.completeCheckout(await openPack(seller, images, amount), card);
  await stack.stripe.settled();
}

const packsOf = async (stack: TestStack, seller: Seller) => (await profileOf(stack, seller)).pack_images;

/** The charge of the first pack that a seller paid. */
async function firstPayment(stack: TestStack, seller: Seller): Promise<string> {
  const { stripe_customer_id: customer } = await profileOf(stack, seller);
  const { data } = await stripe(stack).charges.list({ customer: customer! });
  return data.at(-1)!.id;
}

async function ledgerOf(seller: Seller): Promise<[string, number][]> {
  const { body } = await seller.request<CreditEntryList>(paths.creditEntries);
  return body.entries.map(({ kind, count }) => [kind, count]);
}

async function makeSettledImage(seller: Seller): Promise<void> {
  await makeImage(seller);
  await expect.poll(async () => (await subscriptionOf(seller)).generationsHeld).toBe(0);
}

test('a pack is paid once, for the agreed price, and works without a plan', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  expectError(await seller.send(), 'NO_SUBSCRIPTION');
  expectError(await ask(seller, 4, 199), 'AMOUNT_CHANGED', {
    message: '4 images cost $2.00 now. Nothing was charged. Please check the amount and confirm again.',
  });
  expectError(await ask(seller, 5, 10_000), 'AMOUNT_CHANGED', {
    message: 'This pack is no longer sold. Nothing was charged.',
  });
  const session = await openPack(seller);
  expect(await openPack(seller)).toBe(session);
  expect(await stack.stripe.completeCheckout(session)).toMatchObject({ outcome: 'paid' });
  await stack.stripe.settled();
  // The billing portal lists the payment.
  const { stripe_customer_id: customer } = await profileOf(stack, seller);
  const invoices = await stripe(stack).invoices.list({ customer: customer!, expand: ['data.payments'] });
  expect(invoices.data.map(({ status, total, payments }) => [status, total, payments?.data.length])).toEqual([
    ['paid', 200, 1],
  ]);
  expect(await subscriptionOf(seller)).toMatchObject({
    status: 'inactive',
    packImages: { bought: 4, left: 4, held: 0, arriving: 0 },
  });
  await makeSettledImage(seller);
  expect(await packsOf(stack, seller)).toMatchObject({ bought: 4, left: 3 });
  expect(await ledgerOf(seller)).toEqual([
    ['settle', 1],
    ['pack', 4],
  ]);
  await expectCleanSoon(stack);
});

test('events that come many times, shuffled and late, and readings at once count a payment once', async ({
  stack,
}) => {
  const seller = await stack.seller({ paid: false });
  await stack.stripe.set({ webhooks: { hold: true, copies: 5, order: { shuffle: 7 }, parallel: 4 } });
  await stack.stripe.completeCheckout(await openPack(seller));
  // The browser is back before any event.
  await Promise.all(Array.from({ length: 6 }, () => syncBilling(stack.server.context, seller.id)));
  expect(await packsOf(stack, seller)).toMatchObject({ bought: 4, left: 4 });
  await stack.stripe.set({ webhooks: { hold: false } });
  await stack.stripe.settled();
  expect(await packsOf(stack, seller)).toMatchObject({ bought: 4, left: 4 });
  await buy(stack, seller);
  expect(await packsOf(stack, seller)).toMatchObject({ bought: 8, left: 8 });
  await expectCleanSoon(stack);
});

test('a bank debit counts once its money is there, and not at all when it fails; an expired page costs nothing', async ({
  stack,
}) => {
  const seller = await stack.seller({ paid: false });
  await buy(stack, seller, 4, 200, bankAccount);
  expect(await subscriptionOf(seller)).toMatchObject({
    packImages: { bought: 0, left: 0, held: 0, arriving: 4 },
  });
  expectError(await seller.send(), 'NO_SUBSCRIPTION');
  await stack.stripe.advance({ seconds: 5 * 86_400 });
  expect(await packsOf(stack, seller)).toMatchObject({ bought: 4, left: 4, arriving: 0 });

  const other = await stack.seller({ paid: false });
  await buy(stack, other, 20, 900, emptyBankAccount);
  await stack.stripe.advance({ seconds: 5 * 86_400 });
  expect(await packsOf(stack, other)).toMatchObject({ bought: 0, left: 0, arriving: 0 });
  const session = await openPack(other);
  await stack.stripe.advance({ seconds: 2 * 86_400 });
  await expect(stack.stripe.completeCheckout(session)).rejects.toThrow('expired');
  expect(await packsOf(stack, other)).toMatchObject({ bought: 0, left: 0 });
  await expectCleanSoon(stack);
});

test('refunds take back their part of what is unused, and no image of another pack', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  await buy(stack, seller);
  for (let image = 0; image < 3; image += 1) await makeSettledImage(seller);
  const charge = await firstPayment(stack, seller);
  // A quarter of the money: one image.
  await stripe(stack).refunds.create({ charge, amount: 50 });
  await stack.stripe.settled();
  expect(await profileOf(stack, seller)).toMatchObject({ refunded: 1, pack_images: { left: 0 } });
  await buy(stack, seller);
  // All of the rest: its images are used, and the second pack is not touched.
  await stripe(stack).refunds.create({ charge });
  await stack.stripe.settled();
  await syncBilling(stack.server.context, seller.id);
  expect(await profileOf(stack, seller)).toMatchObject({ refunded: 1, pack_images: { bought: 8, left: 4 } });
  expect((await ledgerOf(seller)).filter(([kind]) => kind === 'refund')).toEqual([
    ['refund', 0],
    ['refund', 1],
  ]);
  await expectCleanSoon(stack);
});

test('a dispute takes images back, a won one reinstates them; an image on hold is taken when it is released', async ({
  stack,
}) => {
  const seller = await stack.seller({ paid: false });
  const window = await seller.openWindow();
  await buy(stack, seller);
  await stack.images.set({ default: { kind: 'hold' } });
  const waiting = await seller.submit();
  await stack.images.waitFor({ waiting: 1 });
  const charge = await firstPayment(stack, seller);
  const { dispute } = await stack.stripe.dispute(charge);
  await stack.stripe.settled();
  expect(await profileOf(stack, seller)).toMatchObject({ refunded: 3, pack_images: { left: 1 } });
  expectError(await seller.send(), 'NO_SUBSCRIPTION');
  await seller.cancel(waiting.id);
  await window.untilEnded(waiting.id);
  await expect.poll(async () => (await profileOf(stack, seller)).holds).toEqual([]);
  expect(await profileOf(stack, seller)).toMatchObject({ refunded: 4, pack_images: { left: 0 } });
  await stack.images.set({ default: { kind: 'ok' } });
  await stack.stripe.closeDispute(dispute, 'won');
  await stack.stripe.settled();
  expect(await profileOf(stack, seller)).toMatchObject({ refunded: 0, pack_images: { left: 4 } });
  window.close();
  await expectCleanSoon(stack);
});

test('packs outlast the plan: its images go first, and renewal, change, cancellation and end leave those of packs', async ({
  stack,
}) => {
  const seller = await stack.seller({ paid: false });
  await payByCheckout(stack, seller, 'freelance');
  await buy(stack, seller);
  await makeSettledImage(seller);
  const kept = { bought: 4, left: 4 };
  expect(await profileOf(stack, seller)).toMatchObject({ generations_left: 99, pack_images: kept });
  await stack.stripe.advance({ months: 1 });
  expect(await profileOf(stack, seller)).toMatchObject({ generations_left: 100, pack_images: kept });
  await requestPlan(seller, 'enterprise');
  await stack.stripe.settled();
  expect(await profileOf(stack, seller)).toMatchObject({
    subscription_plan: 'enterprise',
    pack_images: kept,
  });
  const { subscription_id: id } = await profileOf(stack, seller);
  await stripe(stack).subscriptions.update(id!, { cancel_at_period_end: true });
  await stack.stripe.settled();
  expect(await packsOf(stack, seller)).toMatchObject(kept);
  await stack.stripe.advance({ months: 1 });
  expect(await profileOf(stack, seller)).toMatchObject({
    subscription_status: 'canceled',
    pack_images: kept,
  });
  await makeSettledImage(seller);
  expect(await packsOf(stack, seller)).toMatchObject({ bought: 4, left: 3 });
  await expectCleanSoon(stack);
});

test('when the images of the month are used, a request takes what is left of them, then free ones, then those of packs', async ({
  stack,
}) => {
  const seller = await stack.seller({ paid: false });
  await payByCheckout(stack, seller, 'freelance');
  await buy(stack, seller);
  // As if 99 had been used before. What the ledger has of them is put back below.
  await stack.models.profiles.updateOne(
    { _id: seller.id },
    {
      $set: { generations_left: 1, free_images: { due: false, granted: 1, left: 1 } },
      $inc: { revision: 1 },
    },
  );
  await stack.images.set({ default: { kind: 'hold' } });
  const { generations } = (await seller.send({ fields: [['numImages', '4']] })).body;
  const { holds } = await profileOf(stack, seller);
  expect(holds.map(({ balance }) => balance).toSorted()).toEqual(['free', 'metered', 'pack', 'pack']);
  expect(await subscriptionOf(seller)).toMatchObject({ packImages: { left: 2, held: 2 } });
  for (const { id } of generations) await seller.cancel(id);
  await expect.poll(async () => (await profileOf(stack, seller)).holds).toEqual([]);
  await stack.models.profiles.updateOne(
    { _id: seller.id },
    {
      $set: { generations_left: 100, free_images: { due: false, granted: 0, left: 0 } },
      $inc: { revision: 1 },
    },
  );
  await expectCleanSoon(stack);
});

test('two windows: the same pack is one page, another one closes it, and only one of them can be paid', async ({
  stack,
}) => {
  const seller = await stack.seller({ paid: false });
  await leaseBilling(stack, seller, new Date(Date.now() + 60_000));
  expectError(await ask(seller, 4, 200), 'BILLING_BUSY');
  await leaseBilling(stack, seller, null);
  const asked = await Promise.all([ask(seller, 4, 200), ask(seller, 20, 900), ask(seller, 4, 200)]);
  // One at a time: the others are asked to try again.
  expect(asked.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  for (const answer of asked) if (answer.status !== 200) expectError(answer, 'BILLING_BUSY');
  const first = await openPack(seller, 4, 200);
  const second = await openPack(seller, 20, 900);
  await expect(stack.stripe.completeCheckout(first)).rejects.toThrow('expired');
  await Promise.allSettled([stack.stripe.completeCheckout(second), stack.stripe.completeCheckout(second)]);
  await stack.stripe.settled();
  expect(await packsOf(stack, seller)).toMatchObject({ bought: 20, left: 20 });
  const { stripe_customer_id: customer } = await profileOf(stack, seller);
  expect(await charged(stack, customer!)).toEqual({ sum: 900, payments: 1 });
  await expectCleanSoon(stack);
});

test('a ban keeps the images and sells none; a deleted account leaves no page to pay on', async ({
  stack,
}) => {
  const seller = await stack.seller({ paid: false });
  await buy(stack, seller);
  await stack.models.profiles.updateOne({ _id: seller.id }, { $set: { disabled_at: new Date() } });
  await expect(buyPack(stack.server.context, seller.id, wanted)).rejects.toMatchObject({
    code: 'ACCOUNT_DISABLED',
  });
  await stack.models.profiles.updateOne({ _id: seller.id }, { $unset: { disabled_at: 1 } });
  expect(await packsOf(stack, seller)).toMatchObject({ left: 4 });
  const session = await openPack(seller);
  await deleteStripeCustomers(stack.server.context, seller.id);
  await expect(stack.stripe.completeCheckout(session)).rejects.toThrow('expired');
  await deleteStripeCustomers(stack.server.context, seller.id);
});

/** Nothing is sold that was not shown: the setting is empty by default. */
const testWithoutPacks = testWithStack();
testWithoutPacks('without the setting no pack is sold', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  expectError(await ask(seller, 4, 200), 'AMOUNT_CHANGED', {
    message: 'This pack is no longer sold. Nothing was charged.',
  });
  expect((await subscriptionOf(seller)).packImages).toBeUndefined();
});
