/** Customers, products, prices and cards: create, update, list, and errors, through Stripe's SDK. */
import Stripe from 'stripe';
import { describe, expect } from 'vitest';
import { clientOf, idOf, makePlans, refusal, testWithServer as test } from './harness.ts';

describe('customers', () => {
  test('are created, read, updated and deleted', async ({ stripe }) => {
    const made = await stripe.customers.create({
      email: 'a@example.com',
      metadata: { userId: 'u1', x: '1' },
    });
    expect(made.lastResponse.requestId).toMatch(/^req_/);
    const changed = await stripe.customers.update(made.id, { name: 'Ann', metadata: { x: '' } });
    expect(changed).toMatchObject({ email: 'a@example.com', name: 'Ann', metadata: { userId: 'u1' } });
    expect(await stripe.customers.del(made.id)).toMatchObject({ id: made.id, deleted: true });
    expect(await stripe.customers.retrieve(made.id)).toMatchObject({ id: made.id, deleted: true });
    expect(await refusal(stripe.customers.update(made.id, { name: 'B' }))).toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    });
  });

  test('are found by email address', async ({ stripe }) => {
    const one = await stripe.customers.create({ email: 'find@example.com' });
    await stripe.customers.create({ email: 'other@example.com' });
    const found = await stripe.customers.list({ email: 'find@example.com' });
    expect(found.data.map(({ id }) => id)).toEqual([one.id]);
  });

  test('are listed page by page, newest first', async ({ stripe }) => {
    const ids: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      ids.unshift((await stripe.customers.create({ email: 'page@example.com' })).id);
    }
    const first = await stripe.customers.list({ email: 'page@example.com', limit: 3 });
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 3));
    expect(first.has_more).toBe(true);
    const all: string[] = [];
    for await (const each of stripe.customers.list({ email: 'page@example.com', limit: 3 }))
      all.push(each.id);
    expect(all).toEqual(ids);
  });
});

describe('the catalogue', () => {
  test('accepts custom ids, each once', async ({ stripe }) => {
    const product = await stripe.products.create({ id: 'packshot_basic', name: 'Basic' });
    expect(product.id).toBe('packshot_basic');
    const error = await refusal(stripe.products.create({ id: 'packshot_basic', name: 'Again' }));
    expect(error).toMatchObject({ statusCode: 400, code: 'resource_already_exists' });
    const renamed = await stripe.products.update(product.id, { name: 'Basic plan', active: false });
    expect(renamed).toMatchObject({ name: 'Basic plan', active: false });
  });

  test('lists prices by lookup key, with expanded products', async ({ stripe }) => {
    const { basic, pro } = await makePlans(stripe);
    const product = typeof pro.product === 'string' ? pro.product : pro.product.id;
    const make = (transfer_lookup_key: boolean) =>
      stripe.prices.create({
        product,
        unit_amount: 2500,
        currency: 'usd',
        recurring: { interval: 'month' },
        lookup_key: 'pro_other',
        transfer_lookup_key,
      });
    const first = await make(false);
    expect((await refusal(make(false))).param).toBe('lookup_key');
    const second = await make(true);
    const found = await stripe.prices.list({ lookup_keys: ['pro_other'], expand: ['data.product'] });
    expect(found.data.map(({ id }) => id)).toEqual([second.id]);
    expect(found.data[0]?.product).toMatchObject({ object: 'product', name: 'Pro' });
    expect((await stripe.prices.retrieve(first.id)).lookup_key).toBeNull();
    expect(basic.unit_amount_decimal?.toString()).toBe('1000');
  });
});

