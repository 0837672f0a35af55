import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StripeServer, startStripeServer } from '#local/stripe/server.ts';
import {
  accessibilityProblems,
  launchBrowser,
  looks,
  openBrowserWindow,
  overflow,
} from '#tests/support/browser.ts';

const cards = {
  good: 'Succeeds',
  declined: 'Is declined',
  secure: 'Asks for 3-D Secure',
  later: 'Is kept, fails when charged',
};

let server: StripeServer;
let stripe: Stripe;
let browser: Browser;
let shop: Server;
let shopUrl: string;
let prices: { small: string; large: string };
let configuration: string;

beforeAll(async () => {
  shop = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><html lang="en"><title>Shop</title><h1>The shop</h1></html>');
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  [server, browser] = await Promise.all([startStripeServer({ control: true }), launchBrowser()]);
  const { hostname, port } = new URL(server.url);
  stripe = new Stripe('sk_test_pages', { host: hostname, port, protocol: 'http', telemetry: false });
  const made = await Promise.all([makePrice('Freelance', 5000), makePrice('Enterprise', 19_900)]);
  prices = { small: made[0].id, large: made[1].id };
  configuration = await makeConfiguration(made);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  shop?.close();
});

async function makePrice(name: string, amount: number): Promise<Stripe.Price> {
  const product = await stripe.products.create({ name, description: `Everything of ${name}` });
  return stripe.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: amount,
    recurring: { interval: 'month' },
  });
}

/** What the portal lets people do: everything, with a downgrade at the period's end. */
async function makeConfiguration(offered: Stripe.Price[]): Promise<string> {
  const made = await stripe.billingPortal.configurations.create({
    features: {
      customer_update: { enabled: true, allowed_updates: ['name', 'email'] },
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      subscription_cancel: {
        enabled: true,
        mode: 'at_period_end',
        cancellation_reason: { enabled: true, options: ['too_expensive', 'unused', 'other'] },
      },
      subscription_update: {
        enabled: true,
        default_allowed_updates: ['price'],
        proration_behavior: 'always_invoice',
        products: offered.map((price) => ({ product: price.product as string, prices: [price.id] })),
        schedule_at_period_end: { conditions: [{ type: 'decreasing_item_amount' }] },
      },
    },
  });
  return made.id;
}

function createCheckout(wishes: Partial<Stripe.Checkout.SessionCreateParams> = {}) {
  return stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: prices.small, quantity: 1 }],
    success_url: `${shopUrl}/paid?session={CHECKOUT_SESSION_ID}`,
    cancel_url: `${shopUrl}/plans`,
    ...wishes,
  });
}

/** A customer with a subscription that is paid by a card. */
async function subscribe(price = prices.small) {
  const customer = await stripe.customers.create({ name: 'Ana Müller', email: 'ana@shop.example' });
  const { id } = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
  await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: id } });
  const subscription = await stripe.subscriptions.create({ customer: customer.id, items: [{ price }] });
  return { customer: customer.id, subscription: subscription.id };
}

async function openPortal(page: Page, customer: string, settings = configuration): Promise<string> {
  const session = await stripe.billingPortal.sessions.create({
    customer,
    configuration: settings,
    return_url: `${shopUrl}/profile`,
  });
  await page.goto(session.url);
  return session.url;
}

async function openWindow(options: BrowserContextOptions = {}): Promise<Page> {
  return (await openBrowserWindow(browser, options)).page;
}

/** Every button of these pages sends a form and every link leads on: what comes next is there when it resolves. */
async function next(page: Page, role: 'button' | 'link', name: string | RegExp): Promise<void> {
  await Promise.all([page.waitForEvent('domcontentloaded'), page.getByRole(role, { name }).click()]);
}
const press = (page: Page, name: string | RegExp) => next(page, 'button', name);
const follow = (page: Page, name: string | RegExp) => next(page, 'link', name);
const see = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const fill = (page: Page, card: keyof typeof cards) => press(page, cards[card]);

