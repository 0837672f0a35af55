import { expect } from 'vitest';
import { type CreditEntryList, paths, type SubscriptionView } from '#contract';
import { expectError } from '#tests/support/errors.ts';
import { makeImage } from '#tests/support/finished-images.ts';
import type { Seller } from '#tests/support/seller.ts';
import {
  chargesOf,
  expectCleanSoon,
  profileOf,
  stripe,
  subscriber,
  subscriptionOf,
} from '#tests/support/subscriber.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack();
test.beforeEach(({ stack }) => stack.stripe.reset());

async function linesOf(seller: Seller): Promise<[kind: string, count: number][]> {
  const { body } = await seller.request<CreditEntryList>(paths.creditEntries);
  return body.entries.map(({ kind, count }) => [kind, count]);
}

async function makeSettledImage(seller: Seller): Promise<void> {
  await makeImage(seller);
  await expect.poll(async () => (await subscriptionOf(seller)).generationsHeld).toBe(0);
}

test('a full refund takes the images back, and the seller cannot generate until the next payment', async ({
  stack,
}) => {
  const seller = await subscriber(stack, 'freelance');
  await makeSettledImage(seller);
  const [charge] = await chargesOf(stack, seller);
  // A partial refund takes nothing back.
  await stripe(stack).refunds.create({ charge: charge!, amount: 500 });
  await stack.stripe.settled();
  expect(await subscriptionOf(seller)).toMatchObject({ generationsLeft: 99, canGenerate: true });
  await expectCleanSoon(stack);

  const window = await seller.openWindow();
  const pushed = new Promise<SubscriptionView>((resolve) => {
    window.socket.on('subscription', (view) => !view.canGenerate && resolve(view));
  });
  await stripe(stack).refunds.create({ charge: charge! });
  await stack.stripe.settled();
  expect(await pushed).toMatchObject({ generationsLeft: 0, status: 'active', canGenerate: false });
  window.close();
  expectError(await seller.send(), 'PAYMENT_RETURNED');
  expect(await profileOf(stack, seller)).toMatchObject({
    granted: 100,
    settled: 1,
    refunded: 99,
    forfeited: 0,
  });
  expect(await linesOf(seller)).toEqual([
    ['refund', 99],
    ['settle', 1],
    ['grant', 100],
  ]);
  await expectCleanSoon(stack);

  await stack.stripe.advance({ months: 1 });
  expect(await subscriptionOf(seller)).toMatchObject({ generationsLeft: 100, canGenerate: true });
  await seller.submit();
  await expectCleanSoon(stack);
});

test('an open dispute takes the images back, a won one reinstates them, a lost one does not; an inquiry changes nothing', async ({
  stack,
}) => {
  const seller = await subscriber(stack, 'freelance');
  const [charge] = await chargesOf(stack, seller);
  const { dispute } = await stack.stripe.dispute(charge!);
  await stack.stripe.settled();
  expect(await subscriptionOf(seller)).toMatchObject({ generationsLeft: 0, canGenerate: false });
  await stack.stripe.closeDispute(dispute, 'won');
  await stack.stripe.settled();
  expect(await subscriptionOf(seller)).toMatchObject({ generationsLeft: 100, canGenerate: true });
  expect(await linesOf(seller)).toEqual([
    ['reinstate', 100],
    ['refund', 100],
    ['grant', 100],
  ]);
  await seller.submit();

  const other = await subscriber(stack, 'freelance');
  const [lost] = await chargesOf(stack, other);
  await stack.stripe.closeDispute((await stack.stripe.dispute(lost!)).dispute, 'lost');
  await stack.stripe.settled();
  expectError(await other.send(), 'PAYMENT_RETURNED');

  const withInquiry = await subscriber(stack, 'freelance');
  await stack.stripe.dispute((await chargesOf(stack, withInquiry))[0]!, { inquiry: true });
  await stack.stripe.settled();
  expect(await subscriptionOf(withInquiry)).toMatchObject({ generationsLeft: 100, canGenerate: true });
  await expectCleanSoon(stack);
});

test('a refund leaves images on hold; one that is released later is taken back as well', async ({
  stack,
}) => {
  const seller = await subscriber(stack, 'freelance');
  const window = await seller.openWindow();
  await stack.images.set({ default: { kind: 'hold' } });
  const [kept, cancelled] = [await seller.submit(), await seller.submit()];
  await stack.images.waitFor({ waiting: 1 });
  await stripe(stack).refunds.create({ charge: (await chargesOf(stack, seller))[0]! });
  await stack.stripe.settled();
  expect(await profileOf(stack, seller)).toMatchObject({ generations_left: 2, refunded: 98 });
  await seller.cancel(cancelled.id);
  await window.untilEnded(cancelled.id);
  await stack.images.set({ default: { kind: 'ok' } });
  await seller.cancel(kept.id);
  await window.untilEnded(kept.id);
  window.close();
  await seller.request(paths.subscription);
  expect(await profileOf(stack, seller)).toMatchObject({ generations_left: 0, refunded: 100, forfeited: 0 });
  await expectCleanSoon(stack);
});

test('a failed refund reinstates the images; partial refunds and a dispute add up', async ({ stack }) => {
  const seller = await subscriber(stack, 'freelance');
  const [charge] = await chargesOf(stack, seller);
  const refund = await stripe(stack).refunds.create({ charge: charge!, amount: 4_000 });
  await stack.stripe.dispute(charge!, { amount: 1_000 });
  await stack.stripe.settled();
  expect(await subscriptionOf(seller)).toMatchObject({ generationsLeft: 0, canGenerate: false });
  await stack.stripe.failRefund(refund.id);
  await stack.stripe.settled();
  expect(await subscriptionOf(seller)).toMatchObject({ generationsLeft: 100, canGenerate: true });
  await expectCleanSoon(stack);
});
