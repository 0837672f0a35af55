/** What the pages of the stand-ins show to a person who pays, manages a plan, moves the clock and reads mails. */
import { expect } from 'vitest';
import { paths, type SubscribeReply } from '#contract';
import { planTable } from '#contract/plan-table.ts';
import type { Seller } from '#tests/support/seller.ts';
import { requestPlan, subscriber } from '#tests/support/subscriber.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack();

/** What a value looks like that was not made for people. */
const notForPeople = /\[object |\bundefined\b|\bNaN\b|\bnull\b|Invalid Date/;

/** Reads pages and all pages of their servers that they link to. @returns the pages by their address */
async function readPages(addresses: readonly string[]): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const waiting = [...addresses];
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    if (pages.has(address)) continue;
    const reply = await fetch(address);
    if (!reply.headers.get('content-type')?.startsWith('text/html')) continue;
    const page = await reply.text();
    pages.set(address, page);
    for (const [, link] of page.matchAll(/\b(?:href|src)="([^"]+)"/g)) {
      const target = new URL(link!.replaceAll('&amp;', '&'), address);
      target.hash = '';
      if (target.origin === new URL(address).origin) waiting.push(target.href);
    }
  }
  return pages;
}

/** The places in pages that show such a value, with what stands around it. */
function findings(pages: ReadonlyMap<string, string>): string[] {
  return [...pages].flatMap(([address, page]) => {
    const shown = page.replaceAll(/<(style|script)\b.*?<\/\1>/gs, '');
    const at = shown.search(notForPeople);
    return at === -1 ? [] : [`${address}: …${shown.slice(Math.max(0, at - 60), at + 60)}…`];
  });
}

async function submit(address: string, fields: Record<string, string>): Promise<string> {
  const reply = await fetch(address, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
  const location = reply.headers.get('location');
  return location === null ? reply.text() : new URL(location, address).href;
}

async function checkoutOf(seller: Seller): Promise<string> {
  const { body } = await requestPlan(seller, 'enterprise');
  return (body as Extract<SubscribeReply, { url: string }>).url;
}

function portalsOf(...sellers: Seller[]): Promise<string[]> {
  return Promise.all(
    sellers.map(async (seller) => {
      const { body } = await seller.request<{ url: string }>(paths.portalSession, { method: 'POST' });
      return body.url;
    }),
  );
}

test('the pages of Stripe and of the mailbox show no value that was not made for people', async ({
  stack,
}) => {
  const stripe = stack.config.billing.apiUrl!;
  const checkout = await checkoutOf(await stack.seller({ paid: false }));
  const confirmed = await checkoutOf(await stack.seller({ paid: false }));
  const card = { cardNumber: '4000002500003155', cardExpiry: '12 / 40', cardCvc: '123', billingName: 'Ada' };
  const paying = await subscriber(stack, 'freelance');
  const leaving = await subscriber(stack, 'freelance');
  const refused = await submit(checkout, {});
  const authenticate = await submit(confirmed, card);
  expect(authenticate).toContain('/authenticate/');
  const before = await readPages([checkout, authenticate, ...(await portalsOf(paying, leaving))]);
  await submit(`${(await portalsOf(leaving))[0]}/cancel`, {});
  expect(await submit(`${stripe}/clock`, { step: 'month' })).toBe(`${stripe}/?advanced=month`);
  await expect.poll(async () => (await stack.mails.mails()).length).toBeGreaterThan(0);
  const after = [`${stripe}/?advanced=month`, stack.mailPageUrl, ...(await portalsOf(paying, leaving))];
  const pages = await readPages(after);
  pages.set('the checkout after wrong entries', refused);
  for (const [address, page] of before) pages.set(`${address} before the renewal`, page);

  expect(findings(pages)).toEqual([]);
  // Each kind of page was among them.
  const addresses = [...pages.keys()].join('\n');
  for (const kind of ['/c/pay/', '/authenticate/', '/p/session/', '/i/', '/?advanced', '/mails/']) {
    expect(addresses).toContain(kind);
  }
  expect(pages.get(`${checkout} before the renewal`)).toContain(
    planTable.enterprise.features.map(({ name }) => name).join(', '),
  );
});
