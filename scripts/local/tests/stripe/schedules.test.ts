/** Subscription schedules: a downgrade at the end of the period. */
import type Stripe from 'stripe';
import { expect } from 'vitest';
import { itemOf, subscribe, testWithServer } from './harness.ts';

const test = testWithServer
  // Schedules a change to the basic plan for the end of the period.
  .extend('planDowngrade', ({ stripe, plans }) => async (subscription: Stripe.Subscription) => {
    const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
    const [phase] = schedule.phases as [Stripe.SubscriptionSchedule.Phase];
    return stripe.subscriptionSchedules.update(schedule.id, {
      end_behavior: 'release',
      proration_behavior: 'none',
      phases: [
        {
          items: [{ price: plans.pro.id, quantity: 1 }],
          start_date: phase.start_date,
          end_date: phase.end_date,
        },
        {
          items: [{ price: plans.basic.id, quantity: 1 }],
          duration: { interval: 'month', interval_count: 1 },
        },
      ],
    });
  });

test('the price changes before the renewal is invoiced, and the schedule is released a month later', async ({
  stripe,
  control,
  plans,
  read,
  planDowngrade,
}) => {
  const subscription = await subscribe(stripe, plans.pro);
  const end = itemOf(subscription).current_period_end;
  const schedule = await planDowngrade(subscription);
  expect(schedule).toMatchObject({
    status: 'active',
    current_phase: { end_date: end },
    phases: [{ end_date: end }, { start_date: end }],
  });
  expect((await read(subscription.id)).schedule).toMatchObject({ id: schedule.id });

  await control.advance({ to: end - 1 });
  expect(itemOf(await read(subscription.id)).price.id).toBe(plans.pro.id);
  await control.advance({ to: end });
  const renewed = await read(subscription.id);
  expect(itemOf(renewed).price.id).toBe(plans.basic.id);
  const invoice = renewed.latest_invoice as Stripe.Invoice;
  expect(invoice).toMatchObject({ amount_paid: 1000, created: end, billing_reason: 'subscription_cycle' });
  expect(invoice.lines.data).toHaveLength(1);
  expect(renewed.schedule).toMatchObject({ status: 'active', current_phase: { start_date: end } });

  await control.advance({ to: itemOf(renewed).current_period_end });
  const free = await read(subscription.id);
  expect(free).toMatchObject({ schedule: null, status: 'active' });
  expect(await stripe.subscriptionSchedules.retrieve(schedule.id)).toMatchObject({
    status: 'released',
    released_subscription: subscription.id,
    subscription: null,
  });
});

test('a released schedule has no further effect', async ({ stripe, control, plans, read, planDowngrade }) => {
  const subscription = await subscribe(stripe, plans.pro);
  const schedule = await planDowngrade(subscription);
  expect((await stripe.subscriptionSchedules.release(schedule.id)).status).toBe('released');
  expect((await read(subscription.id)).schedule).toBeNull();
  await control.advance({ to: itemOf(subscription).current_period_end });
  expect(itemOf(await read(subscription.id)).price.id).toBe(plans.pro.id);
  await expect(stripe.subscriptionSchedules.release(schedule.id)).rejects.toThrow('released');
});

test('a subscription with a schedule rejects a second schedule and a direct cancellation', async ({
  stripe,
  plans,
  planDowngrade,
}) => {
  const subscription = await subscribe(stripe, plans.pro);
  const schedule = await planDowngrade(subscription);
  const again = stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
  await expect(again).rejects.toMatchObject({ param: 'from_subscription' });
  const ending = stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
  await expect(ending).rejects.toMatchObject({ param: 'cancel_at_period_end' });
  // Reported for changes of the cancellation; that a cancellation at once is accepted is not known, so it is refused here.
  await expect(stripe.subscriptions.cancel(subscription.id)).rejects.toThrow(schedule.id);
  await stripe.subscriptionSchedules.release(schedule.id);
  expect((await stripe.subscriptions.cancel(subscription.id)).status).toBe('canceled');
});

test('the first phase must be the current one', async ({ stripe, plans }) => {
  const subscription = await subscribe(stripe, plans.pro);
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
  const wrong = stripe.subscriptionSchedules.update(schedule.id, {
    end_behavior: 'release',
    proration_behavior: 'none',
    phases: [{ items: [{ price: plans.basic.id }], start_date: itemOf(subscription).current_period_end }],
  });
  await expect(wrong).rejects.toMatchObject({ param: 'phases[0][start_date]' });
});

test('changes to a schedule create events', async ({ stripe, control, plans, planDowngrade }) => {
  const subscription = await subscribe(stripe, plans.pro);
  const schedule = await planDowngrade(subscription);
  await control.advance({ months: 2 });
  const events = await stripe.events.list({ limit: 100 });
  const own = events.data.filter(({ data }) => (data.object as { id: string }).id === schedule.id);
  expect(own.map(({ type }) => type).reverse()).toEqual([
    'subscription_schedule.created',
    'subscription_schedule.updated',
    'subscription_schedule.updated',
    'subscription_schedule.released',
  ]);
});
