/** Webhooks: signatures that the SDK accepts, retries, order and duplicates. */
import Stripe from 'stripe';
import { describe, expect } from 'vitest';
import {
  idOf,
  itemOf,
  makePlans,
  type Receiver,
  startReceiver,
  startTestServer,
  subscribe,
  testWithNewServer,
} from './harness.ts';

const test = testWithNewServer().extend('receiver', async ({ stripe }, { onCleanup }) => {
  const receiver = await startReceiver(stripe);
  onCleanup(() => receiver.close());
  return receiver;
});

const typesOf = (receiver: Receiver) => receiver.received.map(({ event }) => event.type);
const idsOf = (receiver: Receiver) => receiver.received.map(({ event }) => event.id);
const nowInSeconds = () => Date.now() / 1000;

describe('an event', () => {
  test('contains the object, the request and the previous attributes', async ({
    stripe,
    control,
    receiver,
  }) => {
    const customer = await stripe.customers.create({ email: 'a@example.com' }, { idempotencyKey: 'e1' });
    await stripe.customers.update(customer.id, { email: 'b@example.com', metadata: { userId: 'u1' } });
    await control.settled();
    const [created, updated] = receiver.received.map(({ event }) => event);
    expect(created).toMatchObject({
      type: 'customer.created',
      api_version: '2026-10-28.endive',
      livemode: false,
      pending_webhooks: 1,
      request: { id: customer.lastResponse.requestId, idempotency_key: 'e1' },
      data: { object: { id: customer.id, email: 'a@example.com' } },
    });
    expect(updated).toMatchObject({ type: 'customer.updated' });
    expect(updated?.data.previous_attributes).toEqual({
      email: 'a@example.com',
      metadata: { userId: null },
    });
    const [listed] = (await stripe.events.list({ type: 'customer.updated' })).data;
    expect(listed).toMatchObject({ id: updated?.id, pending_webhooks: 0 });
  });

  test('is signed with real time even when the clock is ahead', async ({ stripe, control, receiver }) => {
    const { basic } = await makePlans(stripe);
    await subscribe(stripe, basic);
    await control.advance({ months: 3 });
    const last = receiver.received.at(-1);
    expect(last?.event.created).toBeGreaterThan(nowInSeconds() + 80 * 86_400);
    const time = Number(/^t=(\d+),v1=[0-9a-f]{64}$/.exec(last?.signature ?? '')?.[1]);
    expect(Math.abs(time - nowInSeconds())).toBeLessThan(20);
    const forged = () =>
      stripe.webhooks.constructEvent(`${last?.body} `, last?.signature ?? '', receiver.secret);
    expect(forged).toThrow(Stripe.errors.StripeSignatureVerificationError);
  });

  test('is created for every change of a subscription, in order', async ({ stripe, control, receiver }) => {
    const { basic } = await makePlans(stripe);
    const subscription = await subscribe(stripe, basic);
    await control.settled();
    const begun = typesOf(receiver).slice(typesOf(receiver).indexOf('customer.subscription.created'));
    expect(begun).toEqual([
      'customer.subscription.created',
      'customer.updated',
      'invoice.created',
      'invoice.finalized',
      'charge.succeeded',
      'payment_intent.succeeded',
      'invoice.updated',
      'invoice.paid',
      'invoice.payment_succeeded',
      'customer.subscription.updated',
    ]);
    const updated = receiver.received.at(-1)?.event;
    expect(updated?.data.previous_attributes).toEqual({ status: 'incomplete' });
    receiver.received.length = 0;
    await control.setCard(idOf(subscription.customer), '4000000000000341');
    await control.advance({ to: itemOf(subscription).current_period_end });
    expect(typesOf(receiver)).toEqual([
      'payment_method.attached',
      'customer.updated',
      'invoice.created',
      'invoice.finalized',
      'customer.subscription.updated',
      'charge.failed',
      'payment_intent.payment_failed',
      'invoice.updated',
      'invoice.payment_failed',
      'invoice.updated',
      'customer.subscription.updated',
    ]);
    const renewal = receiver.received[4]?.event.data.previous_attributes as Partial<Stripe.Subscription>;
    expect(renewal.items?.data[0]?.current_period_end).toBe(itemOf(subscription).current_period_end);
  });

  test('goes only to enabled endpoints that are subscribed to its type', async ({
    stripe,
    control,
    receiver,
  }) => {
    const picky = await startReceiver(stripe, ['customer.deleted']);
    const customer = await stripe.customers.create();
    await stripe.customers.del(customer.id);
    await control.settled();
    expect(typesOf(picky)).toEqual(['customer.deleted']);
    expect(typesOf(receiver)).toEqual(['customer.created', 'customer.deleted']);
    const disabled = await stripe.webhookEndpoints.update(receiver.id, { disabled: true });
    expect(disabled).toMatchObject({ status: 'disabled' });
    expect(disabled.secret).toBeUndefined();
    await stripe.customers.create();
    await control.settled();
    expect(receiver.received).toHaveLength(2);
    await stripe.webhookEndpoints.del(picky.id);
    expect((await stripe.webhookEndpoints.list()).data.map(({ id }) => id)).toEqual([receiver.id]);
    await picky.close();
  });
});

