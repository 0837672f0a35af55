/** Previews of invoices, and what amounts are made of: prorations, coupons, tax, and the customer's balance. */
import fc from 'fast-check';
import type Stripe from 'stripe';
import { describe, expect } from 'vitest';
import { idOf, itemOf, refusal, subscribe, testWithServer } from './harness.ts';

const test = testWithServer
  .extend('taxedPlans', { scope: 'file' }, async ({ stripe, plans }) => {
    const taxed = async (price: Stripe.Price, tax_behavior: 'exclusive' | 'inclusive') =>
      stripe.prices.create({
        product: idOf(price.product),
        currency: 'usd',
        unit_amount: price.unit_amount!,
        recurring: { interval: 'month' },
        tax_behavior,
      });
    return {
      exclusive: [await taxed(plans.basic, 'exclusive'), await taxed(plans.pro, 'exclusive')],
      inclusive: [await taxed(plans.basic, 'inclusive'), await taxed(plans.pro, 'inclusive')],
    } as const;
  })
  .extend(
    'preview',
    ({ stripe }) =>
      (
        { id, items }: Stripe.Subscription,
        price: Stripe.Price,
        details: Partial<Stripe.InvoiceCreatePreviewParams.SubscriptionDetails> = {},
        more: Partial<Stripe.InvoiceCreatePreviewParams> = {},
      ) =>
        stripe.invoices.createPreview({
          subscription: id,
          subscription_details: {
            items: [{ id: items.data[0]!.id, price: price.id }],
            proration_behavior: 'always_invoice',
            ...details,
          },
          ...more,
        }),
  )
  .extend(
    'upgrade',
    ({ stripe }) =>
      async (
        { id, items }: Stripe.Subscription,
        price: Stripe.Price,
        params: Partial<Stripe.SubscriptionUpdateParams> = {},
      ) => {
        const { latest_invoice: invoice } = await stripe.subscriptions.update(id, {
          items: [{ id: items.data[0]!.id, price: price.id }],
          proration_behavior: 'always_invoice',
          payment_behavior: 'error_if_incomplete',
          expand: ['latest_invoice'],
          ...params,
        });
        return invoice as Stripe.Invoice;
      },
  );

test.beforeEach(({ control }) => control.reset());

const germany = { address: { country: 'DE' } };

/** The amounts of an invoice, without what only a final one has. */
function amountsOf(invoice: Stripe.Invoice) {
  const { amount_due, subtotal, total, total_excluding_tax, starting_balance, total_taxes, lines } = invoice;
  return {
    amount_due,
    subtotal,
    total,
    total_excluding_tax,
    starting_balance,
    total_taxes,
    lines: lines.data.map(({ amount, taxes, period }) => ({ amount, taxes, period })),
  };
}