describe('checkout', () => {
  test('a person pays by clicking, once, and comes back to the shop', async () => {
    const page = await openWindow();
    const session = await createCheckout();
    await page.goto(session.url!);
    await see(page, 'no money moves');
    await see(page, 'Subscribe to Freelance');
    await see(page, 'Total due today');
    await page.getByLabel('Email').fill('ana@shop.example');
    await fill(page, 'good');
    expect(await page.getByLabel('Email').inputValue()).toBe('ana@shop.example');
    expect(await page.getByLabel('Card number').inputValue()).toBe('4242 4242 4242 4242');
    await page.getByRole('button', { name: 'Subscribe' }).dblclick();
    await page.waitForURL(`${shopUrl}/paid?session=${session.id}`);

    const paid = await stripe.checkout.sessions.retrieve(session.id);
    expect(paid).toMatchObject({ status: 'complete', payment_status: 'paid' });
    const { data: subscriptions } = await stripe.subscriptions.list({ customer: paid.customer as string });
    expect(subscriptions.map(({ status }) => status)).toEqual(['active']);
    const { data: invoices } = await stripe.invoices.list({ customer: paid.customer as string });
    expect(invoices.map(({ status, total }) => [status, total])).toEqual([['paid', 5000]]);

    await page.goto(session.url!);
    await see(page, 'This checkout has been paid');
    await follow(page, 'Return to Packshot');
    await page.waitForURL(`${shopUrl}/paid?session=${session.id}`);
    await page.context().close();
  });

  test('two windows that pay the same session pay once', async () => {
    const windows = await Promise.all([openWindow(), openWindow()]);
    const session = await createCheckout({ customer_email: 'ben@shop.example' });
    for (const page of windows) {
      await page.goto(session.url!);
      await see(page, 'ben@shop.example');
      await fill(page, 'good');
    }
    await Promise.all(windows.map((page) => press(page, 'Subscribe')));
    await Promise.all(windows.map((page) => page.waitForURL(`${shopUrl}/paid?session=${session.id}`)));
    const { customer } = await stripe.checkout.sessions.retrieve(session.id);
    expect((await stripe.invoices.list({ customer: customer as string })).data).toHaveLength(1);
    await Promise.all(windows.map((page) => page.context().close()));
  });

  test('what is wrong with a card is said where it is wrong; a declined one can be replaced', async () => {
    const page = await openWindow({ javaScriptEnabled: false });
    const session = await createCheckout();
    await page.goto(session.url!);
    await page.getByLabel('Card number').fill('4242 4242');
    await page.getByLabel('Expiration (MM/YY)').fill('10/20');
    await page.getByLabel('Name on card').press('Enter');
    for (const [field, problem] of [
      ['Email', 'Enter a complete email address.'],
      ['Card number', 'Your card number is incomplete.'],
      ['Expiration (MM/YY)', "Your card's expiration date is in the past."],
      ['CVC', "Your card's security code is incomplete."],
    ] as const) {
      const input = page.getByLabel(field);
      expect(await input.getAttribute('aria-invalid')).toBe('true');
      const described = await input.getAttribute('aria-describedby');
      expect(await page.locator(`[id="${described}"]`).textContent()).toBe(problem);
    }
    await page.getByLabel('Email').fill('ana@shop.example');
    await fill(page, 'declined');
    await press(page, 'Subscribe');
    await see(page, 'Your card was declined.');
    expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
    await fill(page, 'good');
    await press(page, 'Subscribe');
    await page.waitForURL(`${shopUrl}/paid?**`);
    await page.context().close();
  });

  test('3-D Secure is refused, then passed', async () => {
    const page = await openWindow();
    const session = await createCheckout();
    await page.goto(session.url!);
    await page.getByLabel('Email').fill('ana@shop.example');
    await fill(page, 'secure');
    await press(page, 'Subscribe');
    await see(page, 'Your bank asks you to confirm a payment of $50.00');
    const question = page.url();
    await press(page, 'Fail');
    await see(page, 'We are unable to authenticate your payment method.');
    expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
    await page.goto(question);
    await see(page, 'This challenge has been answered');
    await follow(page, 'Go back');
    await fill(page, 'secure');
    await press(page, 'Subscribe');
    await press(page, 'Complete');
    await page.waitForURL(`${shopUrl}/paid?session=${session.id}`);
    expect((await stripe.checkout.sessions.retrieve(session.id)).payment_status).toBe('paid');
    await page.context().close();
  });

  test('a trial is due later; the way back leads to the shop; expired and unknown sessions say so', async () => {
    const page = await openWindow();
    const session = await createCheckout({ subscription_data: { trial_period_days: 14 } });
    await page.goto(session.url!);
    await see(page, '14 days free, then $50.00');
    expect(await page.locator('.total').textContent()).toContain('$0.00');
    await follow(page, 'Back');
    await page.waitForURL(`${shopUrl}/plans`);
    await stripe.checkout.sessions.expire(session.id);
    await page.goto(session.url!);
    await see(page, 'This checkout has expired');
    expect((await page.goto(`${server.url}/c/pay/cs_test_none`))?.status()).toBe(404);
    await see(page, 'There is no such checkout');
    await page.context().close();
  });
});

