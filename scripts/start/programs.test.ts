import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, test } from 'vitest';
import { startStripeServer } from '#local/stripe/server.ts';
import { localStripeKey } from '#scripts/stripe/local-key.ts';
import { openStripe } from '#shared/billing/client.ts';
import { newFolder } from '#tests/support/new-folder.ts';
import { prepareStripe } from './prepare-stripe.ts';
import { programEnvironment } from './programs.ts';

let dataFolder: string;
beforeEach(async () => {
  dataFolder = await newFolder();
  await mkdir(join(dataFolder, 'stripe'));
});

/**
 * Starts the local Stripe on the kept data, prepares it as `npm start` does, and has it send an event.
 * @returns the environment of the programs, and whether the secret in it fits the event
 */
async function startOnce() {
  const stripeServer = await startStripeServer({ dataFolder: join(dataFolder, 'stripe') });
  const stripe = openStripe({ secretKey: localStripeKey, apiUrl: stripeServer.url });
  const webhook = createServer().listen(0, '127.0.0.1');
  await once(webhook, 'listening');
  const { port } = webhook.address() as AddressInfo;
  try {
    const services = new Map([['stripe', { url: stripeServer.url, pageUrl: undefined }]] as const);
    const env = await programEnvironment({}, services, dataFolder, port, undefined, prepareStripe);
    const arrived = once(webhook, 'request');
    const customer = await stripe.customers.create();
    await stripe.customers.del(customer.id);
    const [request, reply] = await arrived;
    const [body, signature] = [await text(request), request.headers['stripe-signature']];
    reply.end();
    const accepted = await stripe.webhooks
      .constructEventAsync(body, signature, env.STRIPE_WEBHOOK_SECRET!)
      .then(
        () => true,
        (error: Error) => error.message,
      );
    return { env, accepted };
  } finally {
    webhook.closeAllConnections();
    webhook.close();
    await stripeServer.close();
  }
}

const secretsOf = ({ env }: Awaited<ReturnType<typeof startOnce>>) => [
  env.SESSION_SECRET,
  env.STRIPE_WEBHOOK_SECRET,
];

test('each start on the same data accepts the events of Stripe, with the same secrets', async () => {
  const first = await startOnce();
  const second = await startOnce();
  const third = await startOnce();
  expect([first, second, third].map(({ accepted }) => accepted)).toEqual([true, true, true]);
  expect(secretsOf(second)).toEqual(secretsOf(first));
  expect(secretsOf(third)).toEqual(secretsOf(first));
  expect(first.env.STRIPE_WEBHOOK_SECRET).toMatch(/^whsec_/);
  expect(first.env.SESSION_SECRET).toMatch(/^[0-9a-f]{64}$/);
});

test.for([
  ['removed', undefined],
  ['written by an earlier version, which Stripe does not know', 'f'.repeat(64)],
  ['empty', ''],
] as const)('a webhook secret that was %s is replaced by a new one of Stripe', async ([, kept]) => {
  const before = await startOnce();
  const file = join(dataFolder, 'webhook-secret');
  if (kept === undefined) await rm(file);
  else await writeFile(file, kept);
  const after = await startOnce();
  expect(after.accepted).toBe(true);
  expect(after.env.STRIPE_WEBHOOK_SECRET).not.toBe(before.env.STRIPE_WEBHOOK_SECRET);
  expect((await readFile(file, 'utf8')).trim()).toBe(after.env.STRIPE_WEBHOOK_SECRET);
  expect(after.env.SESSION_SECRET).toBe(before.env.SESSION_SECRET);
});

test('the data of Stripe may be removed without its secret', async () => {
  await startOnce();
  await rm(join(dataFolder, 'stripe'), { recursive: true });
  await mkdir(join(dataFolder, 'stripe'));
  expect((await startOnce()).accepted).toBe(true);
});

test('a session secret that is too short is replaced', async () => {
  const { env } = await startOnce();
  await writeFile(join(dataFolder, 'secret'), 'short');
  expect((await startOnce()).env.SESSION_SECRET).not.toBe(env.SESSION_SECRET);
});
