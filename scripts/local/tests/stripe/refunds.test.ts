/** Refunds, disputes, and the links from an invoice to its charge. */
import { expect } from 'vitest';
import { idOf, makePayer, refusal, subscribe, testWithServer } from './harness.ts';

const test = testWithServer
  // Makes a customer who has paid for a month, with the invoice and its charge.
  .extend('paid', ({ stripe, plans }) => async () => {
    const { customer } = await subscribe(stripe, plans.pro);
    const id = idOf(customer);
    const invoices = await stripe.invoices.list({ customer: id, status: 'paid', expand: ['data.payments'] });
    const [invoice] = invoices.data;
    const [payment] = invoice!.payments!.data;
    expect(payment).toMatchObject({ status: 'paid', payment: { type: 'payment_intent' } });
    const intent = idOf(payment!.payment.payment_intent);
    const charges = await stripe.charges.list({ customer: id });
    expect(charges.data).toHaveLength(1);
    return { customer: id, intent, charge: charges.data[0]! };
  })
  .extend('typesAbout', ({ stripe }) => async (customer: string) => {
    const events = await stripe.events.list({ limit: 100 });
    return events.data
      .filter(({ data }) => (data.object as { customer?: string }).customer === customer)
      .map(({ type }) => type)
      .reverse();
  });

test('a payment creates a charge of the invoice’s amount, listed by customer', async ({
  stripe,
  paid,
  typesAbout,
}) => {
  const { customer, intent, charge } = await paid();
  expect(charge).toMatchObject({
    object: 'charge',
    amount: 3000,
    amount_captured: 3000,
    amount_refunded: 0,
    captured: true,
    currency: 'usd',
    customer,
    disputed: false,
    paid: true,
    payment_intent: intent,
    payment_method_details: { type: 'card', card: { brand: 'visa', last4: '4242' } },
    refunded: false,
    status: 'succeeded',
  });
  expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ id: charge.id, customer });
  expect((await stripe.charges.list({ customer })).data.map(({ id }) => id)).toEqual([charge.id]);
  expect(await typesAbout(customer)).toContain('charge.succeeded');
});

test('a declined payment creates a failed charge', async ({ stripe, plans }) => {
  const payer = await makePayer(stripe, 'pm_card_chargeCustomerFail');
  await stripe.subscriptions.create({ customer: payer.id, items: [{ price: plans.pro.id }] });
  const { data } = await stripe.charges.list({ customer: payer.id });
  expect(data).toMatchObject([
    { status: 'failed', paid: false, amount_captured: 0, failure_code: 'card_declined' },
  ]);
  expect((await refusal(stripe.refunds.create({ charge: data[0]!.id }))).statusCode).toBe(400);
});

test('a charge is refunded in part, then in full, and no further', async ({ stripe, paid, typesAbout }) => {
  const { customer, intent, charge } = await paid();
  const part = await stripe.refunds.create({ charge: charge.id, amount: 1000 });
  expect(part).toMatchObject({
    object: 'refund',
    amount: 1000,
    charge: charge.id,
    currency: 'usd',
    customer,
    payment_intent: intent,
    status: 'succeeded',
  });
  expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 1000, refunded: false });
  const tooMuch = await refusal(stripe.refunds.create({ charge: charge.id, amount: 2001 }));
  expect(tooMuch).toMatchObject({ statusCode: 400, type: 'StripeInvalidRequestError' });
  expect(tooMuch.message).toMatch(/greater than unrefunded amount/);
  // The default amount is everything that is left.
  const rest = await stripe.refunds.create({ charge: charge.id });
  expect(rest.amount).toBe(2000);
  expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 3000, refunded: true });
  expect(await refusal(stripe.refunds.create({ charge: charge.id }))).toMatchObject({
    statusCode: 400,
    code: 'charge_already_refunded',
  });
  const types = await typesAbout(customer);
  expect(types.slice(-4)).toEqual(['refund.created', 'charge.refunded', 'refund.created', 'charge.refunded']);
});

