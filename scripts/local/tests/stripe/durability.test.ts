/** What survives a restart: data, clock, replies by idempotency key, and pending deliveries. */
import { expect } from 'vitest';
import {
  itemOf,
  makePlans,
  startReceiver,
  startTestServer,
  subscribe,
  testWithDataFolder as test,
} from './harness.ts';

test('subscriptions, the clock and idempotency keys survive a restart', async ({ dataFolder }) => {
  const before = await startTestServer({ dataFolder });
  const { basic } = await makePlans(before.stripe);
  const subscription = await subscribe(before.stripe, basic);
  await before.control.advance({ months: 2 });
  const { now } = await before.control.state();
  const make = (stripe: typeof before.stripe) =>
    stripe.customers.create({ email: 'once@example.com' }, { idempotencyKey: 'restart' });
  const made = await make(before.stripe);
  const session = await before.stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: made.id,
    line_items: [{ price: basic.id, quantity: 1 }],
    success_url: 'https://app.example/ok',
  });
  await before.server.close();

  const after = await startTestServer({ dataFolder });
  expect((await after.control.state()).now).toBeGreaterThanOrEqual(now);
  expect((await after.control.state()).now).toBeLessThan(now + 60);
  expect((await make(after.stripe)).id).toBe(made.id);
  const open = await after.stripe.checkout.sessions.retrieve(session.id);
  expect(open.url).toBe(`${after.server.url}/c/pay/${session.id}`);
  const kept = await after.stripe.subscriptions.retrieve(subscription.id);
  await after.control.advance({ to: itemOf(kept).current_period_end });
  const { data } = await after.stripe.invoices.list({ subscription: subscription.id });
  expect(data.map(({ status }) => status)).toEqual(['paid', 'paid', 'paid', 'paid']);
  await after.server.close();
});

test('an undelivered webhook is delivered after a restart', async ({ dataFolder }) => {
  const before = await startTestServer({ dataFolder, retryMs: 60_000 });
  const receiver = await startReceiver(before.stripe);
  receiver.answers.push(500);
  const refused = await before.stripe.customers.create({ name: 'refused' });
  expect(await before.control.settled(200)).toEqual({ pending: 1 });
  await before.control.set({ webhooks: { hold: true } });
  const held = await before.stripe.customers.create({ name: 'held' });
  await before.server.close();

  const after = await startTestServer({ dataFolder });
  const received = await receiver.count(1);
  expect(received[0]?.event.data.object).toMatchObject({ id: held.id });
  // The rejected delivery keeps waiting for its minute, because its next attempt was stored.
  const [waiting] = (await after.control.deliveries()).filter(({ state }) => state === 'pending');
  expect(waiting?.attempts.map(({ status }) => status)).toEqual([500]);
  const { data: created } = await after.stripe.events.list({ type: 'customer.created' });
  expect(created.find(({ id }) => id === waiting?.event)?.data.object).toMatchObject({ id: refused.id });
  await after.server.close();
  await receiver.close();
});

test('a folder can be used by one server at a time', async ({ dataFolder }) => {
  const { server } = await startTestServer({ dataFolder });
  await expect(startTestServer({ dataFolder })).rejects.toThrow('another local Stripe');
  await server.close();
  const next = await startTestServer({ dataFolder });
  await next.server.close();
});

test('without a folder, nothing is persisted', async () => {
  const before = await startTestServer();
  await before.stripe.customers.create();
  await before.server.close();
  const after = await startTestServer();
  expect((await after.stripe.customers.list()).data).toEqual([]);
  await after.server.close();
});

test('the control endpoint exists only when enabled', async () => {
  const { server } = await startTestServer({ control: false });
  expect((await fetch(server.controlUrl)).status).toBe(404);
  await server.close();
});
