/** What happens when the clock moves: renewals on the right days, failed payments, cancellations. */
import type Stripe from 'stripe';
import { expect } from 'vitest';
import { idOf, itemOf, subscribe, testWithServer as test } from './harness.ts';

test.beforeEach(({ control }) => control.reset());

const at = (text: string) => Date.parse(text) / 1000;
const day = (time: number) => new Date(time * 1000).toISOString().slice(0, 10);
const daySeconds = 86_400;

test('twelve renewals stay on the 31st, or the last day of shorter months', async ({
  stripe,
  control,
  plans,
}) => {
  await control.advance({ to: at('2027-01-31T10:00:00Z') });
  const subscription = await subscribe(stripe, plans.basic);
  const anchor = itemOf(subscription).current_period_start;
  await control.advance({ months: 12 });
  const invoices = await stripe.invoices
    .list({ subscription: subscription.id })
    .autoPagingToArray({ limit: 100 });
  expect(invoices.map(({ created }) => day(created)).reverse()).toEqual([
    '2027-01-31',
    '2027-02-28',
    '2027-03-31',
    '2027-04-30',
    '2027-05-31',
    '2027-06-30',
    '2027-07-31',
    '2027-08-31',
    '2027-09-30',
    '2027-10-31',
    '2027-11-30',
    '2027-12-31',
    '2028-01-31',
  ]);
  for (const [index, invoice] of invoices.entries()) {
    expect(invoice).toMatchObject({
      status: 'paid',
      amount_paid: 1000,
      attempt_count: 1,
      billing_reason: index === invoices.length - 1 ? 'subscription_create' : 'subscription_cycle',
      status_transitions: { paid_at: invoice.created },
    });
    const [line] = invoice.lines.data;
    const older = invoices[index + 1];
    // Each period begins where the previous one ended, at the anchor's time of day.
    expect(line?.period.start).toBe(older === undefined ? anchor : older.lines.data[0]?.period.end);
    expect(((line?.period.start ?? 0) - anchor) % daySeconds).toBe(0);
  }
  await stripe.subscriptions.cancel(subscription.id);
});

test('a failed renewal is retried after 3, 5 and 7 days, then the subscription is canceled', async ({
  stripe,
  control,
  plans,
  read,
}) => {
  const subscription = await subscribe(stripe, plans.basic);
  await control.setCard(idOf(subscription.customer), '4000000000000341');
  const end = itemOf(subscription).current_period_end;
  await control.advance({ to: end });
  const seen: [string, number, number | null][] = [];
  const look = async () => {
    const { status, latest_invoice: latest } = await read(subscription.id);
    const { attempt_count: attempts, next_payment_attempt: next } = latest as Stripe.Invoice;
    seen.push([status, attempts, next === null ? null : (next - end) / daySeconds]);
  };
  await look();
  for (const days of [3, 5, 7]) {
    await control.advance({ to: end + days * daySeconds });
    await look();
  }
  expect(seen).toEqual([
    ['past_due', 1, 3],
    ['past_due', 2, 5],
    ['past_due', 3, 7],
    ['canceled', 4, null],
  ]);
  const ended = await read(subscription.id);
  expect(ended.cancellation_details?.reason).toBe('payment_failed');
  expect(ended.ended_at).toBe(end + 7 * daySeconds);
  expect(ended.latest_invoice).toMatchObject({ status: 'open', billing_reason: 'subscription_cycle' });
});

test('a new card recovers a past-due subscription at the next attempt', async ({
  stripe,
  control,
  plans,
  read,
}) => {
  const subscription = await subscribe(stripe, plans.basic);
  const customer = idOf(subscription.customer);
  await control.setCard(customer, '4000000000000341');
  const end = itemOf(subscription).current_period_end;
  await control.advance({ to: end });
  expect((await read(subscription.id)).status).toBe('past_due');
  await control.setCard(customer, '4242424242424242');
  await control.advance({ to: end + 3 * daySeconds });
  const paid = await read(subscription.id);
  expect(paid.status).toBe('active');
  expect(paid.latest_invoice).toMatchObject({ status: 'paid', amount_remaining: 0, attempt_count: 2 });
});

