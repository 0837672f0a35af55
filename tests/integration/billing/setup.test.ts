import type Stripe from 'stripe';
import { afterEach, beforeEach, expect } from 'vitest';
import { paths } from '#contract';
import { type StripeServer, startStripeServer } from '#local/stripe/server.ts';
import { localStripeKey } from '#scripts/stripe/local-key.ts';
import { setUpStripe } from '#scripts/stripe/setup.ts';
import { type RunningServer, startServer } from '#server/server.ts';
import { currency, priceKey, productId } from '#shared/billing/catalogue.ts';
import { openStripe } from '#shared/billing/client.ts';
import { ConfigError, loadConfig } from '#shared/platform/config.ts';
import { expectError } from '#tests/support/errors.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { requestPlan, subscriber } from '#tests/support/subscriber.ts';
import { testWithStack } from '#tests/support/test.ts';

const packshotUrl = 'https://packshot.example';

/** A Stripe account without products, prices and webhooks. */
let bare: StripeServer;
let stripe: Stripe;
const started: RunningServer[] = [];
const test = testWithStack({ workers: 0 });
beforeEach(async () => {
  bare = await startStripeServer({ control: true });
  stripe = openStripe({ secretKey: localStripeKey, apiUrl: bare.url });
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.close()));
  await bare.close();
});

async function startOn(stack: TestStack, stripeUrl: string): Promise<RunningServer> {
  const server = await startServer(loadConfig({ ...stack.settings, PORT: '0', STRIPE_API_URL: stripeUrl }));
  started.push(server);
  return server;
}

async function problemOf(starting: Promise<RunningServer>): Promise<string> {
  const error = await starting.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  return (error as ConfigError).message;
}

/** Gives the freelance plan another price. */
const createPrice = (at: Stripe, cents: number) =>
  at.prices.create({
    product: productId('freelance'),
    currency,
    unit_amount: cents,
    recurring: { interval: 'month' },
    lookup_key: priceKey('freelance'),
    transfer_lookup_key: true,
  });

test('without prices at Stripe a server does not start, and says what to create', async ({ stack }) => {
  const problem = await problemOf(startOn(stack, bare.url));
  expect(problem).toContain('there is no price "packshot_freelance_monthly" for Freelance at $50 a month');
  expect(problem).toContain('there is no price "packshot_enterprise_monthly" for Enterprise at $199 a month');
  expect(problem).toContain('npm run stripe:setup');
});

test('with a price that differs from the contract a server does not start; the set-up creates the right one', async ({
  stack,
}) => {
  await setUpStripe(stripe, packshotUrl);
  const otherPrice = await createPrice(stripe, 6_000);
  expect(await problemOf(startOn(stack, bare.url))).toContain(
    `(${otherPrice.id}) is 60 USD every 1 month for product packshot_freelance, not Freelance at $50 a month`,
  );
  const { changes } = await setUpStripe(stripe, packshotUrl);
  expect(changes).toHaveLength(1);
  expect(changes[0]).toMatch(/^price price_\w+ created: .*60 USD/);
  await startOn(stack, bare.url);
});

test('the set-up creates products, prices, portal and webhook, shows the secret once, and is idempotent', async () => {
  const first = await setUpStripe(stripe, packshotUrl);
  expect(first.changes).toHaveLength(6);
  expect(first.settings.STRIPE_WEBHOOK_SECRET).toMatch(/^whsec_/);
  expect(await setUpStripe(stripe, packshotUrl)).toEqual({ changes: [], settings: {} });

  const [endpoint, ...others] = (await stripe.webhookEndpoints.list()).data;
  expect(others).toEqual([]);
  expect(endpoint).toMatchObject({ url: packshotUrl + paths.stripeWebhook, status: 'enabled' });
  expect(endpoint!.enabled_events).toContain('invoice.paid');
  // Another installation with the same account gets a webhook of its own; this one stays as it is.
  expect((await setUpStripe(stripe, 'https://staging.example')).changes).toHaveLength(1);
  expect((await stripe.webhookEndpoints.list()).data).toHaveLength(2);
});

test('the portal links to privacy and terms, and takes names, addresses and tax IDs', async () => {
  await setUpStripe(stripe, packshotUrl);
  const [configuration] = (await stripe.billingPortal.configurations.list()).data;
  expect(configuration).toMatchObject({
    business_profile: {
      privacy_policy_url: `${packshotUrl}/privacy`,
      terms_of_service_url: `${packshotUrl}/terms`,
    },
    features: { customer_update: { enabled: true, allowed_updates: ['name', 'address', 'tax_id'] } },
  });
});

test('prices say that tax is added to them, also those that were there before', async () => {
  await setUpStripe(stripe, packshotUrl);
  const older = await createPrice(stripe, 5_000);
  expect(older.tax_behavior).toBe('unspecified');
  const { changes } = await setUpStripe(stripe, packshotUrl);
  expect(changes).toEqual([`price ${older.id} changed: tax is added to it`]);
  expect(await stripe.prices.retrieve(older.id)).toMatchObject({ tax_behavior: 'exclusive' });
  expect((await setUpStripe(stripe, packshotUrl)).changes).toEqual([]);
});

test('a server starts while Stripe is unreachable; only what needs Stripe fails', async ({ stack }) => {
  const { url } = await startOn(stack, 'http://127.0.0.1:9');
  const seller = await stack.seller({ paid: false });
  expectError(await requestPlan(await stack.seller({ paid: false, url }), 'freelance'), 'SUBSCRIBE_FAILED');
  expect(await requestPlan(seller, 'freelance')).toMatchObject({ status: 200 });
});

test('a seller who subscribed at an older price keeps the plan', async ({ stack }) => {
  const seller = await subscriber(stack, 'freelance');
  await createPrice(stack.server.context.billing.stripe, 5_500);
  await stack.stripe.advance({ months: 1 });
  expect((await seller.me()).subscription).toMatchObject({
    plan: 'freelance',
    status: 'active',
    generationsLeft: 100,
  });
});