test('invalid refunds are rejected', async ({ stripe, paid }) => {
  const { charge } = await paid();
  expect((await refusal(stripe.refunds.create({}))).code).toBe('parameter_missing');
  expect(await refusal(stripe.refunds.create({ charge: 'ch_nobody' }))).toMatchObject({
    code: 'resource_missing',
    param: 'charge',
  });
  for (const amount of [0, -1]) {
    expect((await refusal(stripe.refunds.create({ charge: charge.id, amount }))).statusCode).toBe(400);
  }
  expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 0 });
});

test('a refund rejected by the bank fails, and the charge counts as paid again', async ({
  stripe,
  control,
  paid,
  typesAbout,
}) => {
  const { customer, charge } = await paid();
  const { id } = await stripe.refunds.create({ charge: charge.id });
  await control.failRefund(id);
  const [failed] = (await stripe.events.list({ type: 'refund.failed' })).data;
  expect(failed?.data.object).toMatchObject({ id, status: 'failed', failure_reason: 'unknown' });
  expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 0, refunded: false });
  expect(await typesAbout(customer)).toContain('refund.failed');
});

test('disputes are won and lost', async ({ stripe, control, paid }) => {
  const { intent, charge } = await paid();
  const disputeOf = async (of: string) => (await stripe.disputes.list({ charge: of })).data;
  const { dispute: first } = await control.dispute(charge.id);
  expect(await disputeOf(charge.id)).toMatchObject([
    {
      id: first,
      object: 'dispute',
      amount: 3000,
      charge: charge.id,
      payment_intent: intent,
      reason: 'fraudulent',
      status: 'needs_response',
    },
  ]);
  expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ disputed: true, refunded: false });
  await control.closeDispute(first, 'won');
  expect(await disputeOf(charge.id)).toMatchObject([{ status: 'won' }]);
  // A charge stays marked as disputed.
  expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ disputed: true });

  const other = await paid();
  const { dispute: second } = await control.dispute(other.charge.id, { amount: 500 });
  await control.closeDispute(second, 'lost');
  expect(await disputeOf(other.charge.id)).toMatchObject([{ id: second, status: 'lost', amount: 500 }]);
  await expect(control.closeDispute(second, 'lost')).rejects.toThrow('already closed');
  const about = async (id: string) => {
    const events = await stripe.events.list({ limit: 100 });
    return events.data
      .filter(({ data }) => (data.object as { id?: string }).id === id)
      .map(({ type }) => type)
      .reverse();
  };
  expect(await about(first)).toEqual([
    'charge.dispute.created',
    'charge.dispute.funds_withdrawn',
    'charge.dispute.closed',
    'charge.dispute.funds_reinstated',
  ]);
  expect(await about(second)).toEqual([
    'charge.dispute.created',
    'charge.dispute.funds_withdrawn',
    'charge.dispute.closed',
  ]);
});

test('an inquiry withdraws no money, and a charge can be disputed only once', async ({
  stripe,
  control,
  paid,
}) => {
  const { charge } = await paid();
  const { dispute } = await control.dispute(charge.id, { inquiry: true });
  const { data } = await stripe.disputes.list({ charge: charge.id });
  expect(data).toMatchObject([{ id: dispute, status: 'warning_needs_response' }]);
  await expect(control.dispute(charge.id)).rejects.toThrow(/already disputed/);
});

test('charges, invoices and subscriptions of a deleted customer can still be read', async ({
  stripe,
  paid,
}) => {
  const { customer, charge } = await paid();
  await stripe.customers.del(customer);
  expect((await stripe.subscriptions.list({ customer, status: 'all' })).data).toMatchObject([
    { status: 'canceled' },
  ]);
  expect((await stripe.invoices.list({ customer, expand: ['data.payments'] })).data).toHaveLength(1);
  expect((await stripe.charges.list({ customer })).data).toHaveLength(1);
  expect(await stripe.refunds.create({ charge: charge.id })).toMatchObject({ status: 'succeeded' });
});
