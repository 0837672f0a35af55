/**
 * A plan that was cancelled in Stripe's portal, in both of Stripe's forms: in the flexible billing mode only `cancel_at` is
 * set, in the classic mode the flag as well. Every place that reads a cancellation or withdraws it.
 */
import { expect } from 'vitest';
import { type PortalReply, paths } from '#contract';
import { expectError } from '#tests/support/errors.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import {
  expectClean,
  profileOf,
  requestPlan,
  stripe,
  subscriber,
  subscriptionOf,
} from '#tests/support/subscriber.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ workers: 0 });
const forms = ['flexible', 'classic'] as const;

test.beforeEach(({ stack }) => stack.stripe.reset());

/** A seller whose plan is cancelled. */
async function cancelled(
  stack: TestStack,
  form: (typeof forms)[number],
  plan: 'freelance' | 'enterprise',
): Promise<Seller> {
  await stack.stripe.set({ billingMode: form });
  const seller = await subscriber(stack, plan);
  await stack.stripe.cancelAtPeriodEnd((await profileOf(stack, seller)).subscription_id!);
  await stack.stripe.settled();
  const atStripe = await subscriptionAtStripe(stack, seller);
  expect(atStripe.cancel_at).toBe(atStripe.items.data[0]!.current_period_end);
  expect(atStripe.cancel_at_period_end).toBe(form === 'classic');
  return seller;
}

const subscriptionAtStripe = async (stack: TestStack, seller: Seller) =>
  stripe(stack).subscriptions.retrieve((await profileOf(stack, seller)).subscription_id!);

/** Expects that the plan renews at the end of the period. */
async function expectRenewal(stack: TestStack, seller: Seller): Promise<void> {
  expect(await subscriptionAtStripe(stack, seller)).toMatchObject({
    cancel_at: null,
    cancel_at_period_end: false,
  });
  expect(await subscriptionOf(seller)).toMatchObject({ cancelAtPeriodEnd: false, isCancelled: false });
  await stack.stripe.advance({ months: 1 });
  expect(await subscriptionOf(seller)).toMatchObject({ status: 'active', isCancelled: false });
  await expectClean(stack);
}

const places: Readonly<Record<string, (stack: TestStack, form: (typeof forms)[number]) => Promise<void>>> = {
  'the plan is shown as ending, works until then and is not renewed': async (stack, form) => {
    const seller = await cancelled(stack, form, 'freelance');
    expect(await subscriptionOf(seller)).toMatchObject({
      status: 'active',
      cancelAtPeriodEnd: true,
      isCancelled: true,
      canGenerate: true,
    });
    await stack.stripe.advance({ months: 1 });
    expect(await subscriptionOf(seller)).toMatchObject({ status: 'canceled', canGenerate: false });
    const charges = await stripe(stack).charges.list({
      customer: (await profileOf(stack, seller)).stripe_customer_id!,
    });
    expect(charges.data).toHaveLength(1);
    await expectClean(stack);
  },
  'resuming withdraws it': async (stack, form) => {
    const seller = await cancelled(stack, form, 'enterprise');
    expect((await requestPlan(seller, 'enterprise')).body).toMatchObject({
      subscription: { cancelAtPeriodEnd: false },
    });
    await expectRenewal(stack, seller);
  },
  'a cancellation by the API is withdrawn as well': async (stack, form) => {
    await stack.stripe.set({ billingMode: form });
    const seller = await subscriber(stack, 'freelance');
    const { subscription_id: id } = await profileOf(stack, seller);
    await stripe(stack).subscriptions.update(id!, { cancel_at_period_end: true });
    await stack.stripe.settled();
    expect(await subscriptionOf(seller)).toMatchObject({ cancelAtPeriodEnd: true });
    await requestPlan(seller, 'freelance');
    await expectRenewal(stack, seller);
  },
  'an upgrade withdraws it': async (stack, form) => {
    const seller = await cancelled(stack, form, 'freelance');
    expect((await requestPlan(seller, 'enterprise')).body).toMatchObject({
      subscription: { plan: 'enterprise', cancelAtPeriodEnd: false },
    });
    await expectRenewal(stack, seller);
  },
  'a downgrade withdraws it': async (stack, form) => {
    const seller = await cancelled(stack, form, 'enterprise');
    expect((await requestPlan(seller, 'freelance')).body).toMatchObject({
      subscription: { plan: 'enterprise', cancelAtPeriodEnd: false, nextPlan: { plan: 'freelance' } },
    });
    await expectRenewal(stack, seller);
    expect(await subscriptionOf(seller)).toMatchObject({ plan: 'freelance' });
  },
  'the portal shows it and withdraws it': async (stack, form) => {
    const seller = await cancelled(stack, form, 'freelance');
    const { body } = await seller.request<PortalReply>(paths.portalSession, { method: 'POST' });
    expect(await (await fetch(body.url)).text()).toContain('Cancels on');
    await stripe(stack).subscriptions.update((await profileOf(stack, seller)).subscription_id!, {
      cancel_at: '',
    });
    await stack.stripe.settled();
    await expectRenewal(stack, seller);
  },
  'a crash between the steps of a downgrade is repaired by asking again': async (stack, form) => {
    const seller = await cancelled(stack, form, 'enterprise');
    await stack.stripe.set({
      faults: Array(3).fill({ when: 'before', status: 500, match: 'POST /v1/subscription_schedules' }),
    });
    expectError(await requestPlan(seller, 'freelance'), 'SUBSCRIBE_FAILED');
    await stack.stripe.set({ faults: [] });
    expect((await requestPlan(seller, 'freelance')).body).toMatchObject({
      subscription: { nextPlan: { plan: 'freelance' } },
    });
    await expectRenewal(stack, seller);
  },
  'the deletion of the customer ends it': async (stack, form) => {
    const seller = await cancelled(stack, form, 'freelance');
    const { stripe_customer_id: customer } = await profileOf(stack, seller);
    await stripe(stack).customers.del(customer!);
    await stack.stripe.settled();
    expect(await subscriptionOf(seller)).toMatchObject({ status: 'canceled', isCancelled: true });
    await expectClean(stack);
  },
};

test.for(forms.flatMap((form) => Object.keys(places).map((place) => [form, place] as const)))(
  '%s: %s',
  ([form, place], { stack }) => places[place]!(stack, form),
);
