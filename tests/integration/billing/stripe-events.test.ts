import { expect } from 'vitest';
import { paths } from '#contract';
import { atOnce, workerContext } from '#tests/support/credits.ts';
import { answerOf, expectError } from '#tests/support/errors.ts';
import {
  checkoutSessionId,
  deliver,
  eventsAbout,
  expectClean,
  profileOf,
  requestPlan,
  subscriber,
} from '#tests/support/subscriber.ts';
import { testWithStack } from '#tests/support/test.ts';
import { runBillingUpkeep } from '#worker/upkeep/billing.ts';

// The tests run upkeep themselves.
const test = testWithStack({ workers: 0 });
test.afterEach(({ stack }) => stack.stripe.reset());

test('an event that is unsigned, altered, old or signed with another secret is refused and not stored', async ({
  stack,
}) => {
  const event = {
    id: 'evt_forged',
    object: 'event',
    type: 'invoice.paid',
    data: { object: { object: 'invoice' } },
  };
  const now = Math.floor(Date.now() / 1_000);
  const unsigned = fetch(stack.url + paths.stripeWebhook, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(event),
  });
  for (const reply of [
    unsigned,
    deliver(stack, event, { payload: JSON.stringify({ ...event, type: 'invoice.voided' }) }),
    deliver(stack, event, { timestamp: now - 301 }),
    deliver(stack, event, { secret: 'whsec_of_somebody_else' }),
  ]) {
    expectError(await answerOf(reply), 'BAD_SIGNATURE');
  }
  expect(await stack.models.stripeEvents.findById(event.id)).toBeNull();
  expect((await deliver(stack, event, { timestamp: now - 290 })).status).toBe(200);
  expect(await stack.models.stripeEvents.findById(event.id)).toMatchObject({ customer: null });
});

test('the same event 20 times at once leads to one row and one grant', async ({ stack }) => {
  await stack.stripe.set({ webhooks: { hold: true } });
  const seller = await stack.seller({ paid: false });
  await stack.stripe.completeCheckout(checkoutSessionId((await requestPlan(seller, 'freelance')).body));
  const { stripe } = stack.server.context.billing;
  const { stripe_customer_id: customer } = await profileOf(stack, seller);
  const paid = (await eventsAbout(stripe, customer!)).find(({ type }) => type === 'invoice.paid')!;
  const replies = await Promise.all(Array.from({ length: 20 }, () => deliver(stack, paid)));
  expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(await stack.models.stripeEvents.countDocuments({ _id: paid.id })).toBe(1);
  expect(await profileOf(stack, seller)).toMatchObject({ generations_left: 100, granted: 100, forfeited: 0 });
  await expectClean(stack);
});

test('an event while Stripe is unreachable is stored and answered with 503; upkeep handles it later', async ({
  stack,
}) => {
  const seller = await subscriber(stack, 'freelance');
  const { stripe } = stack.server.context.billing;
  await stack.stripe.set({ webhooks: { hold: true } });
  const before = await profileOf(stack, seller);
  await stack.stripe.cancelAtPeriodEnd(before.subscription_id!);
  const event = (await eventsAbout(stripe, before.stripe_customer_id!)).at(-1)!;
  await stack.stripe.set({ faults: Array(9).fill({ when: 'before', status: 500 }) });
  expectError(await answerOf(deliver(stack, event)), 'UNAVAILABLE');
  await stack.stripe.set({ faults: [] });
  expect((await profileOf(stack, seller)).subscription_data).toMatchObject({ cancel_at_period_end: false });
  // The delay before the next try grows with each failure.
  expect(await stack.models.stripeEvents.findById(event.id)).toMatchObject({ tries: 1 });
  expect(await runBillingUpkeep(workerContext(stack), atOnce)).toMatchObject({ eventsHandled: 0 });
  await stack.models.stripeEvents.updateOne({ _id: event.id }, { $set: { due_at: new Date() } });
  expect(await runBillingUpkeep(workerContext(stack), atOnce)).toMatchObject({ eventsHandled: 1 });
  expect((await profileOf(stack, seller)).subscription_data).toMatchObject({ cancel_at_period_end: true });
});

test('upkeep finds a renewal whose events were all lost', async ({ stack }) => {
  const seller = await subscriber(stack, 'freelance');
  await stack.stripe.set({ webhooks: { hold: true } });
  await stack.stripe.advance({ months: 1 });
  expect((await profileOf(stack, seller)).granted).toBe(100);
  // Only Stripe's clock has moved: by ours the period ends in a month.
  await stack.models.profiles.updateOne(
    { _id: seller.id },
    { $set: { 'subscription_data.current_period_end': new Date(Date.now() - 1) } },
  );
  await runBillingUpkeep(workerContext(stack), atOnce);
  expect(await profileOf(stack, seller)).toMatchObject({
    granted: 200,
    forfeited: 100,
    generations_left: 100,
  });
});