describe('portal', () => {
  test('an upgrade is paid at once, as its preview said', async () => {
    const page = await openWindow();
    const { customer, subscription } = await subscribe();
    await openPortal(page, customer);
    await see(page, 'Renews on');
    await follow(page, 'Change plan');
    await follow(page, 'Select Enterprise');
    const button = page.getByRole('button', { name: /^Pay .* and change$/ });
    const due = Math.round(Number(/\$([\d.]+)/.exec((await button.textContent())!)![1]) * 100);
    await button.dblclick();
    await see(page, 'Your plan has been changed.');
    await see(page, '$199.00');
    const changed = await stripe.subscriptions.retrieve(subscription, { expand: ['latest_invoice'] });
    expect(changed.items.data[0]!.price.id).toBe(prices.large);
    expect(changed.latest_invoice).toMatchObject({ status: 'paid', total: due });
    await page.context().close();
  });

  test('a downgrade waits for the period’s end and can be taken back', async () => {
    const page = await openWindow();
    const { customer, subscription } = await subscribe(prices.large);
    await openPortal(page, customer);
    await follow(page, 'Change plan');
    await follow(page, 'Select Freelance');
    await see(page, 'Nothing changes today.');
    await press(page, 'Confirm the change');
    await see(page, /^Changes to Freelance \(\$50\.00 per month\) on/);
    expect((await stripe.subscriptions.retrieve(subscription)).schedule).not.toBeNull();
    await press(page, 'Keep the current plan');
    await see(page, 'You keep your plan.');
    await see(page, 'Renews on');
    expect((await stripe.subscriptions.retrieve(subscription)).schedule).toBeNull();
    await page.context().close();
  });

  test('a plan is cancelled for the period’s end, with the reason, and goes on when taken back', async () => {
    const page = await openWindow();
    const { customer, subscription } = await subscribe();
    await openPortal(page, customer);
    await follow(page, 'Cancel plan');
    await page.getByLabel('It’s too expensive').check();
    await page.getByLabel('Anything to add?').fill('<b>Sorry</b>');
    await press(page, 'Cancel plan');
    await see(page, 'Cancels on');
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({
      status: 'active',
      cancel_at_period_end: true,
      cancellation_details: { feedback: 'too_expensive', comment: '<b>Sorry</b>' },
    });
    await press(page, 'Don’t cancel');
    await see(page, 'Your plan goes on.');
    expect((await stripe.subscriptions.retrieve(subscription)).cancel_at_period_end).toBe(false);
    await follow(page, 'Return to Packshot');
    await page.waitForURL(`${shopUrl}/profile`);
    await page.context().close();
  });

  test('cards are added, refused, confirmed with 3-D Secure, chosen and removed', async () => {
    const page = await openWindow();
    const { customer } = await subscribe();
    const first = (await stripe.paymentMethods.list({ customer })).data[0]!.id;
    const charged = async () =>
      ((await stripe.customers.retrieve(customer)) as Stripe.Customer).invoice_settings
        .default_payment_method;
    await openPortal(page, customer);
    await follow(page, 'Add a card');
    await press(page, 'Add card');
    await see(page, 'Your card number is incomplete.');
    await fill(page, 'declined');
    await press(page, 'Add card');
    await see(page, 'Your card was declined.');
    await fill(page, 'secure');
    await press(page, 'Add card');
    await see(page, 'may keep this card');
    await press(page, 'Complete');
    await see(page, 'The card has been added.');
    await see(page, 'Visa •••• 3155');
    expect(await charged()).not.toBe(first);
    await press(page, 'Make default Visa •••• 4242');
    await see(page, 'The next invoice is charged to this card.');
    expect(await charged()).toBe(first);
    await press(page, 'Remove Visa •••• 3155');
    await see(page, 'The card has been removed.');
    expect((await stripe.paymentMethods.list({ customer })).data.map(({ id }) => id)).toEqual([first]);
    await page.context().close();
  });

  test('name and billing address are changed; a wrong address is refused; an invoice is read', async () => {
    const page = await openWindow();
    const { customer } = await subscribe();
    await openPortal(page, customer);
    await follow(page, 'Update information');
    await page.getByLabel('Billing email').fill('nobody');
    await press(page, 'Save');
    await see(page, 'Enter a complete email address.');
    await page.getByLabel('Name').fill('<i>Ana</i> & Söhne');
    await page.getByLabel('Billing email').fill('books@shop.example');
    await press(page, 'Save');
    await see(page, 'Your billing information has been saved.');
    await see(page, '<i>Ana</i> & Söhne');
    expect(await stripe.customers.retrieve(customer)).toMatchObject({
      name: '<i>Ana</i> & Söhne',
      email: 'books@shop.example',
    });
    await follow(page, /, invoice /);
    await page.waitForURL('**/i/in_*');
    await see(page, '$50.00');
    await page.context().close();
  });

  test('only what the configuration allows is there, also for those who type its address', async () => {
    const page = await openWindow();
    const { customer, subscription } = await subscribe();
    const bare = await stripe.billingPortal.configurations.create({
      features: { invoice_history: { enabled: false } },
    });
    const url = await openPortal(page, customer, bare.id);
    await see(page, 'Renews on');
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['Current plan']);
    for (const path of ['change', `change/${prices.large}`, 'cancel', 'cards/new', 'billing']) {
      await page.goto(`${url}/${path}`);
      expect(page.url()).toBe(url);
    }
    for (const path of ['cancel', `change/${prices.large}`]) {
      await page.request.post(`${url}/${path}`, { form: {} });
    }
    const untouched = await stripe.subscriptions.retrieve(subscription);
    expect(untouched.cancel_at_period_end).toBe(false);
    expect(untouched.items.data[0]!.price.id).toBe(prices.small);
    await page.context().close();
  });
});

