/** Settings that containers need in advance: the public URL of the pages and the webhook secret. */
import { expect } from 'vitest';
import { makePlans, subscribe, testWithNewServer } from './harness.ts';

const publicUrl = 'http://pay.example:8080';
const test = testWithNewServer({ publicUrl, webhookSecret: 'whsec_known' });

test('links to pages use the public URL, and the pages exist', async ({ stripe, server }) => {
  const { basic } = await makePlans(stripe);
  const { latest_invoice: invoice, customer } = await subscribe(stripe, basic, {
    expand: ['latest_invoice'],
  });
  const checkout = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: String(customer),
    line_items: [{ price: basic.id, quantity: 1 }],
    success_url: 'https://app.example/ok',
  });
  await stripe.billingPortal.configurations.create({ features: { invoice_history: { enabled: true } } });
  const portal = await stripe.billingPortal.sessions.create({
    customer: String(customer),
    return_url: 'https://app.example/back',
  });
  const page = (invoice as { hosted_invoice_url?: string | null }).hosted_invoice_url;
  for (const link of [checkout.url, portal.url, page].map((text) => new URL(String(text)))) {
    expect(link.origin).toBe(publicUrl);
    const reply = await fetch(`${server.url}${link.pathname}`);
    expect(reply.status).toBe(200);
    expect(await reply.text()).not.toContain(server.url);
  }
});

test('a new webhook endpoint has the configured secret', async ({ stripe }) => {
  const made = await stripe.webhookEndpoints.create({
    url: 'https://app.example/hook',
    enabled_events: ['*'],
  });
  expect(made.secret).toBe('whsec_known');
});
