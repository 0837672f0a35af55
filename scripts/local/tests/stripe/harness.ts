/** Shared by the local Stripe's tests: `test` with a server, its clients and plans, and a webhook receiver. */
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { test as base, expect } from 'vitest';
import { createStripeControl, type StripeControlClient } from '../../stripe/control-client.ts';
import { type StripeServer, type StripeServerOptions, startStripeServer } from '../../stripe/server.ts';

/** A running server with Stripe's client and the control client. */
export interface TestServer {
  server: StripeServer;
  stripe: Stripe;
  control: StripeControlClient;
}

/** Starts a server with its control endpoint; data is kept in memory by default. */
export async function startTestServer(options: StripeServerOptions = {}): Promise<TestServer> {
  const server = await startStripeServer({ control: true, retryMs: 20, ...options });
  return { server, stripe: clientOf(server), control: controlOf(server) };
}

type OnCleanup = (cleanup: () => Promise<void>) => void;

/** A fixture that starts a server. */
function serverWith(options: StripeServerOptions = {}) {
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures this one needs
  return async ({}: object, { onCleanup }: { onCleanup: OnCleanup }) => {
    const { server } = await startTestServer(options);
    onCleanup(() => server.close());
    return server;
  };
}

const readerOf = (stripe: Stripe) => (id: string) =>
  stripe.subscriptions.retrieve(id, { expand: ['latest_invoice', 'schedule'] });
const controlOf = ({ controlUrl }: StripeServer) => createStripeControl(controlUrl);

/**
 * `test` with the fixtures `server`, its clients `stripe` and `control`, and `plans`, for all tests of the file. `read`
 * retrieves a subscription with its latest invoice and its schedule.
 */
export const testWithServer = base
  .extend('server', { scope: 'file' }, serverWith())
  .extend('stripe', { scope: 'file' }, ({ server }) => clientOf(server))
  .extend('control', { scope: 'file' }, ({ server }) => controlOf(server))
  .extend('plans', { scope: 'file' }, ({ stripe }) => makePlans(stripe))
  .extend('read', { scope: 'file' }, ({ stripe }) => readerOf(stripe));

/** `test` with the fixtures `server` and its clients `stripe` and `control`, new for each test. */
export function testWithNewServer(options: StripeServerOptions = {}) {
  return base
    .extend('server', serverWith(options))
    .extend('stripe', ({ server }) => clientOf(server))
    .extend('control', ({ server }) => controlOf(server));
}

/** `test` with the fixture `dataFolder`, a temporary folder for each test. */
export const testWithDataFolder = base.extend(
  'dataFolder',
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures this one needs
  async ({}, { onCleanup }): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'packshot-stripe-'));
    onCleanup(() => rm(folder, { recursive: true }));
    return folder;
  },
);

/** Stripe's SDK for a server; by default without retries. */
export function clientOf(server: StripeServer, key = 'sk_test_contract', maxNetworkRetries = 0): Stripe {
  const { hostname, port } = new URL(server.url);
  return new Stripe(key, { host: hostname, port, protocol: 'http', maxNetworkRetries });
}

/** Two monthly plans. */
export interface Plans {
  basic: Stripe.Price;
  pro: Stripe.Price;
}

/** Creates plans for $10.00 and $30.00 a month. */
export async function makePlans(stripe: Stripe): Promise<Plans> {
  const make = async (name: string, amount: number) => {
    const product = await stripe.products.create({ name });
    return stripe.prices.create({
      product: product.id,
      unit_amount: amount,
      currency: 'usd',
      recurring: { interval: 'month' },
    });
  };
  return { basic: await make('Basic', 1000), pro: await make('Pro', 3000) };
}

/** Creates a customer with a card. */
export async function makePayer(stripe: Stripe, card = 'pm_card_visa'): Promise<Stripe.Customer> {
  const customer = await stripe.customers.create({ email: 'payer@example.com', name: 'Pat Payer' });
  const method = await stripe.paymentMethods.attach(card, { customer: customer.id });
  return stripe.customers.update(customer.id, {
    invoice_settings: { default_payment_method: method.id },
  });
}

/** Creates a customer with a running subscription. */
export async function subscribe(
  stripe: Stripe,
  price: Stripe.Price,
  params: Partial<Stripe.SubscriptionCreateParams> = {},
  card?: string,
): Promise<Stripe.Subscription> {
  const customer = await makePayer(stripe, card);
  return stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id }], ...params });
}

/** The only item of a subscription. */
export function itemOf(subscription: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = subscription.items.data;
  if (item === undefined) throw new Error('the subscription has no item');
  return item;
}

/** The id in a field that may contain an expanded object. */
export function idOf(field: string | { id: string } | null | undefined): string {
  if (field === null || field === undefined) throw new Error('the field is empty');
  return typeof field === 'string' ? field : field.id;
}

/** The error with which Stripe rejects a call. */
export async function refusal(
  call: Promise<unknown>,
): Promise<InstanceType<typeof Stripe.errors.StripeError>> {
  const error = await call.then(
    () => new Error('the call was not refused'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Stripe.errors.StripeError);
  return error as InstanceType<typeof Stripe.errors.StripeError>;
}

/** A webhook as received. */
interface Received {
  event: Stripe.Event;
  body: string;
  signature: string;
}

/** A server that receives and records webhooks. */
export interface Receiver {
  url: string;
  received: Received[];
  /** Statuses with which the next webhooks are answered instead of 200. */
  answers: number[];
  /** Waits until this many have arrived. */
  count(wanted: number): Promise<Received[]>;
  close(): Promise<void>;
}

/**
 * Starts a receiver and registers it as an endpoint for all events; signatures are verified with the endpoint's
 * secret.
 */
export async function startReceiver(
  stripe: Stripe,
  events: Stripe.WebhookEndpointCreateParams.EnabledEvent[] = ['*'],
): Promise<Receiver & { secret: string; id: string }> {
  const received: Received[] = [];
  const answers: number[] = [];
  const came = new EventEmitter();
  let secret = '';
  const server = createServer(async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const signature = String(request.headers['stripe-signature']);
    const status = answers.shift() ?? 200;
    response.writeHead(status).end();
    if (status !== 200) return;
    received.push({ event: stripe.webhooks.constructEvent(body, signature, secret), body, signature });
    came.emit('event');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
  const endpoint = await stripe.webhookEndpoints.create({ url, enabled_events: events });
  secret = endpoint.secret ?? '';
  return {
    url,
    id: endpoint.id,
    secret,
    received,
    answers,
    async count(wanted) {
      while (received.length < wanted) await once(came, 'event');
      return received;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