describe('time', () => {
  test('a month passes on the dashboard: a renewal fails, is paid with another card, and the session is over', async () => {
    const page = await openWindow();
    const { customer, subscription } = await subscribe();
    const url = await openPortal(page, customer);
    await follow(page, 'Add a card');
    await fill(page, 'later');
    await press(page, 'Add card');
    await see(page, 'The card has been added.');
    await page.goto(server.url);
    await see(page, customer);
    await press(page, 'Advance a month');
    await see(page, 'The clock has been moved.');
    await press(page, 'Advance a day');
    await see(page, 'Past due');
    await see(page, 'invoice.payment_failed');
    expect((await stripe.subscriptions.retrieve(subscription)).status).toBe('past_due');

    await page.goto(url);
    await see(page, 'This session has expired');
    await openPortal(page, customer);
    await see(page, 'The payment of $50.00 has failed.');
    await press(page, 'Pay $50.00 now');
    await see(page, 'Your card was declined.');
    await follow(page, 'Add another card');
    await fill(page, 'good');
    await press(page, 'Add card');
    await see(page, 'The card has been added.');
    await press(page, 'Pay $50.00 now');
    await see(page, 'The payment went through.');
    expect((await stripe.subscriptions.retrieve(subscription)).status).toBe('active');
    await page.context().close();
  });

  test('a form of the dashboard that is sent twice moves the clock once', async () => {
    const page = await openWindow();
    await page.goto(server.url);
    const shownAt = async () =>
      new Date((await page.locator('time').first().getAttribute('datetime'))!).getTime();
    const before = await shownAt();
    const once = await page.locator('input[name=once]').first().inputValue();
    const send = () => page.request.post(`${server.url}/clock`, { form: { once, step: 'week' } });
    await Promise.all([send(), send()]);
    await page.reload();
    const days = ((await shownAt()) - before) / 86_400_000;
    expect(days).toBeGreaterThanOrEqual(7);
    expect(days).toBeLessThan(8);
    await page.context().close();
  });
});

describe('looks', () => {
  for (const { colorScheme, width } of looks) {
    test(`nothing is out of reach or out of the window, ${colorScheme}, ${width} px`, async () => {
      const { page, problems } = await openBrowserWindow(browser, {
        colorScheme,
        viewport: { width, height: 844 },
      });
      const check = async () => {
        expect([page.url(), await overflow(page), await accessibilityProblems(page)]).toEqual([
          page.url(),
          0,
          [],
        ]);
      };
      const session = await createCheckout();
      await page.goto(session.url!);
      await check();
      await press(page, 'Subscribe');
      await check();
      await page.getByLabel('Email').fill('a-rather-long-address-of-somebody@workshop.example');
      await fill(page, 'secure');
      await press(page, 'Subscribe');
      await check();
      await press(page, 'Fail');
      await check();
      await fill(page, 'good');
      await press(page, 'Subscribe');
      await page.waitForURL(`${shopUrl}/paid?**`);
      await page.goto(session.url!);
      await check();

      const { customer } = await stripe.checkout.sessions.retrieve(session.id);
      const url = await openPortal(page, customer as string);
      await check();
      for (const path of ['change', `change/${prices.large}`, 'cancel', 'cards/new', 'billing']) {
        await page.goto(`${url}/${path}`);
        expect(page.url()).toBe(`${url}/${path}`);
        await check();
      }
      await page.goto(url);
      await follow(page, /, invoice /);
      await check();
      await page.goto(server.url);
      await check();
      expect(problems).toEqual([]);
      await page.context().close();
    });
  }
});
