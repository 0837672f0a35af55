/** The local Stripe's pages in a browser, with a shop that its checkouts and portal sessions return to. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions, Page } from 'playwright-core';
import Stripe from 'stripe';
import { type StripeServer, startStripeServer } from '#local/stripe/server.ts';
import { testWithBrowser } from './browser-test.ts';

export interface LocalStripe {
  /** The URL of its dashboard. */
  url: string;
  client: Stripe;
  /** The URL of the shop. */
  shopUrl: string;
  /** The ids of a price of $50 and one of $199 a month. */
  prices: { small: string; large: string };
  createCheckout(): Promise<Stripe.Checkout.Session>;
  /** Creates a customer with a subscription that is paid with a card. @param price its id */
  subscribe(price?: string): Promise<{ customer: string; subscription: string }>;
  /**
   * Opens a session of the portal in a page.
   * @param configuration id of the portal's configuration; everything is allowed by default
   * @returns the session's URL
   */
  openPortal(page: Page, customer: string, configuration?: string): Promise<string>;
}

/**
 * `test` with a local Stripe for the file, and a browser. `openCheckout` opens a new checkout in a new window, and
 * `portalPage` the portal of a new customer with a subscription.
 */
export const testWithLocalStripe = testWithBrowser
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures this one needs
  .extend('shopUrl', { scope: 'file' }, async ({}, { onCleanup }): Promise<string> => {
    const shop = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><html lang="en"><title>Shop</title><h1>The shop</h1></html>');
    });
    onCleanup(() => void shop.close());
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  })
  .extend('localStripe', { scope: 'file' }, async ({ shopUrl }, { onCleanup }): Promise<LocalStripe> => {
    const server = await startStripeServer({ control: true });
    onCleanup(() => server.close());
    return setUpLocalStripe(server, shopUrl);
  })
  .extend('openCheckout', ({ localStripe, openWindow }) => async (windowOptions?: BrowserContextOptions) => {
    const { page, problems } = await openWindow(windowOptions);
    const session = await localStripe.createCheckout();
    await page.goto(session.url!);
    return { page, problems, session };
  })
  .extend(
    'portalPage',
    ({ localStripe, openWindow }) =>
      async ({ price, configuration }: { price?: string; configuration?: string } = {}) => {
        const { page } = await openWindow();
        const { customer, subscription } = await localStripe.subscribe(price);
        const url = await localStripe.openPortal(page, customer, configuration);
        return { page, url, customer, subscription };
      },
  );

const ana = { name: 'Ana Müller', email: 'ana@shop.example' };

async function setUpLocalStripe({ url }: StripeServer, shopUrl: string): Promise<LocalStripe> {
  const { hostname, port } = new URL(url);
  const client = new Stripe('sk_test_pages', { host: hostname, port, protocol: 'http', telemetry: false });
  const [small, large] = await Promise.all([
    createPrice(client, 'Freelance', 5_000),
    createPrice(client, 'Enterprise', 19_900),
  ]);
  const fullConfiguration = await createFullConfiguration(client, [small, large]);
  return {
    url,
    client,
    shopUrl,
    prices: { small: small.id, large: large.id },
    createCheckout: async () => {
      const { id: customer } = await client.customers.create(ana);
      return client.checkout.sessions.create({
        mode: 'subscription',
        customer,
        line_items: [{ price: small.id, quantity: 1 }],
        success_url: `${shopUrl}/paid?session={CHECKOUT_SESSION_ID}`,
        cancel_url: `${shopUrl}/plans`,
      });
    },
    subscribe: async (price = small.id) => {
      const customer = await client.customers.create(ana);
      const { id } = await client.paymentMethods.attach('pm_card_visa', { customer: customer.id });
      await client.customers.update(customer.id, { invoice_settings: { default_payment_method: id } });
      const subscription = await client.subscriptions.create({ customer: customer.id, items: [{ price }] });
      return { customer: customer.id, subscription: subscription.id };
    },
    openPortal: async (page, customer, configuration = fullConfiguration) => {
      const session = await client.billingPortal.sessions.create({
        customer,
        configuration,
        return_url: `${shopUrl}/profile`,
      });
      await page.goto(session.url);
      return session.url;
    },
  };
}

async function createPrice(client: Stripe, name: string, amount: number): Promise<Stripe.Price> {
  const product = await client.products.create({ name, description: `Everything of ${name}` });
  return client.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: amount,
    recurring: { interval: 'month' },
  });
}

/** A portal configuration that allows everything; downgrades take effect at the end of the period. */
async function createFullConfiguration(client: Stripe, prices: Stripe.Price[]): Promise<string> {
  const configuration = await client.billingPortal.configurations.create({
    features: {
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      subscription_cancel: { enabled: true, mode: 'at_period_end' },
      subscription_update: {
        enabled: true,
        default_allowed_updates: ['price'],
        proration_behavior: 'always_invoice',
        products: prices.map((price) => ({ product: price.product as string, prices: [price.id] })),
        schedule_at_period_end: { conditions: [{ type: 'decreasing_item_amount' }] },
      },
    },
  });
  return configuration.id;
}

const cards = {
  good: 'Succeeds',
  declined: 'Is declined',
  secure: 'Requires 3-D Secure',
  later: 'Is saved, then declined',
};

/** Clicks a button or link and waits for the next page: all of these pages work without scripts. */
async function clickThrough(page: Page, role: 'button' | 'link', name: string | RegExp): Promise<void> {
  await Promise.all([page.waitForEvent('domcontentloaded'), page.getByRole(role, { name }).click()]);
}
export const press = (page: Page, name: string | RegExp) => clickThrough(page, 'button', name);
export const follow = (page: Page, name: string | RegExp) => clickThrough(page, 'link', name);
/** Waits until a text is shown. */
export const see = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
/** Fills in a test card. */
export const fillCard = (page: Page, card: keyof typeof cards) => press(page, cards[card]);