describe('the preview of an upgrade', () => {
  test('has the prorations only, with the time that they were computed for', async ({
    plans,
    stripe,
    preview,
  }) => {
    const subscription = await subscribe(stripe, plans.basic);
    const { current_period_start: start, current_period_end: end } = itemOf(subscription);
    const proration_date = end - (end - start) / 4;
    const invoice = await preview(subscription, plans.pro, { proration_date });
    expect(invoice).toMatchObject({
      id: expect.stringMatching(/^upcoming_in_/),
      amount_due: 500,
      ending_balance: null,
      parent: { subscription_details: { subscription_proration_date: proration_date } },
    });
    expect(
      invoice.lines.data.map(({ amount, parent }) => [amount, parent?.subscription_item_details?.proration]),
    ).toEqual([
      [-250, true],
      [750, true],
    ]);
    const [listed] = (await stripe.invoices.list({ customer: idOf(subscription.customer) })).data;
    expect(listed!.id).toBe(idOf(subscription.latest_invoice));
  });

  test('is what is charged with the same time, whatever discount, tax and balance', async ({
    stripe,
    taxedPlans,
    plans,
    preview,
    upgrade,
  }) => {
    const coupons = [
      await stripe.coupons.create({ percent_off: 33.3, duration: 'forever' }),
      await stripe.coupons.create({ percent_off: 50, duration: 'once' }),
      await stripe.coupons.create({
        amount_off: 317,
        currency: 'usd',
        duration: 'repeating',
        duration_in_months: 2,
      }),
      await stripe.coupons.create({ percent_off: 100, duration: 'forever' }),
    ];
    const shape = fc.record({
      prices: fc.constantFrom('exclusive' as const, 'inclusive' as const, 'untaxed' as const),
      country: fc.constantFrom('DE', 'HU', 'CH', 'FI', 'US'),
      vatId: fc.boolean(),
      coupon: fc.option(fc.constantFrom(...coupons), { nil: undefined }),
      isCouponAtStart: fc.boolean(),
      balance: fc.constantFrom(0, -200, -40_000, 130),
      second: fc.integer({ min: 0, max: 27 * 86_400 }),
    });
    await fc.assert(
      fc.asyncProperty(
        shape,
        async ({ prices, country, vatId, coupon, isCouponAtStart, balance, second }) => {
          const pair = prices === 'untaxed' ? [plans.basic, plans.pro] : taxedPlans[prices];
          const customer = await stripe.customers.create({ address: { country } });
          if (vatId)
            await stripe.customers.createTaxId(customer.id, { type: 'eu_vat', value: 'DE123456789' });
          const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
          const discounts = coupon ? [{ coupon: coupon.id }] : [];
          const subscription = await stripe.subscriptions.create({
            customer: customer.id,
            items: [{ price: pair[0]!.id }],
            default_payment_method: card.id,
            automatic_tax: { enabled: prices !== 'untaxed' },
            ...(isCouponAtStart && discounts.length > 0 && { discounts }),
          });
          if (!isCouponAtStart && coupon) await stripe.subscriptions.update(subscription.id, { discounts });
          await stripe.customers.update(customer.id, { balance });
          const proration_date = itemOf(subscription).current_period_start + second;
          const shown = await preview(subscription, pair[1]!, { proration_date });
          const charged = await upgrade(subscription, pair[1]!, { proration_date });
          expect(amountsOf(charged)).toEqual(amountsOf(shown));
          expect(charged).toMatchObject({ status: 'paid', amount_paid: shown.amount_due });
          const after = (await stripe.customers.retrieve(customer.id)) as Stripe.Customer;
          expect(after.balance).toBe(balance + shown.total - shown.amount_due);
          const [newest] = (await stripe.charges.list({ customer: customer.id })).data;
          if (shown.amount_due > 0) expect(newest!.amount).toBe(shown.amount_due);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('credits what was paid, not what the plan costs', async ({ plans, stripe, preview, control }) => {
    const { id: coupon } = await stripe.coupons.create({ percent_off: 100, duration: 'once' });
    const creditOf = async () => {
      const subscription = await subscribe(stripe, plans.basic, { discounts: [{ coupon }] });
      expect(subscription.discounts).toEqual([]);
      const { current_period_start: proration_date } = itemOf(subscription);
      return (await preview(subscription, plans.pro, { proration_date })).lines.data[0]!.amount;
    };
    expect(await creditOf()).toBe(0);
    await control.set({ billingMode: 'classic' });
    expect(await creditOf()).toBe(-plans.basic.unit_amount!);
  });
});

describe('the preview of the renewal', () => {
  test('has the new price in full, with its tax; a cancelled plan has one only if it is resumed', async ({
    stripe,
    taxedPlans,
    preview,
    control,
  }) => {
    const [small, large] = taxedPlans.exclusive;
    const subscription = await subscribe(stripe, small);
    await stripe.customers.update(idOf(subscription.customer), germany);
    await stripe.subscriptions.update(subscription.id, { automatic_tax: { enabled: true } });
    const price = large.unit_amount!;
    const renewal = await preview(subscription, large, { proration_behavior: 'none' });
    expect(renewal).toMatchObject({
      subtotal: price,
      total: price * 1.19,
      total_taxes: [{ amount: price * 0.19, taxability_reason: 'standard_rated', taxable_amount: price }],
      automatic_tax: { enabled: true, status: 'complete' },
    });
    await control.cancelAtPeriodEnd(subscription.id);
    expect(await refusal(preview(subscription, large, { proration_behavior: 'none' }))).toMatchObject({
      code: 'invoice_upcoming_none',
    });
    const resumed = await preview(subscription, large, { proration_behavior: 'none', cancel_at: '' });
    expect(resumed.total).toBe(renewal.total);
  });

  test('has the price of the phase that begins then', async ({ stripe, plans }) => {
    const subscription = await subscribe(stripe, plans.pro);
    const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
    const { start_date, end_date } = schedule.phases[0]!;
    await stripe.subscriptionSchedules.update(schedule.id, {
      end_behavior: 'release',
      proration_behavior: 'none',
      phases: [
        { items: [{ price: plans.pro.id }], start_date, end_date },
        { items: [{ price: plans.basic.id }], duration: { interval: 'month', interval_count: 1 } },
      ],
    });
    const renewal = await stripe.invoices.createPreview({ subscription: subscription.id });
    expect(renewal.amount_due).toBe(plans.basic.unit_amount);
  });
});

test('tax: included, none outside, reversed for a business; without an address it is refused', async ({
  stripe,
  taxedPlans,
}) => {
  const [price] = taxedPlans.inclusive;
  const invoiceFor = async (country: string | undefined, vatId?: string) => {
    const customer = await stripe.customers.create(country === undefined ? {} : { address: { country } });
    if (vatId) await stripe.customers.createTaxId(customer.id, { type: 'eu_vat', value: vatId });
    const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
    const { latest_invoice: invoice } = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: price.id }],
      default_payment_method: card.id,
      automatic_tax: { enabled: true },
      expand: ['latest_invoice'],
    });
    return invoice as Stripe.Invoice;
  };
  const amount = price.unit_amount!;
  expect(await invoiceFor('FR')).toMatchObject({
    total: amount,
    total_taxes: [{ amount: Math.round(amount / 6), tax_behavior: 'inclusive' }],
  });
  expect(await invoiceFor('US')).toMatchObject({
    total_taxes: [{ amount: 0, taxability_reason: 'not_collecting' }],
  });
  expect(await invoiceFor('FR', 'FR 12345678901')).toMatchObject({
    total_taxes: [{ amount: 0, taxability_reason: 'reverse_charge' }],
    customer_tax_ids: [{ type: 'eu_vat', value: 'FR12345678901' }],
  });
  expect(await refusal(invoiceFor('FR', '12345678901'))).toMatchObject({ code: 'tax_id_invalid' });
  expect(await refusal(invoiceFor(undefined))).toMatchObject({ code: 'customer_tax_location_invalid' });
});

test('less than the smallest charge is owed with the next invoice; a voided one gives its credit back', async ({
  stripe,
  plans,
  upgrade,
  control,
}) => {
  const subscription = await subscribe(stripe, plans.basic);
  const customer = idOf(subscription.customer);
  const balance = async () => ((await stripe.customers.retrieve(customer)) as Stripe.Customer).balance;
  const { current_period_start: proration_date } = itemOf(subscription);
  const difference = plans.pro.unit_amount! - plans.basic.unit_amount!;
  await stripe.customers.update(customer, { balance: 30 - difference });
  expect(await upgrade(subscription, plans.pro, { proration_date })).toMatchObject({
    status: 'paid',
    amount_paid: 0,
    ending_balance: 30,
  });
  expect(await balance()).toBe(30);

  await stripe.customers.update(customer, { balance: -100 });
  await control.setCard(customer, '4000000000000341');
  await control.advance({ months: 1 });
  const [open] = (await stripe.invoices.list({ customer, status: 'open' })).data;
  expect([open!.amount_due, await balance()]).toEqual([plans.pro.unit_amount! - 100, 0]);
  await stripe.invoices.voidInvoice(open!.id!);
  expect(await balance()).toBe(-100);
});

describe('refused, as at Stripe:', () => {
  test('old names, times outside the period, and what does not go together', async ({
    stripe,
    plans,
    preview,
  }) => {
    const subscription = await subscribe(stripe, plans.basic);
    const { id: item, current_period_start: start, current_period_end: end } = itemOf(subscription);
    const details = {
      items: [{ id: item, price: plans.pro.id }],
      proration_behavior: 'always_invoice' as const,
    };
    const refused: [Record<string, unknown>, string][] = [
      [{ subscription_proration_date: start, subscription_details: details }, 'subscription_proration_date'],
      [{ subscription_items: details.items }, 'subscription_items'],
      [{ subscription_details: { ...details, proration_date: start - 1 } }, 'proration_date'],
      [{ subscription_details: { ...details, proration_date: end + 1 } }, 'proration_date'],
      [{ subscription_details: { proration_date: start } }, 'subscription_details[proration_date]'],
      [
        { subscription_details: { ...details, proration_behavior: 'none', proration_date: start } },
        'proration_date',
      ],
      [{ subscription_details: { ...details, cancel_at: '', cancel_at_period_end: false } }, 'cancel_at'],
      [
        { subscription_details: { ...details, items: [{ price: plans.pro.id }] } },
        'subscription_details[items][0][id]',
      ],
      [{ discounts: [{ discount: 'di_other' }] }, 'discounts'],
      [{ subscription: 'sub_unknown' }, 'subscription'],
    ];
    for (const [params, param] of refused) {
      const call = stripe.invoices.createPreview({
        subscription: subscription.id,
        ...params,
      } as Stripe.InvoiceCreatePreviewParams);
      expect([params, (await refusal(call)).param]).toEqual([params, param]);
    }
    const now = { billing_cycle_anchor: { type: 'now' }, proration_behavior: 'none' };
    for (const more of [now, { proration_behavior: 'none' }, { items: '' }]) {
      const update = stripe.subscriptions.update(subscription.id, {
        ...details,
        proration_date: start,
        ...more,
      } as Stripe.SubscriptionUpdateParams);
      expect((await refusal(update)).param).toBe('proration_date');
    }
    await stripe.subscriptions.cancel(subscription.id);
    expect((await refusal(preview(subscription, plans.pro))).code).toBe('invoice_upcoming_none');
  });

  test('coupons that do not exist, or say too much or too little', async ({ stripe, plans }) => {
    const subscription = await subscribe(stripe, plans.basic);
    const redeem = (coupon: string) =>
      stripe.subscriptions.update(subscription.id, { discounts: [{ coupon }] });
    expect(await refusal(redeem('HALF'))).toMatchObject({ code: 'resource_missing' });
    const { id } = await stripe.coupons.create({ amount_off: 100, currency: 'eur', duration: 'once' });
    expect(await refusal(redeem(id))).toMatchObject({ type: 'StripeInvalidRequestError' });
    for (const params of [
      {},
      { percent_off: 10, amount_off: 10, currency: 'usd' },
      { percent_off: 101 },
      { amount_off: 10 },
      { percent_off: 10, duration: 'repeating' as const },
    ]) {
      expect(await refusal(stripe.coupons.create(params))).toMatchObject({
        type: 'StripeInvalidRequestError',
      });
    }
  });
});