test('a renewal that needs authentication makes the subscription past due', async ({
  stripe,
  control,
  plans,
}) => {
  const subscription = await subscribe(stripe, plans.basic);
  await control.setCard(idOf(subscription.customer), '4000002760003184');
  await control.advance({ to: itemOf(subscription).current_period_end });
  const late = await stripe.subscriptions.retrieve(subscription.id, {
    expand: ['latest_invoice.payments.data.payment.payment_intent'],
  });
  expect(late.status).toBe('past_due');
  const [payment] = (late.latest_invoice as Stripe.Invoice).payments?.data ?? [];
  expect(payment?.payment.payment_intent).toMatchObject({ status: 'requires_action' });
  const { data } = await stripe.events.list({ type: 'invoice.payment_action_required', limit: 1 });
  expect(data[0]?.data.object).toMatchObject({ id: idOf(late.latest_invoice) });
  await stripe.subscriptions.cancel(subscription.id);
});

test('a subscription canceled at period end runs until exactly then', async ({
  stripe,
  control,
  plans,
  read,
}) => {
  const subscription = await subscribe(stripe, plans.basic);
  const end = itemOf(subscription).current_period_end;
  const ending = await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
  expect(ending).toMatchObject({ status: 'active', cancel_at: end, cancel_at_period_end: true });
  const kept = await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false });
  expect(kept).toMatchObject({ cancel_at: null, canceled_at: null });
  await control.cancelAtPeriodEnd(subscription.id);
  await control.advance({ to: end - 1 });
  expect((await read(subscription.id)).status).toBe('active');
  await control.advance({ to: end });
  expect(await read(subscription.id)).toMatchObject({ status: 'canceled', ended_at: end });
  expect((await stripe.invoices.list({ subscription: subscription.id })).data).toHaveLength(1);
});

test('a cancellation in the portal has the form of the billing mode, and only its own parameter withdraws it', async ({
  stripe,
  control,
  plans,
}) => {
  const flexible = await subscribe(stripe, plans.basic);
  await control.set({ billingMode: 'classic' });
  const classic = await subscribe(stripe, plans.basic);
  for (const { id } of [flexible, classic]) await control.cancelAtPeriodEnd(id);
  const end = itemOf(flexible).current_period_end;
  const read = ({ id }: Stripe.Subscription) => stripe.subscriptions.retrieve(id);
  expect(await read(flexible)).toMatchObject({
    billing_mode: { type: 'flexible' },
    cancel_at: end,
    cancel_at_period_end: false,
  });
  expect(await read(classic)).toMatchObject({
    billing_mode: { type: 'classic' },
    cancel_at: itemOf(classic).current_period_end,
    cancel_at_period_end: true,
  });
  // The flag is not set, so clearing it changes nothing.
  const same = await stripe.subscriptions.update(flexible.id, { cancel_at_period_end: false });
  expect(same).toMatchObject({ cancel_at: end });
  for (const cancel_at of ['' as const, end]) {
    const both = stripe.subscriptions.update(flexible.id, { cancel_at_period_end: false, cancel_at });
    await expect(both).rejects.toThrow('Received both cancel_at_period_end and cancel_at');
  }
  for (const { id } of [flexible, classic]) {
    expect(await stripe.subscriptions.update(id, { cancel_at: '' })).toMatchObject({
      cancel_at: null,
      cancel_at_period_end: false,
      canceled_at: null,
    });
  }
  const later = await stripe.subscriptions.update(flexible.id, { cancel_at: end + 60 });
  expect(later).toMatchObject({ cancel_at: end + 60, cancel_at_period_end: false });
});

test('an unpaid first invoice expires the subscription after 23 hours', async ({
  stripe,
  control,
  plans,
  read,
}) => {
  const subscription = await subscribe(stripe, plans.basic, {}, 'pm_card_chargeCustomerFail');
  expect(subscription.status).toBe('incomplete');
  await control.advance({ seconds: 23 * 3600 });
  const expired = await read(subscription.id);
  expect(expired.status).toBe('incomplete_expired');
  expect(expired.latest_invoice).toMatchObject({ status: 'void' });
});

test('deleting a customer cancels their subscriptions immediately', async ({ stripe, plans, read }) => {
  const subscription = await subscribe(stripe, plans.basic);
  await stripe.customers.del(idOf(subscription.customer));
  expect((await read(subscription.id)).status).toBe('canceled');
});

test('months that are advanced one by one renew as often as together, also across a short one', async ({
  stripe,
  control,
  plans,
}) => {
  await control.advance({ to: at('2049-11-29T10:00:00Z') });
  const subscription = await subscribe(stripe, plans.basic);
  for (let month = 0; month < 4; month += 1) await control.advance({ months: 1 });
  const { data } = await stripe.invoices.list({ subscription: subscription.id });
  expect(data.map(({ created }) => day(created)).reverse()).toEqual([
    '2049-11-29',
    '2049-12-29',
    '2050-01-29',
    '2050-02-28',
    '2050-03-29',
  ]);
});