describe('a delivery', () => {
  test('is retried until the endpoint accepts it', async ({ stripe, control, receiver }) => {
    receiver.answers.push(500, 302, 404);
    const customer = await stripe.customers.create();
    await control.settled();
    expect(receiver.received).toHaveLength(1);
    const [delivery] = await control.deliveries();
    expect(delivery).toMatchObject({ state: 'delivered', type: 'customer.created' });
    expect(delivery?.attempts.map(({ status }) => status)).toEqual([500, 302, 404, 200]);
    const [first, second, third, fourth] = (delivery?.attempts ?? []).map(({ at }) => at) as number[];
    const waits = [second! - first!, third! - second!, fourth! - third!];
    // The first delay is 20 ms here; each further one is twice as long.
    expect(waits[0]).toBeGreaterThanOrEqual(19);
    expect(waits[1]).toBeGreaterThanOrEqual(39);
    expect(waits[2]).toBeGreaterThanOrEqual(79);
    expect(receiver.received[0]?.event.data.object).toMatchObject({ id: customer.id });
  });

  test('fails permanently after the last attempt', async ({ stripe, control, receiver }) => {
    receiver.answers.push(...Array<number>(8).fill(503));
    await stripe.customers.create({ email: 'lost@example.com' });
    expect(await control.settled()).toEqual({ pending: 0 });
    const [delivery] = await control.deliveries();
    expect(delivery).toMatchObject({ state: 'given-up' });
    expect(delivery?.attempts).toHaveLength(8);
  });

  test('does not block later deliveries', async ({ stripe, control, receiver }) => {
    receiver.answers.push(500);
    const one = await stripe.customers.create();
    const two = await stripe.customers.create();
    await control.settled();
    const order = receiver.received.map(({ event }) => (event.data.object as Stripe.Customer).id);
    expect(order).toEqual([two.id, one.id]);
  });
});

describe('a test can', () => {
  const makeFive = async (stripe: Stripe) => {
    for (let count = 0; count < 5; count += 1) await stripe.customers.create();
    const { data } = await stripe.events.list({ type: 'customer.created' });
    return data.map(({ id }) => id).reverse();
  };

  test('hold webhooks and release them', async ({ stripe, control, receiver }) => {
    await control.set({ webhooks: { hold: true } });
    const ids = await makeFive(stripe);
    expect((await control.state()).webhooks.pending).toBe(5);
    expect(await control.advance({ seconds: 60 })).toHaveProperty('now');
    expect(receiver.received).toHaveLength(0);
    await control.set({ webhooks: { hold: false } });
    await control.settled();
    expect(idsOf(receiver)).toEqual(ids);
  });

  test('shuffle them reproducibly with a seed', async () => {
    const run = async (seed: number) => {
      const own = await startTestServer();
      const other = await startReceiver(own.stripe);
      await own.control.set({ webhooks: { hold: true } });
      for (let count = 0; count < 6; count += 1) await own.stripe.customers.create({ name: String(count) });
      await own.control.set({ webhooks: { hold: false, order: { shuffle: seed } } });
      await own.control.settled();
      const names = other.received.map(({ event }) => (event.data.object as Stripe.Customer).name);
      await other.close();
      await own.server.close();
      return names.join('');
    };
    const [first, again, different] = [await run(7), await run(7), await run(8)];
    expect(first).toBe(again);
    expect(different).not.toBe(first);
    expect([...first].sort().join('')).toBe('012345');
  });

  test('deliver each several times', async ({ stripe, control, receiver }) => {
    await control.set({ webhooks: { hold: true, copies: 3 } });
    const ids = await makeFive(stripe);
    await control.set({ webhooks: { hold: false, parallel: 4 } });
    await control.settled();
    expect(idsOf(receiver).sort()).toEqual(ids.flatMap((id) => [id, id, id]).sort());
  });
});

test('events are listed by type', async ({ stripe, control }) => {
  const { basic } = await makePlans(stripe);
  await subscribe(stripe, basic);
  await control.advance({ months: 1 });
  const [renewal] = (await stripe.events.list({ type: 'invoice.paid' })).data;
  expect(renewal?.data.object).toMatchObject({ billing_reason: 'subscription_cycle' });
  expect((await stripe.events.list({ type: 'product.created' })).data).toHaveLength(2);
});