describe('cards', () => {
  test('are attached and listed', async ({ stripe }) => {
    const customer = await stripe.customers.create();
    const visa = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
    const master = await stripe.paymentMethods.attach('pm_card_mastercard', { customer: customer.id });
    expect(visa.card).toMatchObject({ brand: 'visa', last4: '4242' });
    const listed = await stripe.paymentMethods.list({ customer: customer.id });
    expect(listed.data.map(({ id }) => id)).toEqual([master.id, visa.id]);
  });

  test('that are declined cause card errors', async ({ stripe }) => {
    const customer = await stripe.customers.create();
    const error = await refusal(
      stripe.paymentMethods.attach('pm_card_chargeDeclined', { customer: customer.id }),
    );
    expect(error).toBeInstanceOf(Stripe.errors.StripeCardError);
    expect(error).toMatchObject({
      statusCode: 402,
      type: 'StripeCardError',
      code: 'card_declined',
      decline_code: 'generic_decline',
    });
    expect((await stripe.paymentMethods.list({ customer: customer.id })).data).toHaveLength(0);
  });
});

describe('errors', () => {
  test('name the missing, unknown or invalid parameter', async ({ stripe }) => {
    const { basic } = await makePlans(stripe);
    // @ts-expect-error the name is required
    expect(await refusal(stripe.products.create({}))).toMatchObject({
      code: 'parameter_missing',
      param: 'name',
    });
    // @ts-expect-error no such parameter
    expect(await refusal(stripe.customers.create({ emial: 'x' }))).toMatchObject({
      code: 'parameter_unknown',
      param: 'emial',
    });
    expect(
      await refusal(
        stripe.checkout.sessions.create({
          mode: 'subscription',
          customer: 'x',
          success_url: 'https://app.example/ok',
          line_items: [{ price: basic.id, quantity: 1.5 }],
        }),
      ),
    ).toMatchObject({ code: 'parameter_invalid_integer', param: 'line_items[0][quantity]' });
    expect(await refusal(stripe.prices.retrieve('price_none'))).toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
      message: "No such price: 'price_none'",
    });
    expect(await refusal(stripe.customers.list({ expand: ['data.email'] }))).toMatchObject({
      statusCode: 400,
    });
  });

  test('for keys that are not test keys are authentication errors', async ({ server }) => {
    const error = await refusal(clientOf(server, 'sk_live_nothing').customers.list());
    expect(error).toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
    expect(error.requestId).toMatch(/^req_/);
  });

  test('for unknown paths name the path', async ({ stripe }) => {
    expect(await refusal(stripe.payouts.list())).toMatchObject({ statusCode: 404 });
  });

  test('refuse what Stripe has and this server does not', async ({ stripe }) => {
    const { basic } = await makePlans(stripe);
    const price = { product: idOf(basic.product), unit_amount: 1, currency: 'usd' };
    const items = [{ price: basic.id }];
    const checkout = {
      mode: 'subscription',
      customer: 'x',
      line_items: items,
      success_url: 'https://app.example',
    } as const;
    const calls: [Promise<unknown>, string][] = [
      [stripe.customers.create({ address: { city: 'Rome' } }), 'address'],
      [stripe.prices.create({ ...price, recurring: { interval: 'year' } }), 'recurring[interval]'],
      [stripe.products.create({ name: 'x', tax_code: 'txcd_1' }), 'tax_code'],
      [
        stripe.subscriptions.create({ customer: 'x', items, payment_behavior: 'error_if_incomplete' }),
        'payment_behavior',
      ],
      [stripe.subscriptions.update('x', { trial_end: 'now' }), 'trial_end'],
      [stripe.subscriptions.update('x', { payment_behavior: 'pending_if_incomplete' }), 'payment_behavior'],
      [stripe.checkout.sessions.create({ ...checkout, customer_email: 'a@example.com' }), 'customer_email'],
      [
        stripe.checkout.sessions.create({ ...checkout, subscription_data: { trial_period_days: 7 } }),
        'subscription_data[trial_period_days]',
      ],
      [
        stripe.billingPortal.configurations.create({
          features: { customer_update: { enabled: true, allowed_updates: ['email'] } },
        }),
        'features[customer_update][allowed_updates]',
      ],
      [stripe.subscriptions.create({ customer: 'x', trial_end: 'now' }), 'items'],
      [
        stripe.subscriptions.create({ customer: 'x', items: [{ price: basic.id, quantity: 2 }] }),
        'items[0][quantity]',
      ],
    ];
    for (const [call, param] of calls) {
      expect(await refusal(call)).toMatchObject({ statusCode: 400, param });
    }
  });
});
