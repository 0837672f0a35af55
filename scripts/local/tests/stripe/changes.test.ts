/**
 * Changes to running subscriptions: prorations by the second, declined upgrades, downgrades at the end of the period.
 */
import Stripe from 'stripe';
import { describe, expect } from 'vitest';
import { idOf, itemOf, subscribe, testWithServer } from './harness.ts';

const test = testWithServer.extend(
  'change',
  ({ stripe }) =>
    (
      subscription: Stripe.Subscription,
      price: Stripe.Price,
      params: Partial<Stripe.SubscriptionUpdateParams> = {},
    ) =>
      stripe.subscriptions.update(subscription.id, {
        items: [{ id: itemOf(subscription).id, price: price.id }],
        ...params,
      }),
);

test.beforeEach(({ control }) => control.reset());

const priceIdOf = (subscription: Stripe.Subscription) => itemOf(subscription).price.id;
/** The time at which exactly this share of the period is left. */
const momentWithLeft = (subscription: Stripe.Subscription, share: number) => {
  const { current_period_start: start, current_period_end: end } = itemOf(subscription);
  return end - (end - start) * share;
};

describe('an upgrade that is invoiced immediately', () => {
  test('costs the difference for the rest of the period, prorated by the second', async ({
    stripe,
    control,
    plans,
    change,
  }) => {
    const subscription = await subscribe(stripe, plans.basic);
    const date = momentWithLeft(subscription, 0.25);
    await control.advance({ to: date });
    const changed = await change(subscription, plans.pro, {
      proration_behavior: 'always_invoice',
      payment_behavior: 'error_if_incomplete',
      expand: ['latest_invoice'],
    });
    expect(priceIdOf(changed)).toBe(plans.pro.id);
    expect(itemOf(changed).current_period_end).toBe(itemOf(subscription).current_period_end);
    const invoice = changed.latest_invoice as Stripe.Invoice;
    expect(invoice).toMatchObject({
      status: 'paid',
      amount_paid: 500,
      billing_reason: 'subscription_update',
    });
    // The clock went on a little since it was moved.
    const period = { start: invoice.created, end: itemOf(subscription).current_period_end };
    expect(
      invoice.lines.data.map(({ amount, pricing, period: of, parent }) => [
        amount,
        pricing?.price_details?.price,
        of,
        parent?.subscription_item_details?.proration,
      ]),
    ).toEqual([
      [-250, plans.basic.id, period, true],
      [750, plans.pro.id, period, true],
    ]);
    const credited = invoice.lines.data[0]?.parent?.subscription_item_details?.proration_details;
    expect(credited?.credited_items?.invoice).toBe(idOf(subscription.latest_invoice));
  });

  test('changes nothing when the card is declined', async ({ stripe, control, plans, read, change }) => {
    const subscription = await subscribe(stripe, plans.basic);
    const customer = idOf(subscription.customer);
    await control.setCard(customer, '4000000000000341');
    const before = await read(subscription.id);
    const [newest] = (await stripe.events.list({ limit: 1 })).data;
    const declined = change(subscription, plans.pro, {
      proration_behavior: 'always_invoice',
      payment_behavior: 'error_if_incomplete',
    });
    await expect(declined).rejects.toBeInstanceOf(Stripe.errors.StripeCardError);
    const { lastResponse: _, ...after } = await read(subscription.id);
    expect(after).toEqual({ ...before, lastResponse: undefined });
    expect((await stripe.invoices.list({ customer })).data).toHaveLength(1);
    expect((await stripe.events.list({ limit: 1 })).data[0]?.id).toBe(newest?.id);
  });

  test('takes effect under allow_incomplete, and the subscription is past due', async ({
    stripe,
    control,
    plans,
    change,
  }) => {
    const subscription = await subscribe(stripe, plans.basic);
    await control.setCard(idOf(subscription.customer), '4000000000000341');
    const changed = await change(subscription, plans.pro, {
      proration_behavior: 'always_invoice',
      expand: ['latest_invoice'],
    });
    expect(changed.status).toBe('past_due');
    expect(priceIdOf(changed)).toBe(plans.pro.id);
    expect(changed.latest_invoice).toMatchObject({ status: 'open', attempt_count: 1 });
  });
});

describe('prorations', () => {
  test.for<Partial<Stripe.SubscriptionUpdateParams>>([
    {},
    { proration_behavior: 'create_prorations' },
    { proration_behavior: 'always_invoice', billing_cycle_anchor: { type: 'now' } },
  ])('that this server has not are rejected: %o', async (params, { stripe, plans, change }) => {
    const subscription = await subscribe(stripe, plans.pro);
    const param = 'proration_behavior';
    await expect(change(subscription, plans.basic, params)).rejects.toMatchObject({ param });
  });

  test('of a lower price are credit for the next invoice', async ({ stripe, plans, change }) => {
    const subscription = await subscribe(stripe, plans.pro);
    const changed = await change(subscription, plans.basic, {
      proration_behavior: 'always_invoice',
      proration_date: itemOf(subscription).current_period_start,
      expand: ['latest_invoice', 'customer'],
    });
    const credit = plans.basic.unit_amount! - plans.pro.unit_amount!;
    expect(changed.latest_invoice).toMatchObject({ total: credit, amount_due: 0, status: 'paid' });
    expect(changed.customer).toMatchObject({ balance: credit });
  });

  test('are omitted with proration_behavior none, also when a new period starts', async ({
    stripe,
    control,
    plans,
    read,
    change,
  }) => {
    const subscription = await subscribe(stripe, plans.basic);
    await change(subscription, plans.pro, { proration_behavior: 'none' });
    await control.advance({ to: itemOf(subscription).current_period_end });
    const renewed = (await read(subscription.id)).latest_invoice as Stripe.Invoice;
    expect(renewed.lines.data.map(({ amount }) => amount)).toEqual([3000]);
    await control.advance({ seconds: 3_600 });
    const restarted = await change(subscription, plans.basic, {
      billing_cycle_anchor: { type: 'now' },
      proration_behavior: 'none',
      expand: ['latest_invoice'],
    });
    expect(restarted.latest_invoice).toMatchObject({ amount_paid: 1000 });
    expect(itemOf(restarted).current_period_start).toBe(restarted.billing_cycle_anchor);
    expect(restarted.billing_cycle_anchor).toBeGreaterThan(itemOf(subscription).current_period_end);
  });
});

test('lists filter subscriptions by status', async ({ stripe, plans }) => {
  const subscription = await subscribe(stripe, plans.basic, { metadata: { userId: 'u9' } });
  const customer = idOf(subscription.customer);
  await stripe.subscriptions.cancel(subscription.id);
  expect((await stripe.subscriptions.list({ customer })).data).toEqual([]);
  const all = await stripe.subscriptions.list({
    customer,
    status: 'all',
    limit: 3,
    expand: ['data.latest_invoice', 'data.items.data.price.product'],
  });
  expect(all.data[0]).toMatchObject({
    status: 'canceled',
    metadata: { userId: 'u9' },
    latest_invoice: { status: 'paid' },
    items: { data: [{ price: { product: { name: 'Basic' } } }] },
  });
});
